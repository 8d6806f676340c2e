/* SPDX-License-Identifier: BSD-3-Clause */
/* carrier.h - what may carry an engine's chunks in place of its own connections
 */
#ifndef PLINK_ENGINE_CARRIER_H
#define PLINK_ENGINE_CARRIER_H

#include "base/err.h"
#include "engine/allreduce.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros: there is none. Peers are numbered as in the schedules. */
struct pl_chunk_carrier {
	/* Sends a chunk of call @call, as a transport's send() does. */
	int (*send)(void *self, uint8_t call, uint32_t peer, uint32_t chunk, const void *data,
		    size_t bytes, bool signal, struct pl_err *err);
	/* Hands what has come of call @call to @r, and tells it what has been sent; keeps what is
	 * of the next call. Does not wait. 1: there was something; 0: nothing; -1 with @err set. */
	int (*step)(void *self, uint8_t call, struct pl_allreduce *r, struct pl_err *err);
	/* Ends it. @failed: a call has, so that others wait for this process; they are told.
	 * Nothing of the call's buffer is used afterwards. */
	void (*end)(void *self, bool failed);
	void *self;
	size_t chunks_max; /* of a call, that it can number */
};

#endif
