/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - shared by the files of this folder */
#ifndef PLINK_SHIM_MPI_ENGINE_PARTS_H
#define PLINK_SHIM_MPI_ENGINE_PARTS_H

#include "engine/part.h"
#include "engine/queue.h"
#include "engine/schedule.h"
#include "shim/mpi/engine/mode.h"

#include <sys/socket.h>

/* What the mode has from begin to end. */
struct pl_engine_mode {
	struct pl_schedules schedules;
	struct pl_rank_part part;        /* this process's, in them */
	int rank, n;                     /* in MPI_COMM_WORLD */
	int *number;                     /* [n]: in the schedules, by rank */
	bool *is_peer;                   /* [n]: by number; in any schedule */
	struct sockaddr_storage address; /* where others reach this process */
	int limit_s, tag_max;            /* tag_max: the least of any process */
	bool by_messages;                /* PLINK_TRANSPORT of rank 0 is mpi */
	bool has_threads;                /* any thread may call the library, on all processes
					  */
	bool verbose;                    /* PLINK_VERBOSE of rank 0 */
	struct pl_live *live;            /* PLINK_LIVE; NULL: none */
	struct pl_engine_queue world;
};
extern struct pl_engine_mode pl_engine_mode;

/*
 * link.c: collective over @comm, which has the processes of MPI_COMM_WORLD in their order: connects
 * them and starts @q. A process that cannot passes an @rc other than 0, with @err set. -1, or on
 * all processes the first rank that could not; its @err says why.
 */
int pl_engine_mode_link(struct pl_engine_queue *q, MPI_Comm comm, bool is_request, int rc,
			struct pl_err *err);

/* link.c: the same for a queue from malloc(), of which there are few: NULL on all processes if one
 * of them can have no more, and has said so. It is a request's, or the communicator's. */
struct pl_engine_queue *pl_engine_mode_queue_create(MPI_Comm comm, bool is_request);

/* messages.c: what carries chunks over @comm, which has the processes of
 * MPI_COMM_WORLD and is for this alone; takes it on success. @ends_with_others:
 * all processes end it at the same time. 0, or -1 with @err set: out of
 * memory. */
int pl_engine_mode_messages(struct pl_chunk_carrier *carrier, MPI_Comm comm, bool ends_with_others,
			    struct pl_err *err);

/* How many chunks a call may have, by the transport. */
size_t pl_engine_mode_chunks_max(void);

/* Both wait until all its tasks are done. */
void pl_engine_mode_queue_finish(struct pl_engine_queue *q);
void pl_engine_mode_queue_destroy(struct pl_engine_queue *q, bool is_request);

/* link.c: the library sends and receives on, too: what this process has begun to send may be what
 * another one waits for before it comes to the call. */
void pl_engine_mode_let_library_work(void *with);

/* comms.c: does it have the processes of MPI_COMM_WORLD, in their order? */
bool pl_engine_mode_is_world(MPI_Comm comm);

/* comms.c: the queue of the calls on a communicator, or NULL. With @make, which is for calls that
 * may wait for all processes, creates it if there has been no such call on the communicator. */
struct pl_engine_queue *pl_engine_mode_queue_of(MPI_Comm comm, bool make);

/* comms.c: at the end of the mode. */
void pl_engine_mode_comms_fini(void);

/* allreduce.c: prints, once and if it is wanted, that calls of this kind are the library's; @what
 * is a constant. */
void pl_engine_mode_say_aside(const char *what);

/* allreduce.c: the schedule that a call runs by, or NULL. A call that does not block (@blocks) runs
 * in a thread of the shim's. */
const struct pl_schedule *pl_engine_mode_schedule(const struct pl_engine_mode_call *call,
						  bool blocks);

/* What a task reduces by. */
struct pl_engine_local {
	MPI_Datatype type;
	MPI_Op op;
};

/* allreduce.c: the task of a call; @local must last as long. */
void pl_engine_mode_task(struct pl_engine_task *task, struct pl_engine_local *local,
			 const struct pl_engine_mode_call *call, const struct pl_schedule *s);

/* allreduce.c: raises MPI_ERR_OTHER, which it returns, and says why. */
int pl_engine_mode_raise(MPI_Comm comm, const struct pl_err *err);

/* requests.c: how many requests there are that the library does not know all about; atomic. The
 * functions below are for any requests. */
extern int pl_engine_mode_n_requests;

static inline bool pl_engine_mode_has_requests(void)
{
	return __builtin_expect(__atomic_load_n(&pl_engine_mode_n_requests, __ATOMIC_RELAXED) > 0,
				0);
}

struct pl_engine_look {
	bool is_pending; /* an all-reduce is not done */
	int failed;      /* the first that has failed; -1: none */
};

/* Tells the library which of these requests are done. */
struct pl_engine_look pl_engine_mode_look(int n, const MPI_Request *request);

/* Waits for a change, but not long, and lets the library work. */
void pl_engine_mode_rest(int n, const MPI_Request *request);

/* Has the request failed? */
bool pl_engine_mode_has_failed(MPI_Request request);

/* Ends a request that has failed, as MPI_Wait does, and raises the error, which it returns. */
int pl_engine_mode_end_failed(MPI_Request *request);

/* The request has been started. */
void pl_engine_mode_started(MPI_Request request);

/* May the program free or cancel the request? Not while its all-reduce runs: then *rc is the error,
 * which has been raised. */
bool pl_engine_mode_may_end(MPI_Request request, int *rc);

/* The request is about to be freed. */
void pl_engine_mode_forget(MPI_Request request);

/* The communicator is gone, and its queue will be; all its tasks are done. */
void pl_engine_mode_leave(MPI_Comm comm, const struct pl_engine_queue *q);

/* At the end of the mode. */
void pl_engine_mode_requests_fini(void);

#endif
