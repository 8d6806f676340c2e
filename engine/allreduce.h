/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.h - one rank's part in one all-reduce, chunk by chunk */
/*
 * The buffer is cut into the slices of the program, by weight, and these into chunks; every chunk
 * goes the way of its slice by itself, and waits for no other. What moves the bytes is a transport:
 * it gets chunks to send, and says when one has been sent and what has come. Nothing here blocks,
 * and nothing is shared between threads.
 *
 * A chunk that begins with a send is the rank's own to begin. At most `window` of these are begun
 * and not finished, so that the queues of slow links stay short; what others begin is taken as it
 * comes.
 *
 * A call carries a signal, a single bit. A rank that has it, or has got it with what came of a
 * chunk, sends it on with that chunk. As every result holds what every rank contributes, a signal
 * that any rank raises is known to all when the call ends, if it has an element.
 *
 * Chunks are numbered alike on all ranks: the first of each slice, then the second of each, and so
 * on. Between two ranks there may be several lanes; all ranks deal out the chunks to them alike
 * (deal.h).
 */
#ifndef PLINK_ENGINE_ALLREDUCE_H
#define PLINK_ENGINE_ALLREDUCE_H

#include "base/err.h"
#include "engine/arrival.h"
#include "engine/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds @n elements of @more to those of @sum; addition is whatever the call reduces by. */
struct pl_adder {
	void (*add)(void *sum, const void *more, size_t n, void *with);
	void *with;
	size_t element_bytes;
};

struct pl_transport {
	/* Sends the bytes, with the signal or without it, or queues them: 1 if they have been sent,
	 * 0 if they must stay as they are until the transport calls pl_allreduce_sent, which it
	 * does not do from here; -1 with @err set. */
	int (*send)(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		    bool signal, struct pl_err *err);
	void *self;
	size_t chunks_max;         /* that it can number; at most 2^32 */
	struct pl_arrivals *spare; /* between calls; NULL: none are kept */
	size_t n_lanes;            /* to each peer; 0: one */
	/* only lanes k, k + n and so on, and their chunks; n 0: all */
	struct pl_lane_share {
		size_t k, n;
	} share;
};

/* What of an all-reduce is done: as far as the sums, the rest, or all of it. */
enum pl_allreduce_half {
	PL_BOTH_HALVES,
	PL_PUSH_HALF,
	PL_PULL_HALF,
};

struct pl_allreduce_call {
	void *buffer; /* the rank's contribution; in the end the result */
	size_t count; /* elements */
	struct pl_adder adder;
	size_t chunk_bytes; /* rounded down to whole elements, at least one */
	size_t window;      /* 0: no limit */
	bool signal;        /* this rank raises the signal */
	bool any_order;     /* adds of a round as they come: bits may differ from
			     * run to run */
	/* The program has halves if these are not 0. */
	enum pl_allreduce_half half;
	/* Called by the member that has the sum of a chunk first, before it sends that: changes @n
	 * elements of it, the first of which is element @at of the buffer. */
	void (*finish)(void *with, void *sum, size_t at, size_t n);
	void *finish_with;
};

struct pl_allreduce {
	const struct pl_program *program;
	struct pl_transport transport;
	struct pl_allreduce_call call;
	struct pl_chunk *chunk;
	size_t n_chunks, n_over;
	size_t next_own, own_open; /* chunks that are this rank's to begin */
	size_t n_past;             /* all chunks before this one are over */
};

/*
 * Begins: sends what can be sent. The program, the transport and the buffer must last until fini.
 * 0, or -1 with @err set and nothing to release: PL_EUSAGE for more than 2^32 chunks, PL_ESYSTEM
 * for memory, or what the transport says.
 */
int pl_allreduce_init(struct pl_allreduce *r, const struct pl_program *program,
		      struct pl_transport transport, const struct pl_allreduce_call *call,
		      struct pl_err *err);
void pl_allreduce_fini(struct pl_allreduce *r);

/* The bytes of a chunk; 0 if there is no such chunk. */
size_t pl_allreduce_bytes(const struct pl_allreduce *r, uint32_t chunk);

/* Where a chunk that is coming from the peer may be received so that nothing is copied: its place
 * in the buffer, if it can be stored there as it comes; else NULL. What is received there is given
 * to pl_allreduce_arrived, lent. */
unsigned char *pl_allreduce_place(const struct pl_allreduce *r, uint32_t chunk, uint32_t peer);

/*
 * A chunk has come from a peer, all of it; takes @arrival, unless it is lent,
 * which it is no longer than this call. What a peer sends of
 * one chunk must come in the order in which it was sent. 0, or -1 with @err
 * set: PL_EINPUT if there is no such chunk, or nothing more of it is to come
 * from that peer, or what the transport says.
 */
int pl_allreduce_arrived(struct pl_allreduce *r, uint32_t chunk, struct pl_chunk_arrival *arrival,
			 struct pl_err *err);

/* A chunk's send has ended. 0, or -1 with @err set by the transport. */
int pl_allreduce_sent(struct pl_allreduce *r, uint32_t chunk, struct pl_err *err);

/* The lane of a chunk. */
size_t pl_allreduce_lane(const struct pl_allreduce *r, uint32_t chunk);

/* Is a chunk still to come from the peer on that lane? */
bool pl_allreduce_expects(const struct pl_allreduce *r, uint32_t peer, size_t lane);

/* Has any rank raised the signal? Certain when all is done. */
bool pl_allreduce_signalled(const struct pl_allreduce *r);

/* A rank from which something is still to come; the own one if there is
 * none. */
uint32_t pl_allreduce_waits_for(struct pl_allreduce *r);

/* Does the buffer hold the result, and is nothing left to send? */
static inline bool pl_allreduce_is_done(const struct pl_allreduce *r)
{
	return r->n_over == r->n_chunks;
}

#endif
