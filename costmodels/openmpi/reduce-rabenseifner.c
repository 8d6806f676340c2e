/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-rabenseifner.c - reduce: reduce-scatter by halving, then a gather */
/*
 *   0 <-S/2-> 1   2 <-S/2-> 3     step k: halves of what is left are exchanged
 *   0 <-S/4-> 2   1 <-S/4-> 3     with rank XOR 2^k and added;
 *   2 --S/4-> 0   3 --S/4-> 1     then back, greatest distance first: those who
 *   1 --S/2-> 0                   stand on the root's side get the other's part
 *
 * (S: the buffer; the root is 0.) For 2^m ranks: m rounds of halving, m of
 * gathering; a rank sends and receives about S, the root receives about 2 S. An
 * odd half goes to the upper side.
 *
 * N is no power of two: of the first 2 (N - 2^m) ranks the even ones add the
 * odd one's data to theirs, half of it computed by the odd one and sent back
 * (two rounds more in front). Were the root one of these odd ones, it takes
 * over from rank 0 before the gather (a round more). Fewer elements than 2^m go
 * by the linear reduce.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <stdbool.h>

#define STEPS_MAX 32

struct job {
	struct pl_fold fold;
	size_t root;
	size_t n_steps;      /* fold.n is 2^n_steps */
	struct pl_range all; /* the buffer */
	uint64_t element_bytes;
	bool handed_over;         /* the root was folded away */
	uint32_t halving, gather; /* first rounds of the parts */
};

/* What a rank kept and gave away in each step. */
struct windows {
	struct pl_range kept[STEPS_MAX], given[STEPS_MAX];
};

static struct job job_of(const struct pl_call *call)
{
	struct job job = {
		.fold = pl_fold(call->n_pos, 0),
		.root = call->root,
		.all = {0, call->bytes},
		.element_bytes = call->element_bytes,
	};

	while ((size_t)1 << job.n_steps < job.fold.n)
		job.n_steps++;
	job.handed_over = pl_fold_folded(&job.fold, call->root) == SIZE_MAX;
	job.halving = job.fold.extra > 0 ? 2 : 0;
	job.gather = job.halving + (uint32_t)job.n_steps + job.handed_over;
	return job;
}

static struct windows windows_of(const struct job *job, size_t folded)
{
	struct windows w = {0};
	struct pl_range left = job->all;

	for (size_t step = 0; step < job->n_steps; step++) {
		const bool upper = folded >> step & 1;

		w.kept[step] = pl_openmpi_half(left, job->element_bytes, upper);
		w.given[step] = pl_openmpi_half(left, job->element_bytes, !upper);
		left = w.kept[step];
	}
	return w;
}

/* Of the pair of @rank, the even one ends with the sum of both. */
static void run_fold(struct pl_script *s, const struct job *job, size_t rank)
{
	const bool odd = rank % 2;
	const size_t peer = rank ^ 1;
	const struct pl_range mine = pl_openmpi_half(job->all, job->element_bytes, odd);
	const struct pl_range other = pl_openmpi_half(job->all, job->element_bytes, !odd);

	pl_script_round(s, 0);
	pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){peer, peer, other, mine, PL_ADDS});
	pl_script_reduce(s, mine.bytes);
	pl_script_round(s, 1);
	pl_script_data(s, odd ? mine.at : other.at, PL_STORES);
	if (odd)
		pl_script_send(s, peer, mine.bytes);
	else
		pl_script_recv(s, peer, other.bytes);
}

static void run_halving(struct pl_script *s, const struct job *job, const struct windows *w,
			size_t folded)
{
	for (size_t step = 0; step < job->n_steps; step++) {
		const size_t peer = pl_fold_unfold(&job->fold, folded ^ (size_t)1 << step);

		pl_script_round(s, job->halving + (uint32_t)step);
		pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){peer, peer, w->given[step],
								    w->kept[step], PL_ADDS});
		pl_script_reduce(s, w->kept[step].bytes);
	}
}

/* Rank 0 leaves its place to a root that was folded away. */
static void hand_over(struct pl_script *s, const struct job *job, size_t rank)
{
	const struct windows w = windows_of(job, 0);
	const struct pl_range part = w.kept[job->n_steps - 1];

	pl_script_round(s, job->gather - 1);
	pl_script_data(s, part.at, PL_STORES);
	if (rank == 0)
		pl_script_send(s, job->root, part.bytes);
	else
		pl_script_recv(s, 0, part.bytes);
}

static void run_gather(struct pl_script *s, const struct job *job, const struct windows *w,
		       size_t folded)
{
	const size_t root = job->handed_over ? 0 : pl_fold_folded(&job->fold, job->root);

	for (size_t step = job->n_steps; step-- > 0;) {
		const size_t peer = folded ^ (size_t)1 << step;
		const size_t rank = job->handed_over && peer == 0
					    ? job->root
					    : pl_fold_unfold(&job->fold, peer);

		pl_script_round(s, job->gather + (uint32_t)(job->n_steps - 1 - step));
		if (peer >> step == root >> step) {
			pl_script_data(s, w->kept[step].at, PL_STORES);
			pl_script_send(s, rank, w->kept[step].bytes);
			break;
		}
		pl_script_data(s, w->given[step].at, PL_STORES);
		pl_script_recv(s, rank, w->given[step].bytes);
	}
}

static void run_rank(struct pl_script *s, const struct job *job, size_t rank)
{
	size_t folded = pl_fold_folded(&job->fold, rank);
	struct windows w = windows_of(job, folded);

	pl_script_copy(s, job->all.bytes);
	if (rank < 2 * job->fold.extra)
		run_fold(s, job, rank);
	if (folded != SIZE_MAX)
		run_halving(s, job, &w, folded);
	if (job->handed_over && (rank == 0 || rank == job->root)) {
		hand_over(s, job, rank);
		folded = rank == 0 ? SIZE_MAX : 0;
		w = windows_of(job, 0);
	}
	if (folded != SIZE_MAX)
		run_gather(s, job, &w, folded);
}

int pl_openmpi_reduce_rabenseifner(struct pl_script *s, const struct pl_call *call,
				   struct pl_err *err)
{
	const struct job job = job_of(call);

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos < 2 || call->bytes / call->element_bytes < job.fold.n)
		return pl_openmpi_reduce_linear(s, call, err);
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		run_rank(s, &job, rank);
	}
	return 0;
}
