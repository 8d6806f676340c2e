/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - all-reduces written down for the hosts of a job (plink-schedule(5)) */
#ifndef PLINK_ENGINE_SCHEDULE_H
#define PLINK_ENGINE_SCHEDULE_H

#include "base/err.h"
#include "base/plan/plan.h"
#include "engine/slices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How all-reduces of some sizes are run. */
struct pl_schedule {
	char *algorithm;             /* a word: "two-level" */
	uint64_t size_min, size_max; /* bytes, both included */
	size_t chunk_bytes;          /* 1 to 2^31 - 1 */
	size_t window;               /* chunks that a rank begins ahead; 0: no limit */
	bool any_order;              /* adds of a round are done as they come */
	struct pl_slices slices;     /* between the job's processes */
	/* the tree that they were made for, as in struct pl_rank_tree:
	 * [n_nodes - 1]; n_nodes 0: not known */
	uint32_t *parent;
	size_t n_nodes;
};

#define PL_CONNECTIONS_MAX 16
#define PL_TUNE_PERCENT_MAX 1000

/* Start with {0}, end with fini. */
struct pl_schedules {
	/* the hosts, without orders. Processes are numbered in the order of the hosts, those of a
	 * host one after the other (its slots). */
	struct pl_plan job;
	/* hosts that only add up what processes send them; numbered on from
	 * the processes */
	char **aggregator;
	size_t n_aggregators, aggregators_room;
	size_t n_connections;  /* between two processes that exchange chunks */
	bool is_tuned;         /* may change while the job runs, where there are trees
				*/
	unsigned tune_percent; /* a change of speed of more than this begins a
				* search; 0: of 20 */
	struct pl_schedule *schedule;
	size_t n, room;
};

void pl_schedule_fini(struct pl_schedule *s);
void pl_schedules_fini(struct pl_schedules *s);

/* Adds a schedule; takes *schedule, on success. 0, or -1: out of memory. */
int pl_schedules_add_take(struct pl_schedules *s, struct pl_schedule *schedule);

/* The first schedule for all-reduces of so many bytes; NULL: none. */
const struct pl_schedule *pl_schedules_find(const struct pl_schedules *s, uint64_t bytes);

/* Of processes and aggregators. */
size_t pl_schedules_members(const struct pl_schedules *s);

/* Runs every slice symbolically (pl_slice_check). 0, or -1 with @err set, which names the schedule
 * and the slice. */
int pl_schedules_add_up(const struct pl_schedules *s, struct pl_err *err);

/* 0, or -1 with @err set, PL_EINPUT: there are aggregators, which only
 * libplink runs. */
int pl_schedules_without_aggregators(const struct pl_schedules *s, struct pl_err *err);

/* Both: can they be run? */
int pl_schedules_check(const struct pl_schedules *s, struct pl_err *err);

/*
 * Reads schedules; @s must be {0}. 0, or -1 with @s {0}: PL_EINPUT with the place, PL_ESYSTEM. What
 * is read may still not add up: see the check above.
 */
int pl_schedules_parse(struct pl_schedules *s, struct pl_text *text, struct pl_err *err);

/* Writes schedules that can be read back. 0, or -1 with @err set: PL_EINPUT for hosts that
 * pl_plan_write would refuse too, PL_ESYSTEM; the caller flushes and closes. */
int pl_schedules_write(const struct pl_schedules *s, FILE *out, struct pl_err *err);

#endif
