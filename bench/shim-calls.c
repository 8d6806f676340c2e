/* SPDX-License-Identifier: BSD-3-Clause */
/* shim-calls.c - how long calls of the MPI library take (under mpirun) */
/*
 * The same program measures them with and without libplink-mpi.so: it does not know whether it is
 * there. Of each call the least time over all blocks is printed, by rank 0: what disturbs a block
 * makes it longer, never shorter.
 */
#include "config.h"

#include "bench/options.h"
#include "base/clock.h"

#include <mpi.h>
#include <stdio.h>

#define TOOL "shim-calls"

static const char help[] =
	"usage: mpirun ... shim-calls [OPTION]...\n"
	"Prints \"NAME NS\" for each call: least time over the blocks, ns.\n"
	"\n"
	"  --blocks=N    (default 15)\n"
	"  --calls=N     MPI_Comm_rank calls in a block (default 1000000);\n"
	"                all-reduces of one process are a tenth of that, of all\n"
	"                a hundredth\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage.\n";

struct args {
	int64_t blocks, calls;
};

/* ns of one of the calls, on average over a block. */
typedef double block_fn(int64_t n_calls);

static MPI_Comm copy; /* of the world */

static double rank_of(MPI_Comm comm, int64_t n_calls)
{
	const int64_t start_ns = pl_clock_ns();
	int rank;

	for (int64_t i = 0; i < n_calls; i++)
		MPI_Comm_rank(comm, &rank);
	return (double)(pl_clock_ns() - start_ns) / (double)n_calls;
}

static double rank_of_world(int64_t n_calls)
{
	return rank_of(MPI_COMM_WORLD, n_calls);
}

static double rank_of_copy(int64_t n_calls)
{
	return rank_of(copy, n_calls);
}

static double allreduce(MPI_Comm comm, int64_t n_calls)
{
	const int64_t n = n_calls < 1 ? 1 : n_calls;
	int64_t start_ns;
	int in = 1, out;

	MPI_Barrier(comm);
	start_ns = pl_clock_ns();
	for (int64_t i = 0; i < n; i++)
		MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm);
	return (double)(pl_clock_ns() - start_ns) / (double)n;
}

static double allreduce_self(int64_t n_calls)
{
	return allreduce(MPI_COMM_SELF, n_calls / 10);
}

static double allreduce_all(int64_t n_calls)
{
	return allreduce(MPI_COMM_WORLD, n_calls / 100);
}

static void measure(const char *name, block_fn *block, const struct args *args)
{
	double least = block(args->calls);
	int rank;

	for (int64_t i = 1; i < args->blocks; i++) {
		const double ns = block(args->calls);

		if (ns < least)
			least = ns;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("%s %.3f\n", name, least);
}

int main(int argc, char **argv)
{
	struct args args = {.blocks = 15, .calls = 1000000};
	const struct bench_option options[] = {
		{.name = "blocks", .whole = &args.blocks, .least = 1, .most = 10000},
		{.name = "calls", .whole = &args.calls, .least = 1, .most = 1000000000},
	};
	const int64_t start_ns = pl_clock_ns();
	double init_ns, slowest_ns;
	int rank, rc;

	rc = bench_options(TOOL, help, options, 2, argc, argv);
	if (rc >= 0)
		return rc;
	MPI_Init(NULL, NULL);
	init_ns = (double)(pl_clock_ns() - start_ns);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Reduce(&init_ns, &slowest_ns, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("init %.0f\n", slowest_ns);
	measure("rank-of-world", rank_of_world, &args);
	measure("rank-of-copy", rank_of_copy, &args);
	measure("allreduce-self", allreduce_self, &args);
	measure("allreduce-4", allreduce_all, &args);
	MPI_Comm_free(&copy);
	MPI_Finalize();
	return 0;
}
