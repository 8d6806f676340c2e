/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - what the user wants from an order */
#include "config.h"

#include "order/request.h"

#include <string.h>

void pl_order_request_usual(struct pl_order_request *q)
{
	static const uint64_t usual_sizes[] = {2 << 10, 64 << 10, 1 << 20, 8 << 20};

	q->usual_sizes = true;
	q->n_sizes = sizeof(usual_sizes) / sizeof(*usual_sizes);
	memcpy(q->size_bytes, usual_sizes, sizeof(usual_sizes));
	for (size_t i = 0; i < q->n_sizes; i++)
		q->size_weight[i] = 1;
}

bool pl_order_request_promises(const struct pl_order_request *q)
{
	const enum pl_impl impl = q->what.a->impl;

	return impl != PL_THESIS && impl != PL_NCCL && !q->choose && !q->for_job;
}

const char *pl_order_method_name(enum pl_order_method method)
{
	static const char *const names[] = {
		[PL_METHOD_SEARCH] = "search",
		[PL_METHOD_EXACT] = "exact",
		[PL_METHOD_THESIS] = "thesis",
	};

	return names[method];
}
