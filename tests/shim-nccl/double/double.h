/* SPDX-License-Identifier: BSD-3-Clause */
/* double.h - a libnccl.so.2 without GPU: what its parts have in common */
/*
 * A test double. Its processes are real and data moves between them, but on one machine and in
 * memory that a process can read. It ignores streams: a call is over when it returns or, if it does
 * not block, when the communicator says so. What the real library leaves undefined is an error
 * here, and is logged. README in this folder has its environment variables and its log.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_DOUBLE_H
#define PLINK_TESTS_SHIM_NCCL_DOUBLE_H

#include "shim/nccl/prototypes.h"
#include "tests/shim-nccl/double/board.h"

#include <pthread.h>

/* As in the real library, X is weak, and pX is the same function and strong. Calls of X from inside
 * also go through the dynamic linker. */
#define NCCL_FUNCTION(type, name, ...)                                                             \
	__attribute__((visibility("default"), alias(#name))) type p##name(__VA_ARGS__);            \
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
	const void *device; /* where the scalar is; NULL: in the next member */
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

/* One member of a communicator. Never freed, so that a call with a destroyed communicator can be
 * told from one with a new communicator. */
struct ncclComm {
	struct ncclComm *next; /* all of the process */
	struct board_place place;
	char name[BOARD_NAME];
	int n, rank, device, n_children, n_windows;
	int serial; /* in the process */
	bool blocking, split_share, aborted_parent;
	bool live, finalized, revoked, suspended;
	bool has_grow_id; /* an id of ncclCommGetUniqueId by which none has
			     grown yet */
	int *n_sharing;   /* number of communicators that share memory */
	atomic_int state; /* ncclResult_t, for ncclCommGetAsyncError */
	atomic_bool stop; /* aborted or revoked: nobody waits any longer */
	struct user_op *ops;
	int n_running;                 /* background threads, under the process' lock */
	bool revoking;                 /* is it revoked, not aborted, at the group's end? */
	struct ncclComm *next_stopped; /* of a group */
};

/* One call, or a communicator to be made. */
struct job {
	struct job *next, *follower;
	enum func func;
	struct ncclComm *comm;    /* the new one, where one is made */
	struct ncclComm *parent;  /* of a split */
	struct ncclComm **result; /* where a split writes its child */
	struct board_call call;
	const void *send;
	void *recv;
	char id[BOARD_NAME]; /* name of the new communicator */
	struct user_op op;   /* as at the call: the program may have destroyed it
				since */
	int color, key, n, rank;
	int window;      /* of a signal: where its data go */
	uint64_t offset; /* and from which byte on */
	uint64_t ticket; /* in the stream, of a group's first job; or 0 */
	ncclResult_t rc;
};

/* comm.c */
struct ncclComm *comm_create(const ncclConfig_t *config, const struct ncclComm *parent);
/* Is it a communicator of this process and alive? For comm_ready, also: is its last operation
 * over? */
ncclResult_t comm_check(const struct ncclComm *comm, const char *caller);
ncclResult_t comm_ready(struct ncclComm *comm, const char *caller);
/* A child has its memory in common with @parent. */
void comm_share(struct ncclComm *child, struct ncclComm *parent);
ncclResult_t comm_seat(struct ncclComm *comm, const char *name, int n, int rank, const char *how);
void comm_release(struct ncclComm *comm, const char *how);
/* Waits until no call of it is running. */
void comm_idle(struct ncclComm *comm);
struct ncclComm *comm_first(void);
extern pthread_mutex_t process_lock;
extern pthread_cond_t process_changed;

/* Puts a name into an id; and gives the name that all members get from the same ids. */
void id_put(ncclUniqueId *id, const char *name);
ncclResult_t id_name(char name[BOARD_NAME], const ncclUniqueId *ids, int n_ids);

/* group.c; a job must come from malloc(). */
ncclResult_t group_add(struct job *job, const char *caller);
/* The same for a job that makes a communicator from another one: as in NCCL, it returns ncclSuccess
 * even if the job is only in progress. */
ncclResult_t group_add_child(struct job *job, const char *caller);
ncclResult_t group_start(void);
ncclResult_t group_end(void);
/* For a call that fails before it becomes a job: the group fails, too. */
ncclResult_t group_fail(ncclResult_t rc);
/* Drops the jobs of the group, as if none had been called. Returns how many there were. */
int group_drop(void);

/* Aborts or revokes a communicator: tells its calls to stop at once, and waits for them, now or, in
 * a group, at the group's end. */
void group_stop(struct ncclComm *comm, bool revoke);

/* stream.c: calls that do not block run in the order of the calls on each device, as in one stream.
 * Takes a ticket in that order; waits until all tickets before this one are done; marks this one as
 * done. */
uint64_t stream_enter(int device);
void stream_wait(int device, uint64_t ticket);
void stream_leave(int device);

/* jobs.c: does all jobs; returns the worst of their results. */
ncclResult_t jobs_run(struct job *first);

/* move.c: the data of a collective */
ncclResult_t move_collective(struct job *job);

/* reduce.c: to[count] = to (op) from; divide by n for ncclAvg. */
void reduce_into(void *to, const void *from, size_t count, ncclDataType_t type, int op);
void reduce_divide(void *to, size_t count, ncclDataType_t type, int n);
void reduce_scale(void *to, size_t count, ncclDataType_t type, const void *scalar);

/* ops.c: a copy of the operator; false where @handle is none of @comm. */
bool op_find(const struct ncclComm *comm, int handle, struct user_op *op);

/* signal.c */
ncclResult_t signal_put(const struct job *job);
ncclResult_t signal_wait(const struct job *job);

/* held.c: a copy of the window by its handle or, where that is NULL, by its number; false where it
 * is none of @comm. */
bool held_window(const struct ncclComm *comm, ncclWindow_t window, int number, struct held *found);
void held_report(const struct ncclComm *comm);

/* log.c: each writes a line to the log. A fault is a wrong use of the
 * library. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
ncclResult_t log_fault(ncclResult_t rc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *log_last_fault(void);

#endif
