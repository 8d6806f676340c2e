/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-link.h - nodes, and the connections between them with their 8 buffers */
#ifndef PLINK_COSTMODELS_NCCL_LINK_H
#define PLINK_COSTMODELS_NCCL_LINK_H

#include "costmodels/algorithm.h"

#include <stddef.h>
#include <stdint.h>

/* A connection's buffer is cut in so many steps (NCCL_STEPS), each of so many
 * bytes in the Simple protocol (NCCL_BUFFSIZE, 4 MiB, through 8). */
#define PL_NCCL_STEPS 8
#define PL_NCCL_STEP_BYTES ((uint64_t)512 << 10)

/* The nodes of a call. 0, or -1 with @err set (PL_EUSAGE) where the ranks do
 * not fill them. */
int pl_nccl_count_nodes(const struct pl_call *call, size_t *n_nodes,
			struct pl_err *err);

/* All ranks, whatever positions are. */
static inline uint64_t pl_nccl_ranks(const struct pl_call *call)
{
	return call->n_ranks ? call->n_ranks : call->n_pos;
}

/* 0 if @times * @messages, none of them 0, can be in a pattern; or -1 with @err
 * set. */
int pl_nccl_check_messages(uint64_t times, uint64_t messages,
			   struct pl_err *err);

/* Elements in so many bytes (the call's segment_bytes, if given), at least
 * one. */
uint64_t pl_nccl_elements(const struct pl_call *call, uint64_t bytes);

/* The rank that stands for a node. */
static inline size_t pl_nccl_first_rank(const struct pl_call *call, size_t node)
{
	return node * call->slots;
}

/*
 * One end of a connection. Sends go on while there is a free buffer; receives
 * are posted (expect) and waited for (take) in order.
 */
struct pl_nccl_link {
	size_t peer; /* rank */
	uint32_t tag;
	size_t n_buffers;
	struct pl_request
		*buffer; /* [n_buffers], the caller's: message i in i mod n */
	uint64_t posted, taken; /* messages */
};

void pl_nccl_send(struct pl_script *s, struct pl_nccl_link *link,
		  uint64_t bytes);
void pl_nccl_expect(struct pl_script *s, struct pl_nccl_link *link,
		    uint64_t bytes);
void pl_nccl_take(struct pl_script *s, struct pl_nccl_link *link);

#endif
