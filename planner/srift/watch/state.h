/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the complete state of a watch, to and from JSON */
#ifndef PLINK_PLANNER_SRIFT_WATCH_STATE_H
#define PLINK_PLANNER_SRIFT_WATCH_STATE_H

#include "planner/json.h"
#include "planner/srift/watch/watch.h"

#include <jansson.h>

/* The state without the job (watch->job). Owned by the caller; NULL: out of
 * memory. */
json_t *pl_watch_save(const struct pl_srift_watch *w);

/* Restores the state into a watch made by pl_watch_init(). 0, or -1 with the
 * watch as it was and @err set: PL_EINPUT with the place. */
int pl_watch_restore(struct pl_srift_watch *w, const struct pl_json_at *at,
		     struct pl_err *err);

#endif
