/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - chunks as messages of the MPI library (PLINK_TRANSPORT=mpi) */
/*
 * For networks on which the library has something faster than TCP. Each queue has a communicator of
 * its own. A message's tag is, from the lowest bit on, whether the number of the call is odd, the
 * signal, and the number of the chunk. A peer may be one call ahead: its messages are kept until
 * this process has begun that call. A process that fails sends a message without bytes to all
 * others, which then fail, too.
 */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "base/clock.h"
#include "base/mem.h"

#include <sched.h>
#include <stdlib.h>

/* MPICH's MPI_STATUSES_IGNORE is not an array of statuses. */
#ifndef __clang__ /* which has no such warning */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

#define ODD 1
#define SIGNAL 2
#define CHUNK 4 /* its number is so many times in the tag */

/* How long a process that has failed waits for others to fail. */
#define FAIL_NS 2000000000

/* In one step, so that what has been sent is seen, too. */
#define TAKEN_MAX 64

/* A message that has come, and has not been received. */
struct kept {
	MPI_Message message;
	MPI_Status status;
	int bytes;
};

struct messages {
	MPI_Comm comm;
	bool ends_with_others; /* on all processes at the same time */
	const int *number;     /* [n]: of a rank in the schedules */
	int *rank_of;          /* [n]: the other way round */
	MPI_Request *request;  /* [room]: n_sends of them are being sent */
	uint32_t *chunk;       /* [room]: of these requests */
	int *index;            /* [room]: of those that have been sent */
	size_t n_sends, room;
	uint32_t *sent; /* [sent_room]: their chunks */
	size_t sent_room;
	struct kept *kept; /* [kept_room] */
	size_t n_kept, kept_room;
	int n_failed; /* processes that have said so */
};

static int failed(int rc, const char *what, struct pl_err *err)
{
	char why[MPI_MAX_ERROR_STRING] = "";
	int len;

	PMPI_Error_string(rc, why, &len);
	return pl_err_set(err, PL_ESYSTEM, "cannot %s: %s", what, why);
}

/* For one more request. */
static int make_room(struct messages *m)
{
	const size_t room = m->room ? 2 * m->room : 64;
	void *request, *chunk, *index;

	if (m->n_sends < m->room)
		return 0;
	request = realloc(m->request, room * sizeof(*m->request));
	m->request = request ? request : m->request;
	chunk = realloc(m->chunk, room * sizeof(*m->chunk));
	m->chunk = chunk ? chunk : m->chunk;
	index = realloc(m->index, room * sizeof(*m->index));
	m->index = index ? index : m->index;
	if (!request || !chunk || !index)
		return -1;
	m->room = room;
	return 0;
}

static int send_chunk(void *self, uint8_t call, uint32_t peer, uint32_t chunk, const void *data,
		      size_t bytes, bool signal, struct pl_err *err)
{
	struct messages *m = self;
	const int tag = (int)chunk * CHUNK + (signal ? SIGNAL : 0) + (call % 2 ? ODD : 0);
	int rc;

	if (make_room(m))
		return pl_err_nomem(err);
	rc = PL_MPI_NEXT(PMPI_Isend)(data, (int)bytes, MPI_BYTE, m->rank_of[peer], tag, m->comm,
				     &m->request[m->n_sends]);
	if (rc)
		return failed(rc, "send", err);
	m->chunk[m->n_sends++] = chunk;
	return 0;
}

/* Takes out the requests that have been sent; their chunks to m->sent. How many, or -1. */
static int take_sent(struct messages *m, struct pl_err *err)
{
	void *sent = m->sent;
	size_t n = 0;
	int count, rc;

	if (m->n_sends == 0)
		return 0;
	if (m->sent_room < m->room) {
		sent = realloc(m->sent, m->room * sizeof(*m->sent));
		if (!sent)
			return pl_err_nomem(err);
		m->sent = sent;
		m->sent_room = m->room;
	}
	rc = PL_MPI_NEXT(PMPI_Testsome)((int)m->n_sends, m->request, &count, m->index,
					MPI_STATUSES_IGNORE);
	if (rc)
		return failed(rc, "send", err);
	if (count <= 0)
		return 0;
	for (int i = 0; i < count; i++)
		m->sent[i] = m->chunk[m->index[i]];
	for (size_t i = 0; i < m->n_sends; i++) {
		if (m->request[i] == MPI_REQUEST_NULL)
			continue;
		m->request[n] = m->request[i];
		m->chunk[n++] = m->chunk[i];
	}
	m->n_sends = n;
	return count;
}

/* The all-reduce may send more meanwhile. */
static int tell_sent(struct messages *m, struct pl_allreduce *r, struct pl_err *err)
{
	const int n = take_sent(m, err);

	for (int i = 0; i < n; i++)
		if (pl_allreduce_sent(r, m->sent[i], err))
			return -1;
	return n < 0 ? -1 : n > 0;
}

/* Receives it, for nothing but that it is received. */
static void drop(struct kept *k)
{
	void *to = k->bytes > 0 ? malloc((size_t)k->bytes) : NULL;

	if (to || k->bytes == 0)
		PL_MPI_NEXT(PMPI_Mrecv)
	(to, k->bytes, MPI_BYTE, &k->message, MPI_STATUS_IGNORE);
	free(to);
}

static int receive(struct messages *m, struct kept *k, struct pl_allreduce *r, struct pl_err *err)
{
	const uint32_t peer = (uint32_t)m->number[k->status.MPI_SOURCE];
	const uint32_t chunk = (uint32_t)k->status.MPI_TAG / CHUNK;
	const size_t wanted = pl_allreduce_bytes(r, chunk);
	struct pl_chunk_arrival lent = {.is_lent = true}, *a = &lent;
	int rc;

	if (wanted == 0 || (size_t)k->bytes != wanted) {
		drop(k);
		return pl_err_set(err, PL_EINPUT,
				  "process %u sends %d bytes of chunk %u, which has %zu here: the "
				  "processes' buffers differ",
				  peer, k->bytes, chunk, wanted);
	}
	lent.data = pl_allreduce_place(r, chunk, peer);
	if (!lent.data)
		a = pl_chunk_arrival_create(r->transport.spare, wanted);
	if (!a)
		return pl_err_nomem(err);
	a->peer = peer;
	a->signal = k->status.MPI_TAG & SIGNAL;
	rc = PL_MPI_NEXT(PMPI_Mrecv)(a->data, k->bytes, MPI_BYTE, &k->message, MPI_STATUS_IGNORE);
	if (rc) {
		pl_chunk_arrival_free(r->transport.spare, a);
		return failed(rc, "receive", err);
	}
	return pl_allreduce_arrived(r, chunk, a, err);
}

static int keep(struct messages *m, const struct kept *k, struct pl_err *err)
{
	void *array = m->kept;

	if (pl_array_grow(&array, &m->kept_room, m->n_kept, sizeof(*k)))
		return pl_err_nomem(err);
	m->kept = array;
	m->kept[m->n_kept++] = *k;
	return 0;
}

static bool is_of(const struct kept *k, uint8_t call)
{
	return !(k->status.MPI_TAG & ODD) == !(call % 2);
}

/* What was kept is all of one call: of this one, if any is. */
static int receive_kept(struct messages *m, uint8_t call, struct pl_allreduce *r,
			struct pl_err *err)
{
	const size_t n = m->n_kept;

	if (n == 0 || !is_of(&m->kept[0], call))
		return 0;
	m->n_kept = 0;
	for (size_t i = 0; i < n; i++)
		if (receive(m, &m->kept[i], r, err))
			return -1;
	return 1;
}

/* The next message that has come, without what is in it. 1; 0: there is none; -1 with @err set. */
static int probe(const struct messages *m, struct kept *k, struct pl_err *err)
{
	int there;
	const int rc = PL_MPI_NEXT(PMPI_Improbe)(MPI_ANY_SOURCE, MPI_ANY_TAG, m->comm, &there,
						 &k->message, &k->status);

	if (rc)
		return failed(rc, "receive", err);
	if (!there)
		return 0;
	PL_MPI_NEXT(PMPI_Get_count)(&k->status, MPI_BYTE, &k->bytes);
	return 1;
}

static int take(struct messages *m, uint8_t call, struct kept *k, struct pl_allreduce *r,
		struct pl_err *err)
{
	if (k->bytes == 0) {
		m->n_failed++;
		drop(k);
		return pl_err_set(err, PL_ESYSTEM, "process %d has failed",
				  m->number[k->status.MPI_SOURCE]);
	}
	return is_of(k, call) ? receive(m, k, r, err) : keep(m, k, err);
}

static int receive_some(struct messages *m, uint8_t call, struct pl_allreduce *r,
			struct pl_err *err)
{
	int found = receive_kept(m, call, r, err);

	for (int i = 0; found >= 0 && i < TAKEN_MAX; i++) {
		struct kept k;
		const int there = probe(m, &k, err);

		if (there == 0)
			return found;
		if (there < 0 || take(m, call, &k, r, err))
			return -1;
		found = 1;
	}
	return found;
}

static int step(void *self, uint8_t call, struct pl_allreduce *r, struct pl_err *err)
{
	struct messages *m = self;
	const int sent = tell_sent(m, r, err);
	const int received = sent < 0 ? -1 : receive_some(m, call, r, err);

	return sent < 0 || received < 0 ? -1 : sent | received;
}

static void tell_failure(const struct messages *m)
{
	MPI_Request told;

	for (int rank = 0; rank < pl_engine_mode.n; rank++) {
		if (rank == pl_engine_mode.rank)
			continue;
		PL_MPI_NEXT(PMPI_Isend)
		(NULL, 0, MPI_BYTE, rank, 0, m->comm, &told);
		PL_MPI_NEXT(PMPI_Request_free)(&told);
	}
}

/* Tells all others, and goes on until it has heard the same of them: then nothing is on its way any
 * more. What still is after a while is given up. */
static void fail(struct messages *m)
{
	const int64_t end_ns = pl_clock_ns() + FAIL_NS;
	struct kept k;

	tell_failure(m);
	for (size_t i = 0; i < m->n_kept; i++)
		drop(&m->kept[i]);
	while ((m->n_sends > 0 || m->n_failed < pl_engine_mode.n - 1) && pl_clock_ns() < end_ns &&
	       take_sent(m, NULL) >= 0) {
		while (probe(m, &k, NULL) > 0) {
			m->n_failed += k.bytes == 0;
			drop(&k);
		}
		sched_yield();
	}
	for (size_t i = 0; i < m->n_sends; i++) {
		PL_MPI_NEXT(PMPI_Cancel)(&m->request[i]);
		PL_MPI_NEXT(PMPI_Request_free)(&m->request[i]);
	}
}

/* A communicator that others do not end at the same time, or on which a call has failed, stays
 * until MPI_Finalize. */
static void end(void *self, bool has_failed)
{
	struct messages *m = self;

	if (has_failed)
		fail(m);
	else if (m->ends_with_others)
		PL_MPI_NEXT(PMPI_Comm_free)(&m->comm);
	free(m->rank_of);
	free(m->request);
	free(m->chunk);
	free(m->index);
	free(m->sent);
	free(m->kept);
	free(m);
}

size_t pl_engine_mode_chunks_max(void)
{
	const size_t tags = (size_t)pl_engine_mode.tag_max / CHUNK;

	return pl_engine_mode.by_messages && tags < PL_LANE_CHUNKS_MAX ? tags : PL_LANE_CHUNKS_MAX;
}

int pl_engine_mode_messages(struct pl_chunk_carrier *carrier, MPI_Comm comm, bool ends_with_others,
			    struct pl_err *err)
{
	const struct pl_engine_mode *mode = &pl_engine_mode;
	struct messages *m = calloc(1, sizeof(*m));

	if (m)
		m->rank_of = pl_array_create((size_t)mode->n, sizeof(*m->rank_of));
	if (!m || !m->rank_of) {
		free(m);
		return pl_err_nomem(err);
	}
	m->comm = comm;
	m->number = mode->number;
	m->ends_with_others = ends_with_others;
	for (int rank = 0; rank < mode->n; rank++)
		m->rank_of[mode->number[rank]] = rank;
	*carrier = (struct pl_chunk_carrier){send_chunk, step, end, m, pl_engine_mode_chunks_max()};
	return 0;
}
