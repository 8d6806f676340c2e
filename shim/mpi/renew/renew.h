/* SPDX-License-Identifier: BSD-3-Clause */
/* renew.h - in shadow mode, another order while the job runs */
/*
 * With PLINK_REORDER=TIME the processes meet in some of their blocking
 * collectives on MPI_COMM_WORLD. All count these calls, and rank 0 says at each
 * meeting how many calls later the next one is. At a meeting the processes
 * measure the round trips between their hosts, or take another order. The order
 * is found by plink-order, which runs as a process of its own between two
 * meetings.
 */
#ifndef PLINK_SHIM_MPI_RENEW_RENEW_H
#define PLINK_SHIM_MPI_RENEW_RENEW_H

#include "base/plan/plan.h"
#include "shim/mpi/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In percent: an order that gains less is not taken. */
#define PL_RENEW_GAIN 20
/* New orders of a job: each takes a communicator. */
#define PL_RENEW_ORDERS 16

/* Calls until the next meeting; 0: there is none. */
extern uint64_t pl_renew_left;

/* Collective over MPI_COMM_WORLD, before any shadow is made: does rank 0 want
 * new orders? @plan must have one order, which all calls take. @verbose: rank 0
 * says why not, and later what it does. */
bool pl_renew_begin(const struct pl_plan *plan, const int *host_of,
		    bool verbose);
void pl_renew_end(void);

/* A meeting: collective over MPI_COMM_WORLD. */
void pl_renew_meet(void);

/* Are blocking collectives of that communicator counted? Only those that do not
 * fail for their arguments, in this process alone. */
static inline bool pl_renew_counts(MPI_Comm comm)
{
	return __builtin_expect(pl_renew_left != 0, 0) &&
	       comm == MPI_COMM_WORLD;
}

static inline void pl_renew_count(void)
{
	if (--pl_renew_left == 0)
		pl_renew_meet();
}

/*
 * measure.c: collective over the first processes of all hosts, rank leader[i]
 * of @comm for host @i < n; @mine is the host of this one. Rank 0, the first of
 * some host, gets the round trips rtt_ns[n * n], the least of several; the
 * diagonal is 0. 0, or -1: no memory, or an error of MPI.
 */
int pl_renew_measure(MPI_Comm comm, const int *leader, size_t n, size_t mine,
		     double *rtt_ns);

/* A question that has been asked. Start with {.fd = -1}, end with fini. */
struct pl_renew_asked {
	int fd; /* where the answer comes from; -1: none is awaited */
	char *text;
	size_t got, room;
	char failed[128]; /* of the last answer, FAILED: why */
};

/*
 * ask.c: starts plink-order with these round trips between the plan's hosts,
 * and with the plan's order, which is in use. 0, or -1 with @err set.
 */
int pl_renew_ask(struct pl_renew_asked *asked, const struct pl_plan *plan,
		 const double *rtt_ns, struct pl_err *err);

enum pl_renew_answer {
	PL_RENEW_NOT_YET,
	PL_RENEW_STAY,  /* no order gains enough */
	PL_RENEW_ORDER, /* host_at[n] is a better one */
	PL_RENEW_FAILED
};

/* Has plink-order answered? Does not wait. After any other answer than NOT_YET
 * nothing is awaited any more. */
enum pl_renew_answer pl_renew_read(struct pl_renew_asked *asked,
				   const struct pl_plan *plan, size_t *host_at);

void pl_renew_asked_fini(struct pl_renew_asked *asked);

#endif
