/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetimes.h - how long machines lived that may be taken away, and how long others took to come
 * (plink-lifetimes(5)) */
#ifndef PLINK_PLANNER_TRANSIENT_LIFETIMES_H
#define PLINK_PLANNER_TRANSIENT_LIFETIMES_H

#include "base/err.h"
#include "base/text/text.h"
#include "planner/srift/watch/history.h"
#include "planner/transient/prices.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_LIFE_MAX_S 1e9 /* of any time in the file */

/* A machine from its launch until it was taken away, or until nobody looked any more: then it lived
 * at least so long. */
struct pl_life {
	double s;
	bool lost;
	double start_h; /* hour of the day, [0, 24); NaN: not known */
};

extern const char *const pl_start_stage_name[PL_START_STAGES];

/* Machines of one type in one region. */
struct pl_life_group {
	char *type, *region; /* region "-": not known */
	struct pl_life *life;
	size_t n, room, n_lost;
	double held_s; /* of all lives */
	struct pl_history_mean stage[PL_START_STAGES];
	struct pl_history_mean launch; /* all stages together */
	double *launch_s;              /* [n_launches]: each of those of files */
	size_t n_launches, launches_room;
	/* until a worker on a machine that is up computes: one that was just launched, or one that
	 * has run a worker before */
	struct pl_history_mean cold, warm;
	struct pl_prices prices; /* of spot machines */
};

/* Groups in the order of the file. Start with {0}, end with fini. */
struct pl_lifetimes {
	struct pl_life_group *group;
	size_t n, room;
	/* the provider takes away each machine at this age; 0: at none */
	double limit_s;
};
void pl_lifetimes_fini(struct pl_lifetimes *l);

/* Adds the lines of a file, or the spot machines of a journal of plink-srift
 * watch. Lives that reach the limit count as not lost. 0, or
 * -1 with @err set: PL_EINPUT with the place; @l may then have a part. */
int pl_lifetimes_parse(struct pl_lifetimes *l, struct pl_text *text, struct pl_err *err);
int pl_lifetimes_read(struct pl_lifetimes *l, const char *path, struct pl_err *err);

/* Adds the spot machines of journals, in region "-". 0, or -1: out of
 * memory. */
int pl_lifetimes_add_history(struct pl_lifetimes *l, const struct pl_history *h);

/* The group of that type and region (each with its length); NULL: there is none. With @region NULL,
 * the only group of that type; *n gets how many there are. */
const struct pl_life_group *pl_lifetimes_find(const struct pl_lifetimes *l, const char *type,
					      const char *region, size_t *n);

/* The same, which must have a life. NULL with @err set: PL_EINPUT if there is none, PL_EUSAGE if
 * there are several; with the names of those known. */
const struct pl_life_group *pl_lifetimes_want(const struct pl_lifetimes *l, const char *type,
					      const char *region, struct pl_err *err);

/* The group of that name, made if need be; NULL: out of memory. */
struct pl_life_group *pl_lifetimes_group(struct pl_lifetimes *l, const char *type, size_t type_len,
					 const char *region, size_t region_len);

/* Adds a life; negative times do not exist. 0, or -1: out of memory. */
int pl_lifetimes_add(struct pl_life_group *group, struct pl_life life);

#endif
