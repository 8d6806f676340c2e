/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-call-times.c - how long calls of NCCL take that do nothing */
/*
 * The same program with and without libplink-nccl.so, and a libnccl.so.2 whose functions return at
 * once (nccl-none.c). Of each call the least time over all blocks is printed: what disturbs a block
 * makes it longer, never shorter.
 */
#include "config.h"

#include "bench/options.h"
#include "base/clock.h"
#include "shim/nccl/prototypes.h"

#include <stdio.h>

#define TOOL "nccl-call-times"

static const char help[] =
	"usage: nccl-call-times [OPTION]...\n"
	"Prints \"NAME NS RANK\" for each call: least time over the blocks, ns, and\n"
	"the rank in the communicator that it was made with.\n"
	"\n"
	"  --blocks=N    (default 15)\n"
	"  --calls=N     in a block (default 1000000)\n"
	"  --help, --version\n"
	"Exit: 0 done, 1 NCCL failed, 2 usage.\n";

struct args {
	int64_t blocks, calls;
};

/* Makes @n calls; which rank it was is left in @rank. */
typedef void calls_fn(ncclComm_t comm, int64_t n, int *rank);

static void user_rank(ncclComm_t comm, int64_t n, int *rank)
{
	for (int64_t i = 0; i < n; i++)
		ncclCommUserRank(comm, rank);
}

static void all_gather(ncclComm_t comm, int64_t n, int *rank)
{
	for (int64_t i = 0; i < n; i++)
		ncclAllGather(rank, rank, 1, ncclInt32, comm, NULL);
}

static void all_reduce(ncclComm_t comm, int64_t n, int *rank)
{
	for (int64_t i = 0; i < n; i++)
		ncclAllReduce(rank, rank, 1, ncclInt32, ncclSum, comm, NULL);
}

static void broadcast(ncclComm_t comm, int64_t n, int *rank)
{
	for (int64_t i = 0; i < n; i++)
		ncclBroadcast(rank, rank, 1, ncclInt32, 1, comm, NULL);
}

static void group(ncclComm_t comm, int64_t n, int *rank)
{
	for (int64_t i = 0; i < n; i++) {
		ncclGroupStart();
		ncclGroupEnd();
	}
	ncclCommUserRank(comm, rank);
}

static void measure(const char *name, calls_fn *calls, ncclComm_t comm, const struct args *args)
{
	double least = 0;
	int rank = -1;

	for (int64_t i = 0; i < args->blocks; i++) {
		const int64_t start_ns = pl_clock_ns();
		double ns;

		calls(comm, args->calls, &rank);
		ns = (double)(pl_clock_ns() - start_ns) / (double)args->calls;
		if (i == 0 || ns < least)
			least = ns;
	}
	printf("%s %.3f %d\n", name, least, rank);
}

int main(int argc, char **argv)
{
	struct args args = {.blocks = 15, .calls = 1000000};
	const struct bench_option options[] = {
		{.name = "blocks", .whole = &args.blocks, .least = 1, .most = 10000},
		{.name = "calls", .whole = &args.calls, .least = 1, .most = 1000000000},
	};
	ncclUniqueId id;
	ncclComm_t comm;
	int rc;

	rc = bench_options(TOOL, help, options, 2, argc, argv);
	if (rc >= 0)
		return rc;
	if (ncclGetUniqueId(&id) || ncclCommInitRank(&comm, 2, id, 0))
		return 1;
	measure("user-rank", user_rank, comm, &args);
	measure("all-gather", all_gather, comm, &args);
	measure("all-reduce", all_reduce, comm, &args);
	measure("broadcast", broadcast, comm, &args);
	measure("group", group, comm, &args);
	ncclCommDestroy(comm);
	return 0;
}
