/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - how long an all-reduce of the MPI library takes, and is it right */
/*
 * The program is told nothing of the order or the algorithm: both come from outside, as for any MPI
 * program, and it reports what it finds. A block is a barrier and a number of all-reduces back to
 * back, each timed on every rank; the time of one is that of its slowest rank. Ranks leave one
 * all-reduce as skewed as they enter the next, so no rank's time alone would do, and the greatest
 * is never below what one costs in the long run. --per=block gives that: the block divided by its
 * all-reduces, as the ranks' mean. The greatest would be too long by the skew, shared among few
 * all-reduces. Ranks may be early in one and late in the next, so there are an even number of
 * them. A barrier skews ranks by up to a delay of the network, which takes some all-reduces to
 * wear off: there the warm-up comes between each barrier and what is timed.
 */
#include "config.h"

#include "bench/allreduce-args.h"
#include "bench/yield-block.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "src/common/tool.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* inputs are integers below: any order sums them exactly */
#define RESIDUES 64

/* The buffers of one size, and what the sum must be. */
struct job {
	int rank, n_ranks;
	float *in, *out;
	size_t n; /* elements */
};

static float input_of(int rank, size_t i, size_t block)
{
	return (float)(((size_t)rank + i + block) % RESIDUES);
}

static void fill(struct job *job, size_t block)
{
	for (size_t i = 0; i < job->n; i++) {
		job->in[i] = input_of(job->rank, i, block);
		job->out[i] = -1;
	}
}

/* Elements of the last all-reduce that are not the sum over all ranks. */
static long count_wrong(const struct job *job, size_t block)
{
	float sum[RESIDUES] = {0};
	long wrong = 0;

	for (size_t i = 0; i < RESIDUES; i++)
		for (int rank = 0; rank < job->n_ranks; rank++)
			sum[i] += input_of(rank, i, block);
	for (size_t i = 0; i < job->n; i++)
		wrong += job->out[i] != sum[i % RESIDUES];
	return wrong;
}

/* One all-reduce; gives its time on this rank in us. */
static double reduce(struct job *job)
{
	const int64_t start_ns = pl_clock_ns();

	MPI_Allreduce(job->in, job->out, (int)job->n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	return (double)(pl_clock_ns() - start_ns) / 1e3;
}

static void warm_up(struct job *job, const struct allreduce_args *args)
{
	for (int i = 0; i < args->warmup; i++)
		reduce(job);
}

/* Times of one block: one for each all-reduce, or one in all. */
static int times_in_block(const struct allreduce_args *args)
{
	return args->per_block ? 1 : args->iterations;
}

/* The all-reduces of a block, their times on this rank to
 * us[times_in_block()]. */
static void reduce_all(struct job *job, const struct allreduce_args *args, double *us)
{
	double sum = 0;

	for (int i = 0; i < args->iterations; i++) {
		us[args->per_block ? 0 : i] = reduce(job);
		sum += us[args->per_block ? 0 : i];
	}
	if (args->per_block)
		us[0] = sum / args->iterations;
}

/* One block. us[times_in_block()] becomes the times of each (on the slowest rank; of a block, the
 * ranks' mean) and *wrong grows by the wrong elements on all ranks, both on rank 0;
 * mine_us[times_in_block()] is room to work in. */
static void run_block(struct job *job, const struct allreduce_args *args, size_t block, double *us,
		      double *mine_us, long *wrong)
{
	long mine, all = 0;

	fill(job, block);
	if (args->per_block)
		MPI_Barrier(MPI_COMM_WORLD);
	if (args->per_block || block == 0)
		warm_up(job, args);
	if (!args->per_block)
		MPI_Barrier(MPI_COMM_WORLD);
	reduce_all(job, args, mine_us);
	mine = count_wrong(job, block);
	MPI_Reduce(mine_us, us, times_in_block(args), MPI_DOUBLE,
		   args->per_block ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);
	if (args->per_block)
		us[0] /= job->n_ranks;
	MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	*wrong += all;
}

static int job_init(struct job *job, size_t size_bytes)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job->n_ranks);
	job->n = size_bytes / sizeof(float);
	job->in = pl_array_create(job->n, sizeof(float));
	job->out = pl_array_create(job->n, sizeof(float));
	return job->in && job->out ? 0 : -1;
}

static void job_fini(struct job *job)
{
	free(job->in);
	free(job->out);
}

static void print_size(size_t size_bytes, const double *us, size_t n, double *sorted)
{
	memcpy(sorted, us, n * sizeof(*us));
	pl_sort_doubles(sorted, n);
	printf("%zu %.1f %.1f %.1f ", size_bytes, sorted[0], sorted[pl_percentile_index(n, 0.5)],
	       sorted[n - 1]);
	for (size_t i = 0; i < n; i++)
		printf("%s%.1f", i ? "," : "", us[i]);
	putchar('\n');
	fflush(stdout);
}

/* A sum whose rounding hangs on the order in which the library adds, of what hangs on the rank
 * alone: its bits (FNV-1a) are the same wherever ranks are the same. */
static void print_digest(struct job *job, size_t size_bytes)
{
	uint64_t bits = 0xcbf29ce484222325u;

	for (size_t i = 0; i < job->n; i++)
		job->in[i] = 1 / (float)(input_of(job->rank, i, 0) + 3);
	reduce(job);
	for (size_t i = 0; i < job->n * sizeof(float); i++)
		bits = (bits ^ ((const unsigned char *)job->out)[i]) * 0x100000001b3u;
	if (job->rank == 0)
		printf("# digest %zu %016" PRIx64 "\n", size_bytes, bits);
}

/* How often, where a block may take args->block_ms: by the slower of two all-reduces on rank 0. */
static void choose_times(struct job *job, struct allreduce_args *args)
{
	double us;
	int n;

	if (!args->block_ms)
		return;
	fill(job, 0);
	us = fmax(reduce(job), reduce(job));
	n = (int)fmin(args->iterations, 1e3 * args->block_ms / us);
	n = n < 2 ? 2 : n / 2 * 2;
	MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
	args->iterations = n;
	args->warmup = n / 2 < args->warmup ? n / 2 : args->warmup;
}

/* All blocks of one size. 0, or -1 when out of memory on this rank or when a sum was wrong on any
 * (known to rank 0). */
static int run_size(struct allreduce_args args, size_t size_bytes)
{
	struct job job = {0};
	size_t in_block, n;
	double *us = NULL;
	long wrong = 0;
	int rc = job_init(&job, size_bytes);

	if (rc == 0)
		choose_times(&job, &args);
	in_block = (size_t)times_in_block(&args);
	n = (size_t)args.blocks * in_block;
	us = pl_array_create(n, 2 * sizeof(*us));
	if (rc || !us) {
		rc = -1;
		pl_tool_say("allreduce", "out of memory");
		MPI_Abort(MPI_COMM_WORLD, PL_EXIT_SYSTEM);
		goto out;
	}
	for (size_t b = 0; b < (size_t)args.blocks; b++)
		run_block(&job, &args, b, us + b * in_block, us + n, &wrong);
	if (job.rank == 0 && wrong)
		pl_tool_say("allreduce", "wrong sum: %ld elements of %zu bytes", wrong, size_bytes);
	else if (job.rank == 0)
		print_size(size_bytes, us, n, us + n);
	if (args.digest)
		print_digest(&job, size_bytes);
	rc = wrong ? -1 : 0;
out:
	job_fini(&job);
	free(us);
	return rc;
}

/* The wait of the yield-blocking preload in us; -1 where it is not there. */
static long yield_block_us(void)
{
	pl_yield_block_fn *us = (pl_yield_block_fn *)dlsym(RTLD_DEFAULT, PL_YIELD_BLOCK_SYMBOL);

	return us ? us() : -1;
}

static void print_yield_block(int rank)
{
	long mine = yield_block_us(), least = 0, most = 0;

	MPI_Reduce(&mine, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
	MPI_Reduce(&mine, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank)
		return;
	if (least != most)
		printf("# yield-block differs between ranks\n");
	else if (most < 0)
		printf("# yield-block none\n");
	else
		printf("# yield-block %ld us\n", most);
}

/* Where each rank runs, in rank order. */
static int print_order(int rank, int n_ranks)
{
	char name[MPI_MAX_PROCESSOR_NAME] = "";
	char *all = pl_array_create((size_t)n_ranks, sizeof(name));
	int len;

	if (!all) {
		MPI_Abort(MPI_COMM_WORLD, PL_EXIT_SYSTEM);
		return -1;
	}
	MPI_Get_processor_name(name, &len);
	MPI_Gather(name, sizeof(name), MPI_CHAR, all, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("# order");
		for (int i = 0; i < n_ranks; i++)
			printf(" %s", all + (size_t)i * sizeof(name));
		putchar('\n');
	}
	free(all);
	return 0;
}

static void print_library(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int len;

	MPI_Get_library_version(version, &len);
	printf("# library %.*s\n", (int)strcspn(version, ",\n"), version);
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "OMPI_MCA_coll", 13))
			printf("# asked %s\n", *e + 9);
}

static int print_header(const struct allreduce_args *args)
{
	int rank, n_ranks;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	if (rank == 0) {
		printf("# allreduce: float sum over %d ranks, %d blocks of %d after %d for "
		       "warm-up, %s\n",
		       n_ranks, args->blocks, args->iterations, args->warmup,
		       args->per_block ? "mean time of the ranks over a block"
				       : "time of the slowest rank");
		print_library();
	}
	print_yield_block(rank);
	if (print_order(rank, n_ranks))
		return -1;
	if (rank == 0)
		printf("# bytes min_us median_us max_us us_of_each\n");
	return 0;
}

static int run(const struct allreduce_args *args)
{
	int failed = print_header(args) ? 1 : 0, rank;

	for (size_t i = 0; i < args->n_sizes; i++)
		failed |= run_size(*args, args->size_bytes[i]) != 0;
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!failed && rank == 0)
		printf("# done\n");
	return failed ? PL_EXIT_PARTIAL : PL_EXIT_DONE;
}

/* Ends this rank once all others are about to. */
static void leave(int status)
{
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	_exit(status);
}

int main(int argc, char **argv)
{
	struct allreduce_args args;
	struct pl_err err = {0};
	int rank, status;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (allreduce_args_parse(&args, argc, argv, &err))
		status = rank ? PL_EXIT_USAGE : pl_tool_usage("allreduce", "%s", err.text);
	else if (args.action == ALLREDUCE_HELP)
		status = rank ? PL_EXIT_DONE : allreduce_args_help();
	else if (args.action == ALLREDUCE_VERSION)
		status = rank ? PL_EXIT_DONE : pl_tool_version("allreduce");
	else
		status = run(&args);
	if (args.leave)
		leave(status);
	MPI_Finalize();
	return status;
}
