/* SPDX-License-Identifier: BSD-3-Clause */
/* plink.h - for programs: the order of hosts in which a collective is
 * cheapest */
/*
 * From what was measured between hosts (a pl_net) and what a job will do (a
 * pl_goal), pl_solve() finds an order (a pl_answer), pl_cost() says what any
 * order costs, and pl_saved reads the orders of a plan. libplink(3) has the
 * whole story.
 *
 * Objects come from create, read or solve and go with their destroy, which
 * takes NULL. Whatever a function returns as const belongs to the object and
 * lives as long. Nothing is printed, nothing is global: distinct objects may be
 * used by distinct threads.
 */
#ifndef PLINK_H
#define PLINK_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions fail with, and the exit statuses of plink's tools. */
enum pl_error_code {
	PL_ERROR_NONE = 0,
	PL_ERROR_PARTIAL = 1, /* a pair of hosts was never measured */
	PL_ERROR_USAGE = 2,   /* no such option, value, host or combination */
	PL_ERROR_INPUT = 3,   /* a file is not what it should be */
	PL_ERROR_SYSTEM = 4,  /* memory, the file system */
};

/* Filled by a function that fails and takes one; NULL may be given instead. */
struct pl_error {
	enum pl_error_code code;
	char text[896]; /* "FILE:LINE:COL: what is wrong", one line */
};

/* "0.1" */
const char *pl_version(void);

/*
 * A network: hosts, numbered from 0 in the order given, and for every two of
 * them what a message costs from one to the other.
 */
struct pl_net;

/* From any file that plink-matrix(5) describes; "-" is standard input. NULL
 * with @error filled. */
struct pl_net *pl_net_read(const char *path, struct pl_error *error);

/* Of hosts with these names, between which nothing is known yet. A name is made
 * of letters, digits, '.', '-' and '_', or is an IPv6 address. NULL with @error
 * filled. */
struct pl_net *pl_net_create(const char *const *name, size_t n_hosts,
			     struct pl_error *error);

/* The round trip from host @src to @dst in nanoseconds, more than 0. 0, or -1
 * with @error filled (PL_ERROR_USAGE): no such host, no such time, or a network
 * that was read and holds other quantities. */
int pl_net_set_rtt(struct pl_net *net, size_t src, size_t dst, double rtt_ns,
		   struct pl_error *error);

/* Bytes a second from @src to @dst; the same. Needed for no order; with sizes,
 * orders follow it. */
int pl_net_set_bandwidth(struct pl_net *net, size_t src, size_t dst,
			 double bytes_per_s, struct pl_error *error);

/* Processes on a host, 1 unless set; from 1 to 4096. 0, or -1 with @error
 * filled. */
int pl_net_set_slots(struct pl_net *net, size_t host, int slots,
		     struct pl_error *error);

size_t pl_net_hosts(const struct pl_net *net);

/* NULL: there is no such host. */
const char *pl_net_name(const struct pl_net *net, size_t host);

/* The host's number; -1: none, or several, have that name. */
ptrdiff_t pl_net_find(const struct pl_net *net, const char *name);

/* What was measured from host to host, in the unit of pl_net_unit(); NaN:
 * nothing. */
double pl_net_cell(const struct pl_net *net, size_t src, size_t dst);

/* "ns", "us", "ms", "s": the unit of cells and costs; "levels" of told
 * distances. */
const char *pl_net_unit(const struct pl_net *net);

void pl_net_destroy(struct pl_net *net);

/* What the job will do, and how its order is to be looked for. */
struct pl_goal;

/* A ring all-reduce as the thesis has it, searched with seed 1 in one thread.
 * NULL: no memory. */
struct pl_goal *pl_goal_create(void);

/*
 * Sets an option of plink-order(1), by its name without dashes, to a value as
 * on the command line: collective, algorithm, impl, size, segment, root,
 * symmetrize, method, bound, moves, time, threads, seed, pin, min-gain. 0, or
 * -1 with @error filled (PL_ERROR_USAGE) and the goal as it was. Whether
 * options go together is known only when the goal is used.
 */
int pl_goal_set(struct pl_goal *goal, const char *option, const char *value,
		struct pl_error *error);

/* Where *flag becomes other than 0 (by a signal handler, another thread)
 * pl_solve() comes back soon with the best order so far. NULL, as at first:
 * never. Borrowed. */
void pl_goal_stop_by(struct pl_goal *goal, const volatile sig_atomic_t *flag);

void pl_goal_destroy(struct pl_goal *goal);

/*
 * What the hosts cost in the order host_at[n_hosts]: the host of each position;
 * the ranks of a host follow one another. 0 with *cost, in the network's unit,
 * or -1 with @error filled; host_at must have every host once.
 */
int pl_cost(const struct pl_net *net, const struct pl_goal *goal,
	    const size_t *host_at, double *cost, struct pl_error *error);

/* An order that was found. */
struct pl_answer;

/* The cheapest order that can be found within the goal's limits, never dearer
 * than the given one (but for "pin"). Without "time" the same bytes for the
 * same network, goal and version. NULL with @error filled. */
struct pl_answer *pl_solve(const struct pl_net *net, const struct pl_goal *goal,
			   struct pl_error *error);

/* [hosts of the network] which host is at each position: from rank 0 on. */
const size_t *pl_answer_order(const struct pl_answer *answer);

/* Costs in the network's unit: of the order, of the hosts as given, and what no
 * order undercuts; NaN: no bound was asked for. */
double pl_answer_cost(const struct pl_answer *answer);
double pl_answer_given(const struct pl_answer *answer);
double pl_answer_bound(const struct pl_answer *answer);

/* 1: it is proved that no order is cheaper; else 0. */
int pl_answer_is_best(const struct pl_answer *answer);

/* 1: the search was ended by the flag of pl_goal_stop_by(); else 0. */
int pl_answer_was_stopped(const struct pl_answer *answer);

/* Writes a plan (plink-plan(5)) for plink's preload libraries; "-" is standard
 * output. Other files appear whole or not at all. 0, or -1 with @error
 * filled. */
int pl_answer_write_plan(const struct pl_answer *answer, const char *path,
			 struct pl_error *error);

void pl_answer_destroy(struct pl_answer *answer);

/* The orders of a plan. */
struct pl_saved;

/* NULL with @error filled. */
struct pl_saved *pl_saved_read(const char *path, struct pl_error *error);

size_t pl_saved_hosts(const struct pl_saved *saved);

/* NULL: there is no such host. */
const char *pl_saved_name(const struct pl_saved *saved, size_t host);

/* [hosts] the order for that collective ("allreduce") of so many bytes; NULL:
 * the plan's default order. NULL: the plan has none for it. */
const size_t *pl_saved_order(const struct pl_saved *saved,
			     const char *collective, uint64_t bytes);

void pl_saved_destroy(struct pl_saved *saved);

#ifdef __cplusplus
}
#endif

#endif
