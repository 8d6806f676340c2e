/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-collectives.c - LightGBM's collectives, made of their halves */
/*
 * All-reduce is a reduce-scatter and then an all-gather, each with an algorithm
 * of its own; or, of small buffers, one all-gather of the whole buffers, which
 * each rank then adds up by itself: N bytes where 2 would do, but half the
 * rounds.
 */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

typedef void runner(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b);

static int check_power(const struct pl_call *call, struct pl_err *err)
{
	if (pl_lightgbm_power_of_two(call->n_pos))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "LightGBM uses recursive doubling only if the number "
			  "of ranks is a power of two, not for %zu; it takes "
			  "Bruck's algorithm instead",
			  call->n_pos);
}

/* @scatter in @rounds rounds, then @gather. */
static int reduce_all(struct pl_script *s, const struct pl_call *call, runner *scatter,
		      uint32_t rounds, runner *gather, struct pl_err *err)
{
	struct pl_lightgbm_blocks b = pl_lightgbm_cut(call);

	if (pl_lightgbm_check(call->bytes, err))
		return -1;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		b.first_round = 0;
		scatter(s, rank, &b);
		b.first_round = rounds;
		gather(s, rank, &b);
	}
	return 0;
}

int pl_lightgbm_halving_doubling(struct pl_script *s, const struct pl_call *call,
				 struct pl_err *err)
{
	if (check_power(call, err))
		return -1;
	return reduce_all(s, call, pl_lightgbm_run_halving, pl_lightgbm_halving_rounds(call->n_pos),
			  pl_lightgbm_run_doubling, err);
}

int pl_lightgbm_halving_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return reduce_all(s, call, pl_lightgbm_run_halving, pl_lightgbm_halving_rounds(call->n_pos),
			  pl_lightgbm_run_bruck, err);
}

int pl_lightgbm_halving_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return reduce_all(s, call, pl_lightgbm_run_halving, pl_lightgbm_halving_rounds(call->n_pos),
			  pl_lightgbm_run_ring, err);
}

int pl_lightgbm_ring_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return reduce_all(s, call, pl_lightgbm_run_scatter_ring, (uint32_t)(call->n_pos - 1),
			  pl_lightgbm_run_bruck, err);
}

int pl_lightgbm_ring_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return reduce_all(s, call, pl_lightgbm_run_scatter_ring, (uint32_t)(call->n_pos - 1),
			  pl_lightgbm_run_ring, err);
}

/* The blocks of all ranks together are counted, too. */
static int check_all(const struct pl_call *call, struct pl_err *err)
{
	if (pl_lightgbm_check(call->bytes, err))
		return -1;
	return pl_lightgbm_check(call->bytes * call->n_pos, err);
}

/* All-gathers @n_reduced of the ranks' buffers and adds them up. */
static int gather_all(struct pl_script *s, const struct pl_call *call, runner *gather,
		      size_t n_reduced, struct pl_err *err)
{
	const struct pl_lightgbm_blocks b = pl_lightgbm_equal(call);

	if (check_all(call, err))
		return -1;
	pl_script_buffer(s, call->bytes, true);
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		gather(s, rank, &b);
		if (n_reduced) {
			pl_script_reduce(s, n_reduced * call->bytes);
			pl_script_copy(s, call->bytes);
		}
	}
	return 0;
}

int pl_lightgbm_gather_doubling(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (check_power(call, err))
		return -1;
	return gather_all(s, call, pl_lightgbm_run_doubling, call->n_pos - 1, err);
}

int pl_lightgbm_gather_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return gather_all(s, call, pl_lightgbm_run_bruck, call->n_pos - 1, err);
}

int pl_lightgbm_gather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return gather_all(s, call, pl_lightgbm_run_ring, call->n_pos - 1, err);
}

int pl_lightgbm_allgather_doubling(struct pl_script *s, const struct pl_call *call,
				   struct pl_err *err)
{
	if (check_power(call, err))
		return -1;
	return gather_all(s, call, pl_lightgbm_run_doubling, 0, err);
}

int pl_lightgbm_allgather_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return gather_all(s, call, pl_lightgbm_run_bruck, 0, err);
}

int pl_lightgbm_allgather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return gather_all(s, call, pl_lightgbm_run_ring, 0, err);
}

static int scatter_all(struct pl_script *s, const struct pl_call *call, runner *scatter,
		       struct pl_err *err)
{
	const struct pl_lightgbm_blocks b = pl_lightgbm_cut(call);

	if (pl_lightgbm_check(call->bytes, err))
		return -1;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		scatter(s, rank, &b);
	}
	return 0;
}

int pl_lightgbm_reduce_scatter_halving(struct pl_script *s, const struct pl_call *call,
				       struct pl_err *err)
{
	return scatter_all(s, call, pl_lightgbm_run_halving, err);
}

int pl_lightgbm_reduce_scatter_ring(struct pl_script *s, const struct pl_call *call,
				    struct pl_err *err)
{
	return scatter_all(s, call, pl_lightgbm_run_scatter_ring, err);
}

/* A block waits for nothing but itself: N - 1 of the N hops, @trips times. */
static int ring_shape(struct pl_shape *shape, size_t n, double trips, double bytes,
		      struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = n};
	return pl_shape_add_ring(
		shape, n, 1,
		(struct pl_hop){.times = trips * (double)(n - 1) / (double)n, .bytes = bytes}, err);
}

int pl_lightgbm_ring_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				struct pl_err *err)
{
	if (pl_lightgbm_check(call->bytes, err))
		return -1;
	return ring_shape(shape, call->n_pos, 2, (double)call->bytes / (double)call->n_pos, err);
}

int pl_lightgbm_allgather_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	if (check_all(call, err))
		return -1;
	return ring_shape(shape, call->n_pos, 1, (double)call->bytes, err);
}

int pl_lightgbm_reduce_scatter_ring_shape(struct pl_shape *shape, const struct pl_call *call,
					  struct pl_err *err)
{
	if (pl_lightgbm_check(call->bytes, err))
		return -1;
	return ring_shape(shape, call->n_pos, 1, (double)call->bytes / (double)call->n_pos, err);
}
