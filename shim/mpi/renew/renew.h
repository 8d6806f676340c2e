/* SPDX-License-Identifier: BSD-3-Clause */
/* renew.h - another order, or other groups, while the job runs */
/*
 * With PLINK_REORDER=TIME the processes meet in some of their blocking
 * collectives on MPI_COMM_WORLD: in shadow mode for another order, in engine
 * mode for schedules with other groups. All count these calls, and rank 0 says
 * at each meeting how many calls later the next one is. At a meeting the
 * processes measure the round trips between their hosts, or take what rank 0
 * has been answered: by plink-order, which runs as a process of its own between
 * two meetings.
 */
#ifndef PLINK_SHIM_MPI_RENEW_RENEW_H
#define PLINK_SHIM_MPI_RENEW_RENEW_H

#include "base/err.h"
#include "base/plan/plan.h"
#include "shim/mpi/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In percent: what gains less is not taken. */
#define PL_RENEW_GAIN 20
/* Changes in a job: each order takes a communicator. */
#define PL_RENEW_CHANGES 16

/* Calls until the next meeting; 0: there is none. */
extern uint64_t pl_renew_left;

/* A question to plink-order, and its answer. Start with {.fd = -1}, end with
 * fini. */
struct pl_renew_asked {
	int fd; /* where the answer comes from; -1: none is awaited */
	char *text;
	size_t got, room;
};

/* What plink-order is asked. */
struct pl_renew_question {
	const struct pl_hosts *hosts;
	const size_t *host_at; /* [hosts->n]: their order in the matrix */
	const double *rtt_ns;  /* [n * n], by host */
	const char *script;    /* of sh; the matrix is its descriptor 3 */
	char *const *words;    /* its arguments, up to NULL */
	/* writes what follows the matrix, NULL: nothing. 0 or -1. */
	int (*write_more)(FILE *to);
};

enum pl_renew_answer {
	PL_RENEW_STAY, /* nothing gains enough */
	PL_RENEW_TAKE,
	PL_RENEW_FAILED
};

/* What a mode can change, in numbers that rank 0 sends to all. */
struct pl_renew_mode {
	const char *what;             /* "order" */
	const struct pl_hosts *hosts; /* of the job */
	size_t n;                     /* numbers */
	/* with these round trips; pl_renew_ask */
	int (*ask)(struct pl_renew_asked *asked, const double *rtt_ns, struct pl_err *err);
	/* What sh and plink-order have written; their end was good. Sets
	 * number[n], by what they are now; changes @text. */
	enum pl_renew_answer (*parse)(char *text, int *number);
	/* Collective over @comm: makes what number[n] say, on all processes or
	 * on none. 0, or -1, for which the errors of MPI are too. */
	int (*take)(MPI_Comm comm, const int *number);
	/* What number[n] say, for people. */
	void (*describe)(const int *number, char *to, size_t bytes);
};

/*
 * Collective over MPI_COMM_WORLD: does rank 0 want changes, and can there be
 * any? host_of[]: of @mode's hosts, by rank. number[mode->n] are what is in
 * use, @why_not why nothing can change, or NULL, the same on all. @verbose:
 * rank 0 says later what it does. @mode must last.
 */
bool pl_renew_begin(const struct pl_renew_mode *mode, const int *host_of, const int *number,
		    const char *why_not, bool verbose);
void pl_renew_end(void);

/* order.c: the same in shadow mode, before any shadow is made. @plan must have
 * one order, which all calls take, and last. */
bool pl_renew_begin_order(const struct pl_plan *plan, const int *host_of, bool verbose);
void pl_renew_end_order(void);

/* A meeting: collective over MPI_COMM_WORLD. */
void pl_renew_meet(void);

/* Are blocking collectives of that communicator counted? Only those that do not
 * fail for their arguments, in this process alone. */
static inline bool pl_renew_counts(MPI_Comm comm)
{
	return __builtin_expect(pl_renew_left != 0, 0) && comm == MPI_COMM_WORLD;
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
 * diagonal stays. row[n] is scratch. 0, or -1: an error of MPI.
 */
int pl_renew_measure(MPI_Comm comm, const int *leader, size_t n, size_t mine, double *row,
		     double *rtt_ns);

/* ask.c: starts sh, and so plink-order. 0, or -1 with @err set. */
int pl_renew_ask(struct pl_renew_asked *asked, const struct pl_renew_question *question,
		 struct pl_err *err);

/* Has it answered? Does not wait. 1: asked->text, which fini frees, has the
 * answer, and nothing is awaited any more; 0: not yet; -1, with @err set: it
 * has failed, or there is more than @most bytes. */
int pl_renew_read(struct pl_renew_asked *asked, size_t most, struct pl_err *err);

void pl_renew_asked_fini(struct pl_renew_asked *asked);

#endif
