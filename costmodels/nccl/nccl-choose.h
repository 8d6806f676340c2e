/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-choose.h - the algorithm that NCCL chooses by itself */
#ifndef PLINK_COSTMODELS_NCCL_NCCL_CHOOSE_H
#define PLINK_COSTMODELS_NCCL_NCCL_CHOOSE_H

#include "costmodels/algorithm.h"

#include <stdint.h>

enum pl_nccl_algo { PL_NCCL_RING, PL_NCCL_TREE, PL_NCCL_PAT };

/* The name of an algorithm as NCCL_ALGO has it, "Ring", and that of a
 * collective, "AllReduce". */
const char *pl_nccl_algo_name(enum pl_nccl_algo algo);
const char *pl_nccl_function(enum pl_collective collective);

/* The kind that an algorithm of the catalogue, one of NCCL's, belongs to. */
enum pl_nccl_algo pl_nccl_algo_of(const struct pl_algorithm *a);

/* A call on several hosts over sockets. */
struct pl_nccl_job {
	enum pl_collective collective;
	/* as NCCL counts them: those of the whole result if that is larger than
	 * the input of a rank */
	uint64_t bytes;
	uint64_t n_nodes, n_gpus; /* hosts, ranks on each */
	/* the rate of a host's network card in each direction */
	double bytes_per_ns;
};

/* The rate, in bits per second, that NCCL assumes if a network card does not
 * tell its own. */
#define PL_NCCL_BPS 10e9

/* NCCL takes the same algorithm on every machine, or it depends on the
 * machine. */
enum pl_nccl_choice { PL_NCCL_TAKES, PL_NCCL_DEPENDS };

/*
 * The algorithm that NCCL chooses by itself, by the model in graph/tuning.cc of
 * versions 2.28 to 2.30, without SHARP (CollNet, NVLS). PL_NCCL_TAKES with
 * *algo set if the choice is the same on every machine: GPUs of either
 * generation (before Ampere or not), joined by NVLink or PCI; processors of AMD
 * or Intel; 2 channels or 16; LL128 in use or not; trees as chains or not, and
 * at twice the rate between two hosts or not. PL_NCCL_DEPENDS if it is not.
 */
enum pl_nccl_choice pl_nccl_choose(const struct pl_nccl_job *job, enum pl_nccl_algo *algo);

#endif
