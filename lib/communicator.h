/* SPDX-License-Identifier: BSD-3-Clause */
/* communicator.h - what a communicator is made of; not for programs */
#ifndef PLINK_LIB_COMMUNICATOR_H
#define PLINK_LIB_COMMUNICATOR_H

#include "engine/engine.h"
#include "engine/hub.h"
#include "engine/keys.h"
#include "engine/part.h"
#include "engine/reduce.h"
#include "lib/parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_communicator {
	const struct pl_schedule_file *file;
	size_t rank; /* as the caller numbers the processes */
	struct pl_rank_part part;
	struct pl_engine engine;
	struct pl_live *live; /* PLINK_LIVE; NULL: none */
	uint64_t n_calls;
	struct pl_keys keys;
	unsigned int n_ahead; /* halves (allreduce.h) since all waited for all */
	bool is_async;        /* since pl_hub_async(): */
	uint32_t n_steps;     /* asynchronous calls */
	bool failed;
	struct pl_err why;
};

/* Tells the hubs of a call, with its number, count and patience, and makes it. 0, or -1 with
 * c->failed, c->why and the connections closed. */
int pl_communicator_run(struct pl_communicator *c, struct pl_hub_call *told,
			const struct pl_allreduce_call *call);

/* The same for a call that has its number; @call NULL: only tells. */
int pl_communicator_exchange(struct pl_communicator *c, struct pl_hub_call *told,
			     const struct pl_allreduce_call *call);

#endif
