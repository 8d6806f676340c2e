/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-reduce.c - reduce: what MPICH takes, and among which ranks */
/*
 * Where hosts have several ranks, of short messages:
 *
 *   0 <-- 1   4 <-- 5     in all hosts but the root's
 *   0 ------> 2 <---- 4   among the leaders
 *             2 --> 3     in the root's host
 *
 * Of longer ones, in all hosts, among the leaders to rank 0, and from there to
 * the root.
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#define SHORT_BYTES 2048

static bool is_short(size_t n, uint64_t bytes, uint64_t element_bytes)
{
	return bytes <= SHORT_BYTES || bytes / element_bytes < pl_fold(n, 0).n;
}

void pl_mpich_reduce_part(const struct pl_mpich_rank *r)
{
	if (is_short(r->n, r->bytes, r->element_bytes))
		pl_mpich_reduce_binomial_part(r);
	else
		pl_mpich_reduce_scatter_gather_part(r);
}

static void to_root(const struct pl_mpich_rank *r)
{
	pl_script_data(r->s, 0, PL_STORES);
	if (r->rank == 0)
		pl_mpich_send(r, r->root, r->bytes);
	else if (r->rank == r->root)
		pl_mpich_recv(r, 0, r->bytes);
}

static int by_first(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		    struct pl_err *err)
{
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = part},
		{.level = PL_MPICH_LEADERS, .part = part, .in_place = true},
		{.level = PL_MPICH_ALL, .part = to_root, .root = call->root},
	};

	return pl_mpich_phases(s, call, phases, call->root == 0 ? 2 : 3, err);
}

static int by_host(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		   struct pl_err *err)
{
	const size_t host = pl_mpich_host(call, call->root);
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = part, .but_host = host + 1},
		{.level = PL_MPICH_LEADERS, .part = part, .root = host},
		{.level = PL_MPICH_HOST,
		 .part = part,
		 .root = pl_mpich_local(call, call->root),
		 .only_host = host + 1},
	};

	return pl_mpich_phases(s, call, phases, 3, err);
}

int pl_mpich_reduce(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		    struct pl_err *err)
{
	if (pl_mpich_check_count(call, err))
		return -1;
	if (call->bytes == 0)
		return 0;
	if (!pl_mpich_is_parent(call))
		return pl_mpich_flat(s, call, part, err);
	if (call->bytes <= SHORT_BYTES)
		return by_host(s, call, part, err);
	return by_first(s, call, part, err);
}

static int as_decided(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_reduce(s, call, pl_mpich_reduce_part, err);
}

/* As of broadcast. */
static const struct pl_algorithm by_level[] = {
	{PL_REDUCE, PL_MPICH, "binomial", "up a binomial tree", .generate = as_decided,
	 .weigh = pl_mpich_weigh},
	{PL_REDUCE, PL_MPICH, "reduce-scatter-gather",
	 "halves exchanged at distances 1, 2, ..., then gathered", .generate = as_decided,
	 .weigh = pl_mpich_weigh},
};

const struct pl_algorithm *pl_mpich_decide_reduce(const struct pl_call *call,
						  struct pl_call *decided)
{
	const size_t n = pl_mpich_hosts(call);
	const bool binomial = is_short(n, call->bytes, call->element_bytes);

	(void)decided;
	if (pl_mpich_is_parent(call))
		return &by_level[binomial ? 0 : 1];
	return pl_catalogue_named(PL_REDUCE, PL_MPICH,
				  binomial ? "binomial" : "reduce-scatter-gather");
}
