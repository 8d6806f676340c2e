/* SPDX-License-Identifier: BSD-3-Clause */
/* agenda.c - what it costs to find the next pair, against a walk down the
 * list */
/* agenda [HOSTS [RUNS [FAR]]]: all pairs of so many hosts in invented time, those of two groups FAR
 * times as long as those within one, all of them up to a half longer by chance. Both ways in turn,
 * RUNS times; they must begin the same pairs. */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text/number.h"
#include "probes/run/agenda.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS_MAX 4000
#define GROUPS 8

/* Pairs under way, the one that ends first on top. */
struct heap {
	struct event {
		double ends;
		size_t k;
	} * v;
	size_t n;
};

struct play {
	struct pl_agenda a;
	bool plain; /* the list is walked from where all before has begun */
	struct heap heap;
	const double *took; /* [n_meets] by number, as first drawn */
	double now;
	uint64_t digest;
	uint64_t n_asked, n_seen; /* free hosts, when one asks */
	int64_t begin_ns;
};

static void push(struct heap *h, struct event e)
{
	size_t i = h->n++;

	for (; i > 0 && h->v[(i - 1) / 2].ends > e.ends; i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = e;
}

static struct event pop(struct heap *h)
{
	const struct event top = h->v[0], last = h->v[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->v[child + 1].ends < h->v[child].ends)
			child++;
		if (h->v[child].ends >= last.ends)
			break;
		h->v[i] = h->v[child];
		i = child;
	}
	h->v[i] = last;
	return top;
}

/* What pl_agenda_begin finds, by walking. */
static size_t walk(struct pl_agenda *a, size_t host)
{
	const size_t end = a->first[host + 1];

	while (a->at[host] < end && a->begun[a->list[a->at[host]]])
		a->at[host]++;
	for (size_t i = a->at[host]; i < end; i++) {
		const struct pl_meet *meet = &a->meet[a->list[i]];

		if (!a->begun[a->list[i]] && a->busy[meet->a] == PL_AGENDA_NONE &&
		    a->busy[meet->b] == PL_AGENDA_NONE)
			return a->list[i];
	}
	return PL_AGENDA_NONE;
}

static void begin(struct play *p, size_t host)
{
	const int64_t begun_ns = pl_clock_ns();
	const size_t walked = p->plain ? walk(&p->a, host) : PL_AGENDA_NONE;
	const int64_t walked_ns = pl_clock_ns();
	const size_t n_free = p->a.n_free;
	const size_t k = pl_agenda_begin(&p->a, host);

	p->begin_ns += (p->plain ? walked_ns : pl_clock_ns()) - begun_ns;
	p->n_asked++;
	p->n_seen += n_free;
	if (p->plain && walked != k)
		p->digest = 0; /* which no other run has */
	if (k == PL_AGENDA_NONE)
		return;
	p->digest = (p->digest ^ k) * UINT64_C(0x100000001b3);
	push(&p->heap, (struct event){p->now + p->took[k], k});
}

static int play(struct play *p, const struct pl_meet *v, size_t m, size_t n, struct pl_err *err)
{
	p->digest = UINT64_C(0xcbf29ce484222325);
	p->heap.v = pl_array_create(n, sizeof(*p->heap.v));
	if (!p->heap.v)
		return pl_err_nomem(err);
	if (pl_agenda_init(&p->a, v, m, n, err)) {
		free(p->heap.v);
		return -1;
	}
	for (size_t h = 0; h < n; h++)
		begin(p, h);
	while (p->heap.n > 0) {
		const struct event e = pop(&p->heap);
		const struct pl_meet meet = p->a.meet[e.k];

		p->now = e.ends;
		pl_agenda_end(&p->a, e.k);
		begin(p, meet.a);
		begin(p, meet.b);
	}
	pl_agenda_fini(&p->a);
	free(p->heap.v);
	return 0;
}

static void show(const struct play *p, size_t run)
{
	printf("run %zu  %-6s  %8.1f ms  %7.0f ns to ask  %5.1f free  pairs %016" PRIx64 "\n", run,
	       p->plain ? "walk" : "agenda", (double)p->begin_ns / 1e6,
	       (double)p->begin_ns / (double)p->n_asked, (double)p->n_seen / (double)p->n_asked,
	       p->digest);
}

/* All pairs, and what the k-th of them takes once they are by round. */
static int draw(struct pl_meet *v, double *took, size_t n, double far, struct pl_err *err)
{
	struct pl_rng rng;
	size_t m = 0, n_rounds;

	pl_rng_init(&rng, 1, 0);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n; j++)
			v[m++] = (struct pl_meet){.a = i, .b = j};
	if (pl_rounds_assign(v, m, n, &n_rounds, err))
		return -1;
	for (size_t k = 0; k < m; k++)
		took[k] = (v[k].a % GROUPS == v[k].b % GROUPS ? 1 : far) *
			  (1 + pl_rng_double(&rng) / 2);
	return 0;
}

static int compare(size_t n, size_t n_runs, double far, struct pl_err *err)
{
	const size_t m = n * (n - 1) / 2;
	struct pl_meet *v = pl_array_create(m, sizeof(*v));
	double *took = pl_array_create(m, sizeof(*took));
	uint64_t digest = 0;
	int status = !v || !took ? pl_err_nomem(err) : draw(v, took, n, far, err);

	for (size_t i = 0; !status && i < 2 * n_runs; i++) {
		struct play p = {.plain = i % 2 == 0, .took = took};

		status = play(&p, v, m, n, err);
		if (status)
			break;
		show(&p, i / 2 + 1);
		digest = i == 0 ? p.digest : digest;
		if (p.digest != digest || digest == 0)
			status = pl_err_set(err, PL_EPARTIAL, "they began other pairs");
	}
	free(took);
	free(v);
	return status;
}

int main(int argc, char **argv)
{
	int64_t value[] = {1000, 3, 10};
	struct pl_err err = {0};

	pl_tool_begin();
	for (int i = 1; i < argc; i++)
		if (i > 3 || pl_int_parse(argv[i], strlen(argv[i]), 1, HOSTS_MAX, &value[i - 1]))
			return pl_tool_usage(
				"agenda",
				"agenda [HOSTS [RUNS [FAR]]], numbers from 1 to %d, not \"%s\"",
				HOSTS_MAX, argv[i]);
	if (compare((size_t)value[0], (size_t)value[1], (double)value[2], &err))
		return pl_tool_fail("agenda", &err);
	return pl_tool_end_output("agenda");
}
