/* SPDX-License-Identifier: BSD-3-Clause */
/* slice.c - the way of one slice of the buffer through an all-reduce */
#include "config.h"

#include "engine/slice.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_slice_fini(struct pl_slice *p)
{
	free(p->transfer);
	memset(p, 0, sizeof(*p));
}

int pl_slice_append(struct pl_slice *p, struct pl_slice_transfer t)
{
	void *array = p->transfer;

	if (pl_array_grow(&array, &p->room, p->n_transfers, sizeof(t)))
		return -1;
	p->transfer = array;
	p->transfer[p->n_transfers++] = t;
	return 0;
}

/* How often each rank's contribution is in what each rank has; counts above
 * 255 stay there. */
struct run {
	size_t n;         /* ranks */
	size_t n_all;     /* and aggregators */
	uint8_t *has;     /* [n_all * n], of one rank in a row */
	uint8_t *carried; /* [carried_room * n]: what the transfers of a
			   * round take */
	size_t carried_room;
	bool *stored, *took; /* [n_all], in this round */
};

static void run_fini(struct run *r)
{
	free(r->has);
	free(r->carried);
	free(r->stored);
	free(r->took);
}

static int run_init(struct run *r, size_t n, size_t n_aggregators)
{
	*r = (struct run){.n = n, .n_all = n + n_aggregators};
	r->has = pl_array_create(r->n_all, n);
	r->stored = pl_array_create(r->n_all, sizeof(*r->stored));
	r->took = pl_array_create(r->n_all, sizeof(*r->took));
	return r->has && r->stored && r->took ? 0 : -1;
}

/* The end of the round that begins with transfer @first. */
static size_t round_end(const struct pl_slice *p, size_t first)
{
	size_t end = first;

	while (end < p->n_transfers && p->transfer[end].round == p->transfer[first].round)
		end++;
	return end;
}

static int take_all(struct run *r, const struct pl_slice *p, size_t first, size_t end)
{
	if (end - first > r->carried_room) {
		free(r->carried);
		r->carried_room = end - first;
		r->carried = pl_array_create(r->carried_room, r->n);
		if (!r->carried)
			return -1;
	}
	for (size_t i = first; i < end; i++)
		memcpy(r->carried + (i - first) * r->n, r->has + p->transfer[i].src * r->n, r->n);
	return 0;
}

static void deliver(struct run *r, const struct pl_slice_transfer *t, const uint8_t *carried)
{
	uint8_t *has = r->has + t->dst * r->n;

	for (size_t k = 0; k < r->n; k++) {
		const unsigned sum = (t->adds ? has[k] : 0U) + carried[k];

		has[k] = sum < UINT8_MAX ? (uint8_t)sum : UINT8_MAX;
	}
}

static bool is_empty(const struct run *r, size_t rank)
{
	const uint8_t *has = r->has + rank * r->n;

	return has[0] == 0 && memcmp(has, has + 1, r->n - 1) == 0;
}

/* Does each rank of the round either add or store one thing? */
static int check_round(struct run *r, const struct pl_slice *p, size_t first, size_t end,
		       struct pl_err *err)
{
	memset(r->stored, 0, r->n_all * sizeof(*r->stored));
	memset(r->took, 0, r->n_all * sizeof(*r->took));
	for (size_t i = first; i < end; i++) {
		const struct pl_slice_transfer *t = &p->transfer[i];

		if (t->src >= r->n_all || t->dst >= r->n_all || t->src == t->dst)
			return pl_err_set(err, PL_EINPUT,
					  "a transfer from rank %u to rank %u, of %zu ranks",
					  t->src, t->dst, r->n_all);
		if (t->src >= r->n && is_empty(r, t->src))
			return pl_err_set(err, PL_EINPUT,
					  "aggregator %u sends in round %u, before it has anything",
					  t->src, t->round);
		if (r->stored[t->dst] || (!t->adds && r->took[t->dst]))
			return pl_err_set(err, PL_EINPUT,
					  "rank %u stores in round %u, and takes something else",
					  t->dst, t->round);
		r->stored[t->dst] = !t->adds;
		r->took[t->dst] = true;
	}
	if (end < p->n_transfers && p->transfer[end].round < p->transfer[first].round)
		return pl_err_set(err, PL_EINPUT, "round %u after round %u", p->transfer[end].round,
				  p->transfer[first].round);
	return 0;
}

static int check_end(const struct run *r, uint32_t owner, struct pl_err *err)
{
	for (size_t i = 0; i < r->n * r->n; i++) {
		const unsigned wanted = owner == PL_SLICE_ALL || i % r->n == owner;

		if (r->has[i] == wanted)
			continue;
		if (r->has[i] == 0)
			return pl_err_set(err, PL_EINPUT,
					  "rank %zu ends without what rank %zu contributes",
					  i / r->n, i % r->n);
		return pl_err_set(err, PL_EINPUT,
				  "rank %zu ends with what rank %zu contributes %u times", i / r->n,
				  i % r->n, r->has[i]);
	}
	return 0;
}

static int play(struct run *r, const struct pl_slice *p, struct pl_err *err)
{
	for (size_t first = 0, end; first < p->n_transfers; first = end) {
		end = round_end(p, first);
		if (check_round(r, p, first, end, err))
			return -1;
		if (take_all(r, p, first, end))
			return pl_err_nomem(err);
		for (size_t i = first; i < end; i++)
			deliver(r, &p->transfer[i], r->carried + (i - first) * r->n);
	}
	return 0;
}

int pl_slice_check(const struct pl_slice *p, size_t n_ranks, size_t n_aggregators, uint32_t owner,
		   struct pl_err *err)
{
	struct run r;
	int rc;

	if (run_init(&r, n_ranks, n_aggregators)) {
		run_fini(&r);
		return pl_err_nomem(err);
	}
	for (size_t k = 0; k < n_ranks; k++)
		r.has[k * n_ranks + k] = owner == PL_SLICE_ALL || k == owner;
	rc = play(&r, p, err);
	if (rc == 0)
		rc = check_end(&r, owner, err);
	run_fini(&r);
	return rc;
}
