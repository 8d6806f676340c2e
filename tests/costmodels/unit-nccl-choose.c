/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-nccl-choose.c - which algorithm NCCL takes by itself, against its own code */
#include "config.h"

#include "costmodels/nccl.h"
#include "tests/tap.h"

#include <string.h>

/*
 * What ncclTopoTuneModel() and ncclTopoGetAlgoTime() of NCCL 2.28.9 and 2.30.7 say, both alike,
 * compiled by themselves and asked for every such machine: R(ing), T(ree), P(AT), ? where machines
 * differ; at 64 bytes, 128 bytes, ... 2 GiB.
 */
struct golden {
	enum pl_collective collective;
	uint64_t n_nodes, n_gpus;
	double bytes_per_ns;
	const char *takes;
};

static const struct golden golden[] = {
	{PL_ALLREDUCE, 2, 1, 1.2, "RRRRRRRRRRRRRRRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 2, 8, 1.2, "TTTTT?????????????????????"},
	{PL_ALLREDUCE, 3, 1, 1.2, "TTTTTRRRRRRRRRRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 4, 8, 12, "TTTTTTTTTT????R???RRRRRRRR"},
	{PL_ALLREDUCE, 8, 1, 1.2, "TTTTTTT???RRRRRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 8, 1, 12, "TTTTTTTTTT??RRRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 8, 8, 1.2, "TTTTTTTTT????RRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 16, 1, 1.2, "TTTTTTTTTTTRRRRRRRRRRRRRRR"},
	{PL_ALLREDUCE, 16, 4, 3, "TTTTTTTTTTT???R??RRRRRRRRR"},
	{PL_ALLREDUCE, 16, 8, 12, "TTTTTTTTTTTTTTTTT???RRRRRR"},
	{PL_ALLREDUCE, 32, 8, 6, "TTTTTTTTTTTTTTTTT???RRRRRR"},
	{PL_ALLREDUCE, 64, 1, 12, "TTTTTTTTTTTTTTTTTT?RRRRRRR"},
	{PL_ALLREDUCE, 128, 1, 1.2, "TTTTTTTTTTTTTT???RRRRRRRRR"},
	{PL_ALLREDUCE, 128, 8, 12, "TTTTTTTTTTTTTTTTTTTT?????R"},
	{PL_ALLGATHER, 2, 1, 1.2, "RRRRRRRRR?RRRRRRRRRRRRRRRR"},
	{PL_ALLGATHER, 8, 1, 1.2, "RRRRRRPPPPP?RRRRRRRRRRRRRR"},
	{PL_ALLGATHER, 8, 1, 12, "RRRRRRRRRPPPPP?RRRRRRRRRRR"},
	{PL_ALLGATHER, 64, 1, 3, "PPPPPPPPPPPPPPPP?RRRRRRRRR"},
	{PL_ALLGATHER, 8, 8, 1.2, "RRRRRRRRRRRRRRRRRRRRRRRRRR"},
	{PL_REDUCE_SCATTER, 5, 1, 6, "RRRRRRRRRRRP?RRRRRRRRRRRRR"},
	{PL_REDUCE_SCATTER, 16, 1, 1.2, "PPPPPPPPPPPPPRRRRRRRRRRRRR"},
	{PL_REDUCE_SCATTER, 128, 1, 12, "PPPPPPPPPPPPPPPPPPP?RRRRRR"},
	{PL_REDUCE_SCATTER, 16, 2, 12, "RRRRRRRRRRRRRRRRRRRRRRRRRR"},
	{PL_BROADCAST, 16, 2, 12, "RRRRRRRRRRRRRRRRRRRRRRRRRR"},
	{PL_REDUCE, 3, 1, 1.2, "RRRRRRRRRRRRRRRRRRRRRRRRRR"},
};

#define N_SIZES 26

static void test_golden(void)
{
	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
		const struct golden *g = &golden[i];
		struct pl_nccl_job job = {
			.collective = g->collective,
			.n_nodes = g->n_nodes,
			.n_gpus = g->n_gpus,
			.bytes_per_ns = g->bytes_per_ns,
		};
		char takes[N_SIZES + 1] = "";

		for (int k = 0; k < N_SIZES; k++) {
			enum pl_nccl_algo algo;

			job.bytes = (uint64_t)64 << k;
			takes[k] = pl_nccl_choose(&job, &algo) == PL_NCCL_TAKES
					   ? pl_nccl_algo_name(algo)[0]
					   : '?';
		}
		ok(strcmp(takes, g->takes) == 0, "%s, %d hosts of %d at %g GB/s: %s",
		   pl_nccl_function(g->collective), (int)g->n_nodes, (int)g->n_gpus,
		   g->bytes_per_ns, takes);
	}
}

static void test_names(void)
{
	static const struct pl_algorithm ring = {.name = "ring"},
					 tree = {.name = "double-binary-tree"},
					 pat = {.name = "pat"};

	is_str(pl_nccl_algo_name(pl_nccl_algo_of(&ring)), "Ring", "a ring");
	is_str(pl_nccl_algo_name(pl_nccl_algo_of(&tree)), "Tree", "trees");
	is_str(pl_nccl_algo_name(pl_nccl_algo_of(&pat)), "PAT", "PAT");
	is_str(pl_nccl_function(PL_REDUCE_SCATTER), "ReduceScatter",
	       "a function as NCCL_ALGO names it");
}

int main(void)
{
	test_golden();
	test_names();
	return done_testing();
}
