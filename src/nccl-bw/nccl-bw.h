/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-bw.h - what plink-nccl-bw asks for, and the job that it is part of */
#ifndef PLINK_SRC_NCCL_BW_NCCL_BW_H
#define PLINK_SRC_NCCL_BW_NCCL_BW_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "shim/nccl/nccl-abi.h"
#include "src/common/options.h"
#include "src/nccl-bw/gpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NCCL_BW_TOOL "plink-nccl-bw"
/* A matrix has two layers for each, and three of all. */
#define NCCL_BW_RAILS_MAX 30

struct nccl_bw_options {
	enum pl_options_asked asked;
	const char *output, *address, *nccl; /* borrowed */
	uint64_t bytes;                      /* of a transfer; 0: none */
	uint64_t repeat;                     /* messages that count */
	double timeout_s;                    /* the longest wait for a rank */
	bool verbose;
	int rank, n; /* of this process, by its launcher */
};

/* Prints nothing: all ranks read the same command line. 0, or -1 with @err
 * set. */
int nccl_bw_options_parse(struct nccl_bw_options *o, int argc, char **argv, struct pl_err *err);

/* From the launcher's variables: the rank; the address, unless an option has it, written to
 * address[room]. 0, or -1 with PL_EUSAGE. */
int nccl_bw_options_rank(struct nccl_bw_options *o, struct pl_err *err);
int nccl_bw_options_address(struct nccl_bw_options *o, char *address, size_t room,
			    struct pl_err *err);

extern const char nccl_bw_help[];

/* The ranks of all hosts. A rail is the place of a rank among those of its host. Start with {0}. */
struct nccl_bw_job {
	int rank, n;
	struct pl_hosts hosts; /* in the order of their first ranks */
	size_t n_rails;
	size_t host, rail; /* of this rank */
	int *rank_at;      /* [hosts.n * n_rails] by host, then rail */
	ncclUniqueId id;   /* of rank 0 */
};

/* All ranks meet at the address and learn who is where. 0, or -1 with @err set; *shared: every rank
 * has found the same fault. */
int nccl_bw_meet(struct nccl_bw_job *job, const struct nccl_bw_options *o, const ncclUniqueId *id,
		 bool *shared, struct pl_err *err);
void nccl_bw_job_fini(struct nccl_bw_job *job);

/* What a rank measures to another one, in ns; 0 is written where nothing was measured. */
enum { NCCL_BW_P10, NCCL_BW_P50, NCCL_BW_TRANSFER, NCCL_BW_FIGURES };

/*
 * Rounds in which each host meets another one, with all rails at once. All ranks call it; on rank
 * 0, figure[n_rails * hosts.n * hosts.n * NCCL_BW_FIGURES] is filled, by rail, source and
 * destination. 0, or -1 with @err set.
 */
int nccl_bw_measure(const struct nccl_bw_job *job, const struct nccl_bw_options *o,
		    struct nccl_bw_gpu *gpu, double *figure, struct pl_err *err);

/* The matrix of these figures. NULL with @err set. */
struct pl_matrix *nccl_bw_matrix(const struct nccl_bw_job *job, const struct nccl_bw_options *o,
				 const double *figure, const char *version, struct pl_err *err);

/*
 * Ends the process with a message and PL_EXIT_SYSTEM unless this is called again within @timeout_s,
 * 0 for never: NCCL has no limit of its own, and what waits for a rank that is gone cannot be
 * called back. @fmt says from whom nothing came.
 */
void nccl_bw_watch(double timeout_s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
