/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - all-reduces of a schedule, one after the other */
/*
 * Ranks make the same calls in the same order, as in MPI. A rank may be one call ahead of another,
 * not more: nobody ends a call before all have begun it.
 */
#ifndef PLINK_ENGINE_ENGINE_H
#define PLINK_ENGINE_ENGINE_H

#include "base/err.h"
#include "engine/allreduce.h"
#include "engine/carrier.h"
#include "engine/live/live.h"
#include "engine/mesh.h"
#include "engine/part.h"
#include "engine/tune/sent.h"
#include "engine/tune/tuning.h"

#include <stdint.h>

/* Start with {.mesh, .part}, end with fini; one thread at a time. */
struct pl_engine {
	struct pl_mesh mesh; /* connected to all peers of the part */
	/* carries the chunks; then the mesh has no lanes, only options */
	struct pl_chunk_carrier carrier;
	const struct pl_rank_part *part; /* this rank's, before it is tuned */
	struct pl_tuning *tuning;        /* NULL: it stays so */
	struct pl_live *live;            /* borrowed; NULL: none */
	struct pl_sent *sent;            /* [2 * n_ranks]: as told last, and now */
	int64_t told_ns;                 /* when that was */
	int64_t patience_ns;             /* with peers that send nothing; 0: without end */
	/* called while there is nothing to do, every millisecond or more
	 * often; NULL: nobody needs it */
	void (*idle)(void *with);
	void *with;
	struct pl_arrivals spare;
	/* lanes with something queued that the kernel has not been given */
	struct pl_lane *unsent, **last_unsent;
	bool serves;                  /* what has come; chunks to send wait meanwhile */
	bool failed;                  /* a call has: the engine can only be ended */
	bool signalled;               /* in the last call (allreduce.h) */
	uint8_t call;                 /* number of the present call, modulo 256 */
	struct pl_allreduce *current; /* NULL between calls */
};

void pl_engine_fini(struct pl_engine *e);

/* Where the part's schedules are tuned, has them change while the job runs. The mesh is connected.
 * 0, or -1 with @err set: out of memory. */
int pl_engine_tune(struct pl_engine *e, const struct pl_tuning_rules *rules, struct pl_err *err);

/* Has @live, which must last, told of what happens here. The mesh is connected. 0, or -1 with @err
 * set: out of memory. */
int pl_engine_tell(struct pl_engine *e, struct pl_live *live, struct pl_err *err);

/* Engines of other views of the mesh (mesh.h) have made calls since this one's last. */
void pl_engine_resume(struct pl_engine *e);

/*
 * All-reduces call->buffer in place by a schedule of the part, whose number all ranks give, and
 * with its chunks and window: returns when the buffer holds the result and the rank's own sends
 * have left. 0, or -1 with @err set, after which the engine can only be ended: PL_ESYSTEM for a
 * peer that has gone or from which nothing has come for patience_ns, and for memory; PL_EINPUT for
 * a peer whose buffer has another length; PL_EUSAGE for more than 2^24 chunks.
 */
int pl_engine_allreduce(struct pl_engine *e, size_t schedule, const struct pl_allreduce_call *call,
			struct pl_err *err);

#endif
