/* SPDX-License-Identifier: BSD-3-Clause */
/* replan.c - what is left of a job's limits, and machines for it */
#include "config.h"

#include "planner/srift/watch/replan.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const pl_time_origin_name[] = {
	[PL_TIME_ASSUMED] = "assumed",
	[PL_TIME_GIVEN] = "given",
	[PL_TIME_MEASURED] = "measured",
};

double pl_replan_ready_s(const struct pl_replan_clock *c)
{
	double ready_s = c->now_s;

	if (isnan(c->interrupted_s))
		return ready_s;
	ready_s = fmax(ready_s, c->interrupted_s + c->times.solve_s);
	if (!c->detached)
		ready_s = fmax(ready_s, c->interrupted_s + c->times.detach_s);
	return ready_s;
}

double pl_replan_left_s(const struct pl_replan_clock *c, bool launching)
{
	return c->limit_s - pl_replan_ready_s(c) - (launching ? c->times.launch_s : 0);
}

int pl_fleet_add(struct pl_srift_fleet *fleet, const struct pl_fleet_part *part)
{
	struct pl_fleet_part copy = *part;

	if (pl_array_grow((void **)&fleet->part, &fleet->room, fleet->n, sizeof(*fleet->part)))
		return -1;
	copy.type = pl_string_copy(part->type, strlen(part->type));
	if (!copy.type)
		return -1;
	fleet->part[fleet->n++] = copy;
	return 0;
}

void pl_srift_fleet_fini(struct pl_srift_fleet *fleet)
{
	for (size_t i = 0; i < fleet->n; i++)
		free(fleet->part[i].type);
	free(fleet->part);
	*fleet = (struct pl_srift_fleet){0};
}

size_t pl_fleet_machines(const struct pl_srift_fleet *fleet)
{
	size_t n = 0;

	for (size_t i = 0; i < fleet->n; i++)
		n += fleet->part[i].count;
	return n;
}

double pl_fleet_per_hour(const struct pl_srift_fleet *fleet)
{
	double per_hour = 0;

	for (size_t i = 0; i < fleet->n; i++)
		per_hour += (double)fleet->part[i].count * fleet->part[i].price_per_hour;
	return per_hour;
}
