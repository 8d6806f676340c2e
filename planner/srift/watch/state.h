/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - all that a watch knows, as JSON, and back */
#ifndef PLINK_PLANNER_SRIFT_WATCH_STATE_H
#define PLINK_PLANNER_SRIFT_WATCH_STATE_H

#include "planner/json.h"
#include "planner/srift/watch/watch.h"

#include <jansson.h>

/* The caller's; NULL: no memory. What the job is (watch->job) is not in it. */
json_t *pl_watch_save(const struct pl_srift_watch *w);

/* Into a watch that pl_watch_init() made. 0, or -1 with it as it was and @err
 * set: PL_EINPUT with the place. */
int pl_watch_restore(struct pl_srift_watch *w, const struct pl_json_at *at,
		     struct pl_err *err);

#endif
