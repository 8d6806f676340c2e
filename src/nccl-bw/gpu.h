/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu.h - NCCL and CUDA's driver, which are opened when the program runs */
#ifndef PLINK_SRC_NCCL_BW_GPU_H
#define PLINK_SRC_NCCL_BW_GPU_H

#include "base/err.h"
#include "shim/nccl/nccl-abi.h"

#include <stddef.h>
#include <stdint.h>

struct nccl_bw_gpu;

/* Opens libcuda.so.1 and the NCCL at @path (NULL: libnccl.so.2 of the dynamic linker). NULL with
 * @err set. */
struct nccl_bw_gpu *nccl_bw_open(const char *path, struct pl_err *err);
void nccl_bw_close(struct nccl_bw_gpu *gpu);

/* "2.28.9" */
const char *nccl_bw_version(const struct nccl_bw_gpu *gpu);

int nccl_bw_unique_id(struct nccl_bw_gpu *gpu, ncclUniqueId *id, struct pl_err *err);

/*
 * Makes the communicator of @n ranks on the GPU number @local, or the only one that is visible.
 * There are two buffers of @bytes each, and @n_marks marks. 0, or -1 with @err set.
 */
struct nccl_bw_place {
	const ncclUniqueId *id;
	int rank, n;
	size_t local;
	size_t bytes, n_marks;
};
int nccl_bw_join(struct nccl_bw_gpu *gpu, const struct nccl_bw_place *place, struct pl_err *err);

/* What follows is done in this sequence on a stream; the calls may return before it is done. Each
 * returns 0, or -1 with @err set. */
int nccl_bw_send(struct nccl_bw_gpu *gpu, size_t bytes, int rank, struct pl_err *err);
int nccl_bw_receive(struct nccl_bw_gpu *gpu, size_t bytes, int rank, struct pl_err *err);
/* Notes the time at which the GPU comes to this place. */
int nccl_bw_mark(struct nccl_bw_gpu *gpu, size_t i, struct pl_err *err);
/* All ranks wait for one another. */
int nccl_bw_barrier(struct nccl_bw_gpu *gpu, struct pl_err *err);

/* Waits until all of it is done, or NCCL has found that a rank is gone. */
int nccl_bw_wait(struct nccl_bw_gpu *gpu, struct pl_err *err);

/* After that: the time from mark @i to the next one. */
int nccl_bw_took(struct nccl_bw_gpu *gpu, size_t i, double *ns, struct pl_err *err);

/* Adds up value[n] of all ranks, on rank 0; n doubles fit into a buffer. */
int nccl_bw_sum(struct nccl_bw_gpu *gpu, double *value, size_t n, struct pl_err *err);

#endif
