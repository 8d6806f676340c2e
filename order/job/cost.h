/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h - what a step of a job costs in an order of hosts, kept up to date while hosts change
 * places */
#ifndef PLINK_ORDER_JOB_COST_H
#define PLINK_ORDER_JOB_COST_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "job/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the ranks of a job are: each has a seat, and each seat gets a host. A seat is as many
 * consecutive ranks as a host has slots, or, where ranks may go anywhere, one rank (then hosts have
 * several seats). Borrowed.
 */
struct pl_job_seats {
	size_t n;
	const size_t *seat_of; /* [n_ranks] */
};

/*
 * The cost of a step is the sum over the kinds of
 *
 *     calls x exposed x (cost of the group that is slowest)
 *
 * since the groups of a kind run at the same time. A group costs what the
 * messages of its algorithm's rounds take: its shape (costmodels/shape.h),
 * multiplied by the factor that makes it the sum over the rounds where all hops
 * cost the same. A pipeline costs its hops, there and back, once to fill and
 * drain it, and for each further microbatch, in each part of the model that
 * stages have, the two hops of a stage with its neighbours, of the stage where
 * they cost most. Traffic and all-to-alls of
 * unequal blocks cost the sum over their messages, divided by the number of
 * seats: the mean time that a host sends. Where several groups of a kind have
 * members at a seat, they share the host's cards: their bytes count as many
 * times as groups share a card.
 */
struct pl_job_cost;

struct pl_job_cost_options {
	const struct pl_job *job;
	struct pl_job_seats seats;
	/* one-way costs, in seconds or, with per_byte NULL, in any unit */
	struct pl_costs costs;
	const char *library; /* where the job names none; NULL: the thesis' */
	size_t only;         /* this kind alone; SIZE_MAX: all */
	/* [n_kinds] what each kind's cost is multiplied by; NULL: 1 */
	const double *scale;
};

/* Does the kind count? */
static inline bool pl_job_is_wanted(const struct pl_job_cost_options *o, size_t k)
{
	return o->only == SIZE_MAX || o->only == k;
}

/* The options' pointers must outlive it. At first host 0 has every seat. NULL with @err set:
 * PL_EINPUT for a kind that its library cannot run, naming it; PL_ESYSTEM. */
struct pl_job_cost *pl_job_cost_create(const struct pl_job_cost_options *o, struct pl_err *err);
void pl_job_cost_destroy(struct pl_job_cost *c);

/* Gives the seats the hosts host_at[seats.n] and returns the cost. */
double pl_job_cost_set(struct pl_job_cost *c, const size_t *host_at);

/* Exchanges the hosts of two seats and returns the new cost; the same again takes it back. Time:
 * the number of hops at both seats, times the logarithm of those that compete in a maximum. */
double pl_job_cost_exchange(struct pl_job_cost *c, size_t a, size_t b);

/* The hosts [seats.n] (borrowed), the cost, and what a search minimises: the cost plus a hundredth
 * of the same sum with the mean of the groups in place of the slowest, so that progress in any
 * group counts. */
const size_t *pl_job_cost_order(const struct pl_job_cost *c);
double pl_job_cost_now(const struct pl_job_cost *c);
double pl_job_cost_smooth(const struct pl_job_cost *c);

/* The part of kind @k in the cost. */
double pl_job_cost_kind(const struct pl_job_cost *c, size_t k);

/* Do all orders of the same hosts cost the same? So it is if all groups have all seats and each of
 * these sends to each, all at once. */
bool pl_job_cost_is_even(const struct pl_job_cost *c);

/* Two seats of a hop that determines the cost of the slowest group of a kind,
 * chosen by the random number @pick. 0, or -1: no kind has a hop between
 * seats. */
int pl_job_cost_critical(const struct pl_job_cost *c, uint64_t pick, size_t seats[2]);

#endif
