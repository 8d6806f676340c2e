/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-link.h - nodes, and the connections between them with 8 buffers each */
#ifndef PLINK_COSTMODELS_NCCL_LINK_H
#define PLINK_COSTMODELS_NCCL_LINK_H

#include "costmodels/algorithm.h"

#include <stddef.h>
#include <stdint.h>

/* The buffer of a connection is divided into NCCL_STEPS steps; in the Simple
 * protocol a step has 512 KiB (NCCL_BUFFSIZE, 4 MiB, divided by 8). */
#define PL_NCCL_STEPS 8
#define PL_NCCL_STEP_BYTES ((uint64_t)512 << 10)

/* *n_nodes becomes the number of nodes of a call. 0, or -1 with @err set
 * (PL_EUSAGE) if the ranks do not fill all nodes. */
int pl_nccl_count_nodes(const struct pl_call *call, size_t *n_nodes, struct pl_err *err);

/* The number of all ranks, whether positions are ranks or hosts. */
static inline uint64_t pl_nccl_ranks(const struct pl_call *call)
{
	return call->n_ranks ? call->n_ranks : call->n_pos;
}

/* 0 if a pattern can have @times * @messages messages; @messages must not be 0.
 * Otherwise -1 with @err set (PL_EUSAGE). */
int pl_nccl_check_messages(uint64_t times, uint64_t messages, struct pl_err *err);

/* The number of elements in @bytes or, if the call sets it, in its
 * segment_bytes; at least one. */
uint64_t pl_nccl_elements(const struct pl_call *call, uint64_t bytes);

/* With several ranks to a node, of which one stands for all, which bytes of
 * whose buffer an all-reduce's messages carry is not known. */
static inline void pl_nccl_know_buffer(struct pl_script *s, const struct pl_call *call)
{
	if (call->slots > 1)
		pl_script_buffer(s, 0, false);
}

/* The rank that stands for a node. */
static inline size_t pl_nccl_first_rank(const struct pl_call *call, size_t node)
{
	return node * call->slots;
}

/*
 * One end of a connection. A send waits for the one n_buffers before it, so
 * that n_buffers messages are under way at most. Receives are posted (expect)
 * and waited for (take) in the same order.
 */
struct pl_nccl_link {
	size_t peer; /* rank */
	uint32_t tag;
	size_t n_buffers;
	/* [n_buffers], owned by the caller; message i uses buffer[i %
	 * n_buffers] */
	struct pl_request *buffer;
	uint64_t posted, taken; /* numbers of messages */
};

void pl_nccl_send(struct pl_script *s, struct pl_nccl_link *link, uint64_t bytes);
void pl_nccl_expect(struct pl_script *s, struct pl_nccl_link *link, uint64_t bytes);
void pl_nccl_take(struct pl_script *s, struct pl_nccl_link *link);

#endif
