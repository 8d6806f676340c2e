/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.h - how PyTorch and NCCL name what a rank does, and its operands */
#ifndef PLINK_JOB_IMPORT_OPERATION_H
#define PLINK_JOB_IMPORT_OPERATION_H

#include "costmodels/algorithm.h"

#include <stddef.h>
#include <stdint.h>

enum pl_operation_form {
	PL_OPERATION_COLLECTIVE,
	PL_OPERATION_SEND,
	PL_OPERATION_RECEIVE,
	PL_OPERATION_NONE, /* sends nothing: it waits, or begins */
	PL_OPERATION_LOST, /* nothing that a job has (plink-job(5)) */
};

struct pl_operation {
	enum pl_operation_form form;
	enum pl_collective collective;
};

/* "_allgather_base", "nccl:all_reduce", "AllReduce", "nccl:recv 0<-1", ... */
struct pl_operation pl_operation_parse(const char *name);

/* What struct pl_call has as bytes, for a collective of @size ranks whose input and output have
 * that many bytes on one of them. */
uint64_t pl_operation_bytes(enum pl_collective collective, uint64_t in, uint64_t out, size_t size);

#endif
