/* SPDX-License-Identifier: BSD-3-Clause */
/* double.h - a libnccl.so.2 without GPU: what its parts have in common */
/*
 * A test double. Its processes are real and the data moves between them, but on
 * one machine and in memory that a process can read; streams are ignored, a
 * call is over when it returns (or, where it does not block, when the
 * communicator says so). What the real library leaves undefined is an error
 * here and is logged. See README of this folder for its environment and its
 * log.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_DOUBLE_H
#define PLINK_TESTS_SHIM_NCCL_DOUBLE_H

#include "shim/nccl/prototypes.h"
#include "tests/shim-nccl/double/board.h"

#include <pthread.h>

/* As in the real library: X is weak, pX the same function and strong. Calls of
 * X from inside go by the dynamic linker, too. */
#define NCCL_FUNCTION(type, name, ...)                                         \
	__attribute__((visibility("default"), alias(#name)))                   \
	type p##name(__VA_ARGS__);                                             \
	__attribute__((visibility("default"), weak)) type name(__VA_ARGS__)

enum func {
	FUNC_INIT,
	FUNC_SPLIT,
	FUNC_SHRINK,
	FUNC_GROW,
	FUNC_FINALIZE,
	FUNC_SUSPEND,
	FUNC_RESUME,
	FUNC_WINDOW,
	FUNC_ALLREDUCE,
	FUNC_BROADCAST,
	FUNC_REDUCE,
	FUNC_ALLGATHER,
	FUNC_REDUCESCATTER,
	FUNC_ALLTOALL,
	FUNC_GATHER,
	FUNC_SCATTER,
	FUNC_SEND,
	FUNC_RECV,
	FUNC_PUT,
	FUNC_WAIT,
	N_FUNCS
};

const char *func_name(int func);

/* An operator that was made for one communicator. */
struct user_op {
	struct user_op *next;
	int handle;
	ncclDataType_t type;
	const void *device; /* where the scalar lies, NULL: it is here */
	char scalar[8];
};

/* A buffer or a window of one communicator; its address is the handle. */
struct held {
	struct held *next;
	struct ncclComm *comm;
	void *buff;
	size_t size;
	bool is_window;
	int number; /* of a window: the same for all members */
};

/* One member of a communicator. Never freed: a call with one that was destroyed
 * is told from one with a new one. */
struct ncclComm {
	struct ncclComm *next; /* all of the process */
	struct board_place place;
	char name[BOARD_NAME];
	int n, rank, device, n_children, n_windows;
	int serial; /* in the process */
	bool blocking, split_share, aborted_parent;
	bool live, finalized, revoked, suspended;
	bool has_grow_id; /* of ncclCommGetUniqueId, and nobody has grown
			   * by it */
	int *n_sharing;   /* communicators that have their memory in common */
	atomic_int state; /* ncclResult_t, for ncclCommGetAsyncError */
	atomic_bool stop; /* aborted or revoked: nobody waits any longer */
	struct user_op *ops;
	int n_running; /* background threads, under the process' lock */
	bool revoking; /* what is stopped at the group's end is revoked */
	struct ncclComm *next_stopped; /* of a group */
};

/* One call, or a communicator to be made. */
struct job {
	struct job *next, *follower;
	enum func func;
	struct ncclComm *comm;    /* the new one, where one is made */
	struct ncclComm *parent;  /* of a split */
	struct ncclComm **result; /* where a split says its child */
	struct board_call call;
	const void *send;
	void *recv;
	char id[BOARD_NAME]; /* name of the new communicator */
	struct user_op op;   /* as it was at the call: it may be gone since */
	int color, key, n, rank;
	int window;      /* of a signal: where its data go */
	uint64_t offset; /* and from which byte on */
	uint64_t ticket; /* of the first of a group: in the stream, or 0 */
	ncclResult_t rc;
};

/* comm.c */
struct ncclComm *comm_create(const ncclConfig_t *config,
			     const struct ncclComm *parent);
/* Is it one of this process, alive and, where @ready, done with what
 * came last? */
ncclResult_t comm_check(const struct ncclComm *comm, const char *caller);
ncclResult_t comm_ready(struct ncclComm *comm, const char *caller);
/* A child has its memory in common with @parent. */
void comm_share(struct ncclComm *child, struct ncclComm *parent);
ncclResult_t comm_seat(struct ncclComm *comm, const char *name, int n, int rank,
		       const char *how);
void comm_release(struct ncclComm *comm, const char *how);
/* Until nothing of it runs. */
void comm_idle(struct ncclComm *comm);
struct ncclComm *comm_first(void);
extern pthread_mutex_t process_lock;
extern pthread_cond_t process_changed;

/* An id with that name in it, and the name that all come to who have these. */
void id_put(ncclUniqueId *id, const char *name);
ncclResult_t id_name(char name[BOARD_NAME], const ncclUniqueId *ids, int n_ids);

/* group.c; a job must come from malloc(). */
ncclResult_t group_add(struct job *job, const char *caller);
/* The same of what makes a communicator from another one, which in NCCL returns
 * ncclSuccess also where it is only in progress. */
ncclResult_t group_add_child(struct job *job, const char *caller);
ncclResult_t group_start(void);
ncclResult_t group_end(void);
/* Where a call fails before it becomes a job: the group fails, too. */
ncclResult_t group_fail(ncclResult_t rc);
/* Jobs of the group, dropped: as if none had been called. */
int group_drop(void);

/* A communicator is aborted or revoked: its calls are told to stop at once, and
 * waited for by now or, in a group, at the group's end. */
void group_stop(struct ncclComm *comm, bool revoke);

/* stream.c: what does not block is done in the order of its calls, by each
 * device, as by a stream of it: a ticket in that order, a wait until all before
 * are done, and that this one is. */
uint64_t stream_enter(int device);
void stream_wait(int device, uint64_t ticket);
void stream_leave(int device);

/* jobs.c: makes them all; the worst of what they returned. */
ncclResult_t jobs_run(struct job *first);

/* move.c: the data of a collective */
ncclResult_t move_collective(struct job *job);

/* reduce.c: to[count] = to (op) from; divide by n for ncclAvg. */
void reduce_into(void *to, const void *from, size_t count, ncclDataType_t type,
		 int op);
void reduce_divide(void *to, size_t count, ncclDataType_t type, int n);
void reduce_scale(void *to, size_t count, ncclDataType_t type,
		  const void *scalar);

/* ops.c: a copy of the operator; false where @handle is none of @comm. */
bool op_find(const struct ncclComm *comm, int handle, struct user_op *op);

/* signal.c */
ncclResult_t signal_put(const struct job *job);
ncclResult_t signal_wait(const struct job *job);

/* held.c: a copy of the window by its handle or, where that is NULL, by its
 * number; false where it is none of @comm. */
bool held_window(const struct ncclComm *comm, ncclWindow_t window, int number,
		 struct held *found);
void held_report(const struct ncclComm *comm);

/* log.c: a line of the log each; a fault is a wrong use of the library. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
ncclResult_t log_fault(ncclResult_t rc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *log_last_fault(void);

#endif
