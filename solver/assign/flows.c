/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - a job's flows by position, and the slots of its hosts */
#include "config.h"

#include "solver/assign/flows.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t slots_of(const struct pl_assign_problem *p, size_t host)
{
	const size_t slots = p->slots ? p->slots[host] : 1;

	return slots < p->n_pos ? slots : p->n_pos;
}

static int number_slots(struct pl_assign_flows *f, const struct pl_assign_problem *p,
			struct pl_err *err)
{
	for (size_t h = 0; h < f->n_hosts; h++) {
		f->slot[h + 1] = f->slot[h] + slots_of(p, h);
		if (f->slot[h + 1] >= UINT32_MAX)
			return pl_err_set(err, PL_EUSAGE, "too many slots");
	}
	f->n_slots = f->slot[f->n_hosts];
	if (f->n_slots < p->n_pos)
		return pl_err_set(err, PL_EUSAGE, "%zu positions, but %zu slots", p->n_pos,
				  f->n_slots);
	return 0;
}

static int check_hosts(const struct pl_assign_flows *f, const size_t *host_at, struct pl_err *err)
{
	size_t *left = pl_array_create(f->n_hosts, sizeof(*left));
	int rc = 0;

	if (!left)
		return pl_err_nomem(err);
	for (size_t h = 0; h < f->n_hosts; h++)
		left[h] = f->slot[h + 1] - f->slot[h];
	for (size_t p = 0; rc == 0 && p < f->n_pos; p++) {
		if (host_at[p] >= f->n_hosts)
			rc = pl_err_set(err, PL_EUSAGE, "position %zu: no host %zu", p, host_at[p]);
		else if (left[host_at[p]]-- == 0)
			rc = pl_err_set(err, PL_EUSAGE, "host %zu: more positions than slots",
					host_at[p]);
	}
	free(left);
	return rc;
}

/* Does it count? Flows of nothing and those of a position to itself do
 * not. */
static bool counts(const struct pl_assign_flow *x)
{
	return x->src != x->dst && (x->messages > 0 || x->bytes > 0);
}

/* @at: where the next peer of a position goes. */
static void add_peer(struct pl_assign_flows *f, size_t *at, uint32_t pos,
		     struct pl_assign_peer peer)
{
	f->peer[at[pos]++] = peer;
}

static int by_pos(const void *a, const void *b)
{
	const struct pl_assign_peer *x = a, *y = b;

	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

static void add(struct pl_assign_load *to, struct pl_assign_load load)
{
	to->messages += load.messages;
	to->bytes += load.bytes;
}

/* Makes one of all entries of a peer, and moves the positions' lists
 * together. */
static void merge(struct pl_assign_flows *f)
{
	size_t used = 0;

	for (size_t p = 0; p < f->n_pos; p++) {
		const size_t begin = f->first[p], end = f->first[p + 1];

		qsort(f->peer + begin, end - begin, sizeof(*f->peer), by_pos);
		f->first[p] = used;
		for (size_t k = begin; k < end; k++) {
			const struct pl_assign_peer x = f->peer[k];

			if (used > f->first[p] && f->peer[used - 1].pos == x.pos) {
				add(&f->peer[used - 1].out, x.out);
				add(&f->peer[used - 1].in, x.in);
			} else {
				f->peer[used++] = x;
			}
		}
	}
	f->first[f->n_pos] = used;
}

static int list_peers(struct pl_assign_flows *f, const struct pl_assign_problem *p,
		      struct pl_err *err)
{
	size_t *at = pl_array_create(f->n_pos, sizeof(*at));

	for (size_t k = 0; k < p->n_flows; k++)
		if (counts(&p->flow[k])) {
			f->first[p->flow[k].src + 1]++;
			f->first[p->flow[k].dst + 1]++;
		}
	for (size_t q = 0; q < f->n_pos; q++)
		f->first[q + 1] += f->first[q];
	f->peer = pl_array_create(f->first[f->n_pos], sizeof(*f->peer));
	if (!at || !f->peer) {
		free(at);
		return pl_err_nomem(err);
	}
	memcpy(at, f->first, f->n_pos * sizeof(*at));
	for (size_t k = 0; k < p->n_flows; k++) {
		const struct pl_assign_flow x = p->flow[k];
		const struct pl_assign_load load = {x.messages, x.bytes};

		if (!counts(&x))
			continue;
		add_peer(f, at, x.src, (struct pl_assign_peer){.pos = x.dst, .out = load});
		add_peer(f, at, x.dst, (struct pl_assign_peer){.pos = x.src, .in = load});
	}
	merge(f);
	free(at);
	return 0;
}

static int check_flows(const struct pl_assign_problem *p, struct pl_err *err)
{
	if (p->n_pos >= UINT32_MAX)
		return pl_err_set(err, PL_EUSAGE, "too many positions");
	for (size_t k = 0; k < p->n_flows; k++)
		if (p->flow[k].src >= p->n_pos || p->flow[k].dst >= p->n_pos)
			return pl_err_set(err, PL_EUSAGE, "flow %zu: no such position", k);
	return 0;
}

static double mean(const double *m, size_t n)
{
	double sum = 0;

	for (size_t k = 0; m && k < n * n; k++)
		sum += m[k];
	return n > 0 ? sum / (double)(n * n) : 0;
}

int pl_assign_flows_init(struct pl_assign_flows *f, const struct pl_assign_problem *problem,
			 const size_t *host_at, struct pl_err *err)
{
	int rc = -1;

	*f = (struct pl_assign_flows){
		.n_pos = problem->n_pos,
		.n_hosts = problem->costs->n,
		.c = problem->costs->c,
		.per_byte = problem->costs->per_byte,
		.mean = mean(problem->costs->c, problem->costs->n),
		.mean_per_byte = mean(problem->costs->per_byte, problem->costs->n),
	};
	if (check_flows(problem, err))
		return -1;
	f->first = pl_array_create(f->n_pos + 1, sizeof(*f->first));
	f->slot = pl_array_create(f->n_hosts + 1, sizeof(*f->slot));
	if (!f->first || !f->slot)
		pl_err_nomem(err);
	else if (number_slots(f, problem, err) == 0 &&
		 (!host_at || check_hosts(f, host_at, err) == 0))
		rc = list_peers(f, problem, err);
	if (rc)
		pl_assign_flows_fini(f);
	return rc;
}

void pl_assign_flows_fini(struct pl_assign_flows *f)
{
	free(f->first);
	free(f->peer);
	free(f->slot);
	memset(f, 0, sizeof(*f));
}

double pl_assign_cost(const struct pl_assign_problem *problem, const size_t *host_at)
{
	const struct pl_costs *costs = problem->costs;
	double sum = 0;

	for (size_t k = 0; k < problem->n_flows; k++) {
		const struct pl_assign_flow *x = &problem->flow[k];
		const size_t cell = host_at[x->src] * costs->n + host_at[x->dst];

		sum += x->messages * costs->c[cell];
		if (costs->per_byte)
			sum += x->bytes * costs->per_byte[cell];
	}
	return sum;
}
