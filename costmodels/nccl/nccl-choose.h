/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-choose.h - what NCCL does by itself, and what makes it do what an order
 * is for */
#ifndef PLINK_COSTMODELS_NCCL_NCCL_CHOOSE_H
#define PLINK_COSTMODELS_NCCL_NCCL_CHOOSE_H

#include "costmodels/algorithm.h"

#include <stdint.h>

enum pl_nccl_algo { PL_NCCL_RING, PL_NCCL_TREE, PL_NCCL_PAT };

/* As NCCL_ALGO has it: "Ring"; and the functions of such collectives:
 * "AllReduce". */
const char *pl_nccl_algo_name(enum pl_nccl_algo algo);
const char *pl_nccl_function(enum pl_collective collective);

/* Which of them one of NCCL's algorithms is. */
enum pl_nccl_algo pl_nccl_algo_of(const struct pl_algorithm *a);

/* A call on several hosts over sockets. */
struct pl_nccl_job {
	enum pl_collective collective;
	uint64_t bytes; /* as NCCL counts them: of the whole result where it is
			 * larger than what a rank gives */
	uint64_t n_nodes, n_gpus; /* hosts, ranks on each */
	double bytes_per_ns;      /* what a host's card passes each way */
};

/* NCCL where its card does not say how fast it is. */
#define PL_NCCL_BPS 10e9

/* What NCCL takes: one of them, or what it takes depends on the machine. */
enum pl_nccl_choice { PL_NCCL_TAKES, PL_NCCL_DEPENDS };

/*
 * Which algorithm NCCL takes by itself, by the model in graph/tuning.cc of 2.28
 * to 2.30, without SHARP (CollNet, NVLS). PL_NCCL_TAKES and *algo where it is
 * the same on every machine: GPUs joined by NVLink or PCI, of either
 * generation, processors of either maker, few channels or many; PL_NCCL_DEPENDS
 * where it is not.
 */
enum pl_nccl_choice pl_nccl_choose(const struct pl_nccl_job *job,
				   enum pl_nccl_algo *algo);

#endif
