/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-link.c - nodes, and the connections between them with their 8 buffers */
#include "config.h"

#include "costmodels/nccl/nccl-link.h"

#include <assert.h>

int pl_nccl_count_nodes(const struct pl_call *call, size_t *n_nodes, struct pl_err *err)
{
	*n_nodes = call->n_pos / call->slots;
	if (call->n_pos % call->slots == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%zu ranks do not fill nodes of %zu slots", call->n_pos,
			  call->slots);
}

int pl_nccl_check_messages(uint64_t times, uint64_t messages, struct pl_err *err)
{
	if (times <= PL_PATTERN_MESSAGES_MAX / messages)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the pattern has more than %zu messages",
			  PL_PATTERN_MESSAGES_MAX);
}

uint64_t pl_nccl_elements(const struct pl_call *call, uint64_t bytes)
{
	const uint64_t n =
		(call->segment_bytes ? call->segment_bytes : bytes) / call->element_bytes;

	return n ? n : 1;
}

static struct pl_request *buffer(struct pl_nccl_link *link, uint64_t message)
{
	return &link->buffer[message % link->n_buffers];
}

void pl_nccl_send(struct pl_script *s, struct pl_nccl_link *link, uint64_t bytes)
{
	struct pl_request *b = buffer(link, link->posted);

	if (link->posted >= link->n_buffers)
		pl_script_wait(s, *b);
	pl_script_tag(s, link->tag);
	*b = pl_script_isend(s, link->peer, bytes);
	link->posted++;
}

void pl_nccl_expect(struct pl_script *s, struct pl_nccl_link *link, uint64_t bytes)
{
	assert(link->posted - link->taken < link->n_buffers);
	pl_script_tag(s, link->tag);
	*buffer(link, link->posted) = pl_script_irecv(s, link->peer, bytes);
	link->posted++;
}

void pl_nccl_take(struct pl_script *s, struct pl_nccl_link *link)
{
	assert(link->taken < link->posted);
	pl_script_wait(s, *buffer(link, link->taken++));
}
