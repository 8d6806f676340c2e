/* SPDX-License-Identifier: BSD-3-Clause */
/* history.h - what the journals of earlier jobs tell of machines */
#ifndef PLINK_PLANNER_SRIFT_WATCH_HISTORY_H
#define PLINK_PLANNER_SRIFT_WATCH_HISTORY_H

#include "base/err.h"
#include "base/text/text.h"
#include "planner/srift/watch/replan.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}. */
struct pl_history_mean {
	double sum_s;
	size_t n; /* observations */
};

/* NaN: no observation. */
double pl_history_mean_s(const struct pl_history_mean *mean);

/* A machine from its launch until it was lost or stopped, or until the end of the journal. */
struct pl_history_life {
	double held_s;
	bool lost;
	double start_h; /* hour of the day of its launch, UTC, [0, 24) */
};

/* Stages of a launch: the machine is requested, then provisioned, then staged, then up. */
enum pl_start_stage { PL_START_PROVISION, PL_START_STAGE, PL_START_BOOT };
#define PL_START_STAGES 3

/* Machines of one type and kind. */
struct pl_history_kind {
	char *type;
	bool spot;
	/* from the request for machines until they are up: one for a launch, however many machines
	 * it brings */
	struct pl_history_mean launch;
	/* of the machines whose stages were all told: from one to the next */
	struct pl_history_mean stage[PL_START_STAGES];
	struct pl_history_life *life; /* [n_machines] */
	size_t n_machines, room, n_lost;
	/* of all machines; over n_lost: mean lifetime, if losses come at a constant rate */
	double held_s;
};

/* Start with {0}, end with fini. */
struct pl_history {
	struct pl_history_kind *kind; /* [n] in the order of their launches */
	size_t n, room;
	struct pl_history_mean launch; /* of all kinds */
	/* from the loss of a machine until the model is saved */
	struct pl_history_mean save;
};

/* Adds what a journal (plink-watch(5)) tells; one without a line tells nothing, and an incomplete
 * last line does not count. 0, or -1 with @err set, and @h may then have a part: PL_EINPUT with the
 * place. */
int pl_history_parse(struct pl_history *h, struct pl_text *text, struct pl_err *err);
int pl_history_read(struct pl_history *h, const char *path, struct pl_err *err);
void pl_history_fini(struct pl_history *h);

/* Where a launch was observed, the mean becomes the expected time. */
void pl_history_take_times(const struct pl_history *h, struct pl_replan_times *times);

#endif
