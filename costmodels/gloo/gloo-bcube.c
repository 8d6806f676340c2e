/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-bcube.c - gloo::allreduce() by BCUBE: halving by twos, the rest at
 * once */
/*
 *   N = 12 = 2 * 2 * 3
 *   step 0   0=1 2=3 4=5 6=7 8=9 10=11    half of the buffer each
 *   step 1   0=2 1=3 4=6 5=7 8=10 9=11    a quarter
 *   step 2   0=4=8 1=5=9 2=6=10 3=7=11    a twelfth, each to both others
 *   ... and the same in reverse to gather
 *
 * What textbooks do not have: the base is 2 and nothing else; what remains of N
 * without its twos is one single group in which all send to all (N odd: no
 * hypercube at all). Parts are rounded up, and the empty ones at the end are
 * sent as messages of no bytes. No notifications (unbound buffers).
 *
 * "bcube" is this; "bcube:B" is the class AllreduceBcube of base B
 * (gloo-bcube-class.c), another algorithm.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

#define STEPS_MAX 32

/* A rank's group in one step. */
struct group {
	size_t size, distance, first, mine; /* mine: this rank's place in it */
	/* elements: the first that it divides, their number, at most so many
	 * to a part */
	uint64_t at, length, part;
};

static struct pl_gloo_part part(const struct group *g, size_t i)
{
	const uint64_t before = i * g->part;
	uint64_t count = g->part;

	if (before >= g->length)
		count = 0;
	else if (g->length - before < count)
		count = g->length - before;
	return (struct pl_gloo_part){g->at + before, count};
}

static unsigned find_groups(struct group *g, size_t rank, const struct pl_call *call)
{
	struct pl_gloo_part own = {0, call->bytes / call->element_bytes};
	size_t left = call->n_pos, distance = 1;
	unsigned n = 0;

	while (left > 1) {
		const size_t size = left % 2 == 0 ? 2 : left;
		const size_t mine = rank / distance % size;

		g[n] = (struct group){.size = size,
				      .distance = distance,
				      .first = rank - mine * distance,
				      .mine = mine,
				      .at = own.at,
				      .length = own.count,
				      .part = (own.count + size - 1) / size};
		own = part(&g[n], mine);
		distance *= size;
		left /= size;
		n++;
	}
	return n;
}

/* Each peer sends the part that its receiver answers for, or, to gather, its
 * own. */
static void exchange(struct pl_script *s, const struct group *g, bool gathers,
		     const struct pl_call *call)
{
	const uint64_t e = call->element_bytes;

	for (size_t i = 0; i < g->size; i++) {
		const struct pl_gloo_part in = part(g, gathers ? i : g->mine);

		pl_script_data(s, in.at * e, gathers ? PL_STORES : PL_ADDS);
		if (i != g->mine)
			pl_script_irecv(s, g->first + i * g->distance, in.count * e);
	}
	for (size_t i = 0; i < g->size; i++) {
		const struct pl_gloo_part out = part(g, gathers ? g->mine : i);

		pl_script_send_at(s, out.at * e);
		if (i != g->mine)
			pl_script_isend(s, g->first + i * g->distance, out.count * e);
	}
	pl_script_wait_all(s);
	if (!gathers)
		pl_script_reduce(s, (g->size - 1) * part(g, g->mine).count * e);
}

int pl_gloo_bcube(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct group group[STEPS_MAX];

	if (call->radix)
		return pl_gloo_bcube_class(s, call, err);
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		const unsigned n = find_groups(group, rank, call);

		pl_script_rank(s, rank);
		for (unsigned i = 0; i < n; i++) {
			pl_script_round(s, i);
			exchange(s, &group[i], false, call);
		}
		for (unsigned i = n; i-- > 0;) {
			pl_script_round(s, 2 * n - 1 - i);
			exchange(s, &group[i], true, call);
		}
	}
	return 0;
}
