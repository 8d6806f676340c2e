/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-audit-rounds.c - jobs played on paper: bytes match, order is judged rightly */
#include "config.h"

#include "audit/pairs.h"
#include "audit/rounds.h"
#include "audit/verdict.h"
#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "tests/tap.h"

#include <stdlib.h>

#define NEVER INT64_MAX
#define REPEAT 3
#define NODES_MAX 16

/* Bytes that pass from one node to another at once. */
struct parcel {
	int64_t left, arrived;
	uint64_t bytes;
	uint32_t src, dst;
};

struct play {
	const struct pl_pattern *p;
	const struct pl_wire *wire;
	uint64_t eager_bytes;
	struct pl_rng rng;
	struct pl_placement job;
	int64_t *left, *arrived;            /* [n_messages], of this repetition */
	int64_t last[NODES_MAX][NODES_MAX]; /* no parcel overtakes another */
	int64_t now;                        /* all before this repetition is over */
	struct parcel *parcel;
	size_t n_parcels;
	size_t early; /* message to be sent before its time; n_messages: none */
	bool has_been_early;
};

static void *array(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

static uint64_t wire_bytes(const struct play *x, size_t message)
{
	const struct pl_message *m = &x->p->message[message];

	return m->bytes + x->wire->overhead(m, x->eager_bytes).forward;
}

/* When all that the message waits for is there; NEVER: not yet known. Messages of fewer bytes than
 * @least do not count. */
static int64_t ready(const struct play *x, size_t message, uint64_t least)
{
	const struct pl_message *m = &x->p->message[message];
	int64_t at = x->now;

	for (size_t i = x->p->into[m->src]; i < x->p->into[m->src + 1]; i++) {
		const uint32_t other = x->p->received[i];

		if (x->p->message[other].received_step >= m->send_step ||
		    wire_bytes(x, other) < least)
			continue;
		if (x->arrived[other] == NEVER)
			return NEVER;
		if (x->arrived[other] > at)
			at = x->arrived[other];
	}
	return at;
}

/* Sends so many bytes at @at or soon after; gives when they are there. */
static int64_t post(struct play *x, uint32_t src, uint32_t dst, uint64_t bytes, int64_t at)
{
	struct parcel *p = &x->parcel[x->n_parcels++];
	int64_t *last = &x->last[src][dst];

	if (*last > at)
		at = *last;
	*p = (struct parcel){at, 0, bytes, src, dst};
	p->arrived = at + 10 + (int64_t)pl_rng_below(&x->rng, 100);
	*last = p->arrived;
	return p->arrived;
}

/* A message in two parcels, where it has bytes for them, and what comes back for it in between. */
static void send_message(struct play *x, size_t message, int64_t at)
{
	const struct pl_message *m = &x->p->message[message];
	const struct pl_overhead extra = x->wire->overhead(m, x->eager_bytes);
	const uint64_t bytes = wire_bytes(x, message);
	const uint64_t first = bytes > 1 ? 1 + pl_rng_below(&x->rng, bytes - 1) : bytes;

	/* it waits for what can be seen */
	if (message == x->early && bytes && at > x->now + 1 && at == ready(x, message, 1) &&
	    x->last[m->src][m->dst] < at) {
		at--;
		x->has_been_early = true;
	} else if (message != x->early) {
		at += 1 + (int64_t)pl_rng_below(&x->rng, 50);
	}
	x->left[message] = at;
	x->arrived[message] = post(x, m->src, m->dst, first, at);
	at = x->arrived[message] + 1;
	if (extra.back)
		at = post(x, m->dst, m->src, extra.back, at);
	if (bytes > first)
		x->arrived[message] = post(x, m->src, m->dst, bytes - first, at + 1);
}

/* Messages of a rank leave in the order in which it posts them. */
static void play_once(struct play *x)
{
	size_t next[NODES_MAX], left = x->p->n_messages;

	for (size_t i = 0; i < x->p->n_messages; i++)
		x->left[i] = x->arrived[i] = NEVER;
	for (size_t pos = 0; pos < x->p->n_pos; pos++)
		next[pos] = x->p->from[pos];
	while (left > 0)
		for (size_t pos = 0; pos < x->p->n_pos; pos++) {
			int64_t at;

			if (next[pos] == x->p->from[pos + 1] ||
			    (at = ready(x, next[pos], 0)) == NEVER)
				continue;
			send_message(x, next[pos]++, at);
			left--;
		}
	for (size_t i = 0; i < x->p->n_messages; i++)
		if (x->arrived[i] >= x->now)
			x->now = x->arrived[i] + 1;
	x->early = x->p->n_messages;
}

static int by_left(const void *a, const void *b)
{
	const struct parcel *x = a, *y = b;

	return x->left < y->left ? -1 : x->left > y->left;
}

static void put_point(struct pl_line_of_time *line, int64_t ns, uint64_t bytes)
{
	if (line->n == line->room) {
		line->room = line->room ? 2 * line->room : 64;
		line->point = realloc(line->point, line->room * sizeof(*line->point));
		if (!line->point)
			abort();
	}
	if (line->n)
		bytes += line->point[line->n - 1].bytes;
	line->point[line->n++] = (struct pl_point){ns, bytes};
}

/* What captures would have told, each host's by a clock of its own. */
static void see(struct play *x, struct pl_audit_pairs *pairs)
{
	qsort(x->parcel, x->n_parcels, sizeof(*x->parcel), by_left);
	for (size_t i = 0; i < x->n_parcels; i++) {
		const struct parcel *p = &x->parcel[i];
		struct pl_audit_pair *pair = pl_pairs_get(pairs, p->src, p->dst);

		if (!pair)
			abort();
		if (!p->bytes)
			continue;
		pair->seen_bytes += p->bytes;
		put_point(&pair->left, p->left + 1000000 * p->src, p->bytes);
		put_point(&pair->arrived, p->arrived + 1000000 * p->dst, p->bytes);
		pair->left.trace = p->src;
		pair->arrived.trace = p->dst;
	}
}

/* Plays a job and judges it. */
static void play(struct play *x, struct pl_rounds *rounds, struct pl_audit_verdict *verdict)
{
	const struct pl_expectation e = {
		.job = &x->job, .wire = x->wire, .eager_bytes = x->eager_bytes, .repeat = REPEAT};
	const struct pl_audit_tolerance exact = {0, 0};
	struct pl_audit_pairs pairs = {0};

	if (pl_placement_of_ranks(&x->job, x->p->n_pos, NULL))
		abort();
	x->left = array(x->p->n_messages, sizeof(*x->left));
	x->arrived = array(x->p->n_messages, sizeof(*x->arrived));
	x->parcel = array(3 * REPEAT * x->p->n_messages, sizeof(*x->parcel));
	for (int i = 0; i < REPEAT; i++)
		play_once(x);
	see(x, &pairs);
	if (pl_pairs_expect(&pairs, x->p, &e, NULL) || pl_pairs_sort(&pairs, NULL))
		abort();
	pl_verdict_reach(verdict, &pairs, &exact, false);
	if (pl_rounds_check(rounds, &pairs, x->p, &e, NULL))
		abort();
	pl_pairs_fini(&pairs);
	pl_placement_fini(&x->job);
	free(x->left);
	free(x->arrived);
	free(x->parcel);
}

static bool is_match(const struct pl_audit_verdict *v)
{
	size_t n_off = 0;

	for (size_t state = PL_PAIR_MATCH + 1; state < PL_PAIR_STATES; state++)
		n_off += v->n[state];
	return n_off == 0;
}

struct tally {
	int played, differ, early, blind, sabotaged, missed, others;
};

static void one_job(struct tally *t, const struct pl_pattern *p, const struct pl_wire *wire,
		    uint64_t seed, bool sabotage)
{
	struct play x = {.p = p, .wire = wire, .eager_bytes = 2000};
	struct pl_rounds rounds;
	struct pl_audit_verdict verdict;
	size_t chosen;

	pl_rng_init(&x.rng, seed, 0);
	chosen = x.early = sabotage ? pl_rng_below(&x.rng, p->n_messages) : p->n_messages;
	play(&x, &rounds, &verdict);
	t->played++;
	t->differ += !is_match(&verdict);
	t->blind += rounds.unchecked > 0;
	if (!x.has_been_early) {
		t->early += rounds.n_early > 0;
		return;
	}
	t->sabotaged++;
	t->missed += rounds.n_early == 0;
	t->others += rounds.n_early != 1 || rounds.first.message != chosen ||
		     rounds.first.repetition != 0 ||
		     rounds.first.awaited_ns - rounds.first.sent_ns != 1;
}

/* Every algorithm there is, on a few ranks. */
static void all_jobs(struct tally *t, const struct pl_wire *wire, bool sabotage)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		for (size_t n = 2; n <= 9; n++) {
			const struct pl_call call = {.n_pos = n, .bytes = 9240};
			struct pl_pattern p;

			if (pl_algorithm_pattern(a, &call, &p, NULL))
				continue; /* not for so many ranks */
			if (p.n_messages)
				one_job(t, &p, wire, 100 * i + n, sabotage);
			pl_pattern_fini(&p);
		}
}

int main(void)
{
	static const char *const wires[] = {"plain", "openmpi", "gloo"};
	struct tally t;

	for (size_t i = 0; i < 3; i++) {
		t = (struct tally){0};
		all_jobs(&t, pl_wire_find(wires[i], NULL), false);
		printf("# %s: %d jobs\n", wires[i], t.played);
		ok(t.played > 100, "%s: jobs of every algorithm", wires[i]);
		is_int(t.differ, 0, "each byte is expected");
		is_int(t.early, 0, "nothing is too early");
		is_int(t.blind, 0, "nothing is left unchecked");
	}
	t = (struct tally){0};
	all_jobs(&t, pl_wire_find("plain", NULL), true);
	printf("# %d of %d jobs with a message too early\n", t.sabotaged, t.played);
	ok(t.sabotaged > 20, "messages sent too early");
	is_int(t.missed, 0, "each is seen");
	is_int(t.others, 0, "and it alone, by the time that it is early");
	return done_testing();
}
