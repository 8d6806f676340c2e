/* SPDX-License-Identifier: BSD-3-Clause */
/* plink.h - libplink: find the order of hosts in which a collective is cheapest; all-reduce by a
 * schedule */
/*
 * pl_solve() finds an order of hosts (a pl_answer) from measurements between
 * the hosts (a pl_net) and from what a job will do (a pl_goal). pl_cost()
 * computes the cost of any order, and pl_saved reads the orders of a plan.
 * A pl_communicator connects the processes of a job, which then all-reduce by
 * the schedules of a pl_schedule_file. libplink(3) explains all of this.
 * Objects come from a create, read or solve function and are released by their
 * destroy function, which accepts NULL. Whatever a function returns as const
 * belongs to the object and lives as long as it does. The library prints
 * nothing and has no global state: different threads may use different objects.
 */
#ifndef PLINK_H
#define PLINK_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The codes of errors; also the exit statuses of plink's tools. */
enum pl_error_code {
	PL_ERROR_NONE = 0,
	PL_ERROR_PARTIAL = 1, /* a pair of hosts was never measured */
	PL_ERROR_USAGE = 2,   /* no such option, value, host or combination */
	PL_ERROR_INPUT = 3,   /* a file does not have the right form */
	PL_ERROR_SYSTEM = 4,  /* memory, the file system, other processes */
};

/* Filled by a function that fails; functions accept NULL instead. */
struct pl_error {
	enum pl_error_code code;
	char text[896]; /* "FILE:LINE:COL: what is wrong", one line */
};

/* "0.1" */
const char *pl_version(void);

/*
 * A network: hosts, numbered from 0 in the order given, and for every two of them the cost of a
 * message from one to the other.
 */
struct pl_net;

/* Reads any file that plink-matrix(5) describes; "-" is standard input. NULL with @error filled. */
struct pl_net *pl_net_read(const char *path, struct pl_error *error);

/* A network of hosts with these names, without any measurement yet. A name consists of letters,
 * digits, '.', '-' and '_', or is an IPv6 address. NULL with @error filled. */
struct pl_net *pl_net_create(const char *const *name, size_t n_hosts, struct pl_error *error);

/* A network of the hosts host[n_hosts] of another one, each once, in this order, with their slots,
 * measurements and bandwidths. NULL with @error filled. */
struct pl_net *pl_net_part(const struct pl_net *net, const size_t *host, size_t n_hosts,
			   struct pl_error *error);

/* Sets the round trip from host @src to @dst, in nanoseconds, more than 0. 0, or -1 with @error
 * filled (PL_ERROR_USAGE): no such host, no such time, or the network was read from a file and
 * holds another quantity. */
int pl_net_set_rtt(struct pl_net *net, size_t src, size_t dst, double rtt_ns,
		   struct pl_error *error);

/* Sets the bandwidth from @src to @dst in bytes per second; fails in the same
 * way. Bandwidths are optional; they affect orders for calls that have a
 * size. */
int pl_net_set_bandwidth(struct pl_net *net, size_t src, size_t dst, double bytes_per_s,
			 struct pl_error *error);

/* Sets the number of processes on a host, from 1 to 4096; it is 1 unless set. 0, or -1 with @error
 * filled. */
int pl_net_set_slots(struct pl_net *net, size_t host, int slots, struct pl_error *error);

size_t pl_net_hosts(const struct pl_net *net);

/* NULL: there is no such host. */
const char *pl_net_name(const struct pl_net *net, size_t host);

/* The number of the host; -1: no host, or several, have that name. */
ptrdiff_t pl_net_find(const struct pl_net *net, const char *name);

/* The measurement from host @src to @dst, in the unit of pl_net_unit(); NaN: none. */
double pl_net_cell(const struct pl_net *net, size_t src, size_t dst);

/* The unit of cells and costs: "ns", "us", "ms" or "s"; "levels" for distances that were stated,
 * not measured. */
const char *pl_net_unit(const struct pl_net *net);

void pl_net_destroy(struct pl_net *net);

/* The calls of the job, and how to search for their order. */
struct pl_goal;

/* A goal with the defaults: a ring all-reduce of the thesis, searched with seed 1 in one thread.
 * NULL: out of memory. */
struct pl_goal *pl_goal_create(void);

/*
 * Sets an option of plink-order(1), by its name without dashes, to a value in
 * the form of the command line: collective, algorithm, impl, size, segment,
 * root, job, symmetrize, method, bound, moves, time, threads, seed, pin,
 * min-gain. "job" names a file of plink-job(5): the order is then for all its
 * communicators, and costs are the predicted time of a step, for which there is
 * no bound. One more, digest: "none" saves the time of the matrix's digest,
 * which a written plan then lacks; "matrix" is the default.
 * 0, or -1 with @error filled (PL_ERROR_USAGE) and the goal unchanged.
 * Combinations of options are checked only when the goal is used.
 */
int pl_goal_set(struct pl_goal *goal, const char *option, const char *value,
		struct pl_error *error);

/* Makes pl_solve() return soon with the best order so far once *flag is not 0 (set by a signal
 * handler or another thread). NULL, the default: never. Borrowed. */
void pl_goal_stop_by(struct pl_goal *goal, const volatile sig_atomic_t *flag);

void pl_goal_destroy(struct pl_goal *goal);

/*
 * Computes the cost of the order host_at[n_hosts], the host at each position, which must have every
 * host once. The ranks of a host follow one another. 0 with *cost in the network's unit, or -1 with
 * @error filled.
 */
int pl_cost(const struct pl_net *net, const struct pl_goal *goal, const size_t *host_at,
	    double *cost, struct pl_error *error);

/* An order that pl_solve() has found. */
struct pl_answer;

/* Finds the cheapest order within the goal's limits; it never costs more than the given order
 * (except with "pin"). Without "time", the same network, goal and version give the same result.
 * NULL with @error filled. */
struct pl_answer *pl_solve(const struct pl_net *net, const struct pl_goal *goal,
			   struct pl_error *error);

/* [hosts of the network] the host at each position, from rank 0 on. */
const size_t *pl_answer_order(const struct pl_answer *answer);

/* Costs in the network's unit: of the order found, of the given order, and a lower bound for any
 * order (NaN: no bound was asked for). */
double pl_answer_cost(const struct pl_answer *answer);
double pl_answer_given(const struct pl_answer *answer);
double pl_answer_bound(const struct pl_answer *answer);

/* 1: no order is cheaper, which is proved; else 0. */
int pl_answer_is_best(const struct pl_answer *answer);

/* 1: the flag of pl_goal_stop_by() ended the search; else 0. */
int pl_answer_was_stopped(const struct pl_answer *answer);

/* Writes a plan (plink-plan(5)) for plink's preload libraries; "-" is standard output. A file
 * appears whole or not at all. 0, or -1 with @error filled. */
int pl_answer_write_plan(const struct pl_answer *answer, const char *path, struct pl_error *error);

void pl_answer_destroy(struct pl_answer *answer);

/* The orders of a plan. */
struct pl_saved;

/* NULL with @error filled. */
struct pl_saved *pl_saved_read(const char *path, struct pl_error *error);

size_t pl_saved_hosts(const struct pl_saved *saved);

/* NULL: there is no such host. */
const char *pl_saved_name(const struct pl_saved *saved, size_t host);

/* [hosts] the order for calls of that collective ("allreduce") with that many bytes; the default
 * order of the plan if @collective is NULL. NULL: the plan has no such order. */
const size_t *pl_saved_order(const struct pl_saved *saved, const char *collective, uint64_t bytes);

void pl_saved_destroy(struct pl_saved *saved);

/* The schedules of a job's all-reduces: who sends what to whom. */
struct pl_schedule_file;

/* Reads a file that plink-schedule(5) describes, and checks that its schedules add up every
 * contribution once. NULL with @error filled. */
struct pl_schedule_file *pl_schedule_file_read(const char *path, struct pl_error *error);

/* The processes of the job. */
size_t pl_schedule_file_processes(const struct pl_schedule_file *file);

/* 1: it has a schedule for all-reduces of that many bytes; else 0. */
int pl_schedule_file_has(const struct pl_schedule_file *file, uint64_t bytes);

void pl_schedule_file_destroy(struct pl_schedule_file *file);

/*
 * The connections of one process of a job to those that it exchanges data with. All processes make
 * the same calls in the same order. Only one thread at a time may use a communicator.
 */
struct pl_communicator;

/* Where the processes of a job meet, the same for all of them. */
struct pl_meeting {
	/* "HOST:PORT" or "[IPV6]:PORT" of rank 0, which listens there */
	const char *address;
	const char *secret; /* that the job's processes alone know */
};

/*
 * Connects the processes of the job, which the caller numbers from 0 in any order. Each of them
 * finds its host in the file as libplink-mpi(7) describes; every host must have as many processes
 * as its slots. Rank 0 needs a descriptor for each of the others, and strangers keep nobody
 * waiting. Each wait, also in the calls below, ends after @timeout_s seconds (more than 0). @file
 * must last until destroy. NULL with @error filled, for instance with the rank that has not come.
 */
struct pl_communicator *pl_communicator_meet(const struct pl_schedule_file *file, size_t rank,
					     const struct pl_meeting *meeting, double timeout_s,
					     struct pl_error *error);

/*
 * The same for processes that can already speak to one another. gather() is called once: it brings
 * the @bytes bytes of each process to all of them, all[processes * bytes] by rank. They contain the
 * job's key. It returns 0, or -1 with @error filled, after which connecting fails with that error.
 */
struct pl_communicator *
pl_communicator_create(const struct pl_schedule_file *file, size_t rank,
		       int (*gather)(void *with, const void *mine, size_t bytes, void *all,
				     struct pl_error *error),
		       void *with, double timeout_s, struct pl_error *error);

enum pl_element {
	PL_ELEMENT_INT8,
	PL_ELEMENT_UINT8,
	PL_ELEMENT_INT16,
	PL_ELEMENT_UINT16,
	PL_ELEMENT_INT32,
	PL_ELEMENT_UINT32,
	PL_ELEMENT_INT64,
	PL_ELEMENT_UINT64,
	PL_ELEMENT_HALF,     /* IEEE 754 binary16 */
	PL_ELEMENT_BFLOAT16, /* the upper half of a float */
	PL_ELEMENT_FLOAT,
	PL_ELEMENT_DOUBLE,
};

enum pl_reduction {
	PL_REDUCTION_SUM, /* integers wrap around */
	PL_REDUCTION_PRODUCT,
	PL_REDUCTION_MIN,
	PL_REDUCTION_MAX,
	PL_REDUCTION_BAND, /* bits of integers */
	PL_REDUCTION_BOR,
	PL_REDUCTION_BXOR,
};

/* The bytes of an element; 0: there is no such type. */
size_t pl_element_bytes(enum pl_element type);

/*
 * All-reduces @count elements in place, by the file's first schedule for that
 * many bytes. All processes get the same bits, and get them again in the next
 * run. 0, or -1 with @error filled: PL_ERROR_USAGE, and nothing has happened,
 * if there is no such schedule, type or operation; otherwise the communicator
 * has closed its connections, so that the other processes fail, too, and
 * every further call fails with the same error.
 */
int pl_communicator_allreduce(struct pl_communicator *communicator, void *buffer, size_t count,
			      enum pl_element type, enum pl_reduction op, struct pl_error *error);

/*
 * Parameters that live where gradients are added up: on the hubs of the schedule (plink-hub(1)), or
 * on processes that add up a part. There, they change by an optimiser's step with the sum of all
 * processes' gradients.
 *
 * All parameters of a key, from 0 to 65535, go in one buffer, whose size says which schedule is
 * taken. In each slice of that schedule one host must have the whole sum before any result is sent,
 * and the schedules must not be tuned. All processes make the same calls in the same order, with
 * the same optimiser.
 */
enum pl_optimizer_kind {
	PL_OPTIMIZER_SUM,  /* the scaled sum becomes the parameters */
	PL_OPTIMIZER_SGD,  /* as torch.optim.SGD */
	PL_OPTIMIZER_ADAM, /* as torch.optim.Adam */
};

struct pl_optimizer {
	enum pl_optimizer_kind kind;
	/* of the sum: 1 / processes for the mean of their gradients */
	double scale;
	double rate, weight_decay;
	double momentum, dampening;   /* SGD; momentum 0: without */
	int nesterov;                 /* SGD with momentum; 1: Nesterov's */
	double beta1, beta2, epsilon; /* ADAM */
};

/*
 * Stores the parameters of rank 0, which come back in the buffers of all processes; comes first for
 * each key. The optimiser starts anew. This and the next three return 0, or -1 with @error filled:
 * PL_ERROR_USAGE, and nothing has been sent, for a key without parameters or with another number of
 * them, and for a schedule that does not do; otherwise as pl_communicator_allreduce().
 */
int pl_hub_put(struct pl_communicator *communicator, uint32_t key, float *parameters, size_t count,
	       struct pl_error *error);

/* Has the parameters change by the sum of the gradients, whose buffer may hold anything afterwards.
 * Returns when this process's gradients are on their way, not when those of others have come. */
int pl_hub_push(struct pl_communicator *communicator, uint32_t key, float *gradients, size_t count,
		const struct pl_optimizer *optimizer, struct pl_error *error);

/* Gets the parameters after all pushes of all processes that come before this call in their
 * order. */
int pl_hub_pull(struct pl_communicator *communicator, uint32_t key, float *parameters, size_t count,
		struct pl_error *error);

/* Both at once, which takes less time: gradients in, parameters out. */
int pl_hub_push_pull(struct pl_communicator *communicator, uint32_t key, float *buffer,
		     size_t count, const struct pl_optimizer *optimizer, struct pl_error *error);

/*
 * Asynchronous calls: each process pushes and pulls by itself. All processes call pl_hub_async()
 * like the functions above; what each calls of the next two then needs no other process, until it
 * calls any function above. Hubs must add up all of the schedule. A process that has pushed a key
 * more than @staleness times more often than another one, which has not ended these calls, waits
 * for it: all push each key as often. Errors as above.
 */
int pl_hub_async(struct pl_communicator *communicator, uint32_t staleness, struct pl_error *error);

/* Has the parameters change by the gradients of this process alone, and gets the newest parameters,
 * which other processes may have changed, too. */
int pl_hub_async_push_pull(struct pl_communicator *communicator, uint32_t key, float *buffer,
			   size_t count, const struct pl_optimizer *optimizer,
			   struct pl_error *error);

/* Gets the newest parameters. */
int pl_hub_async_pull(struct pl_communicator *communicator, uint32_t key, float *parameters,
		      size_t count, struct pl_error *error);

void pl_communicator_destroy(struct pl_communicator *communicator);

#ifdef __cplusplus
}
#endif

#endif
