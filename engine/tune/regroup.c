/* SPDX-License-Identifier: BSD-3-Clause */
/* regroup.c - schedules whose ranks are grouped in another way */
#include "config.h"

#include "engine/tune/regroup.h"

#include "base/mem.h"
#include "engine/levels.h"

#include <string.h>

bool pl_schedule_is_grouped(const struct pl_schedule *s, size_t n_ranks)
{
	return s->n_nodes > n_ranks + 1 && s->n_nodes != 2 * n_ranks + 1;
}

/* The groups that ranks are in. */
struct groups {
	const uint32_t *parent; /* [n_nodes - 1] */
	size_t n_nodes;
};

static int copy_groups(struct pl_schedule *to, const struct groups *g)
{
	if (g->n_nodes == 0)
		return 0;
	to->parent = pl_array_create(g->n_nodes, sizeof(*to->parent));
	if (!to->parent)
		return -1;
	memcpy(to->parent, g->parent, (g->n_nodes - 1) * sizeof(*to->parent));
	to->n_nodes = g->n_nodes;
	return 0;
}

/* Of the schedule, with these groups and the slices for them, or, NULL, with
 * its own. */
static int add_copy(struct pl_schedules *to, const struct pl_schedule *s, const struct groups *g,
		    struct pl_err *err)
{
	const struct groups own = {s->parent, s->n_nodes};
	struct pl_schedule copy = *s;
	int rc = 0;

	copy.algorithm = pl_string_copy(s->algorithm, strlen(s->algorithm));
	copy.slices = (struct pl_slices){0};
	copy.parent = NULL;
	copy.n_nodes = 0;
	if (!copy.algorithm || copy_groups(&copy, g ? g : &own) ||
	    (!g && pl_slices_copy(&copy.slices, &s->slices)))
		rc = pl_err_nomem(err);
	if (rc == 0 && g) {
		const struct pl_rank_tree tree = {.n_ranks = pl_hosts_ranks(&to->job.hosts),
						  .n_nodes = g->n_nodes,
						  .parent = g->parent,
						  .slices_max = s->slices.n};

		rc = pl_levels_slices(&copy.slices, &tree, err);
	}
	if (rc == 0 && pl_schedules_add_take(to, &copy))
		rc = pl_err_nomem(err);
	if (rc)
		pl_schedule_fini(&copy);
	return rc;
}

int pl_regroup(struct pl_schedules *to, const struct pl_schedules *s, const uint32_t *parent,
	       size_t n_nodes, struct pl_err *err)
{
	const size_t n_ranks = pl_hosts_ranks(&s->job.hosts);
	const struct groups groups = {parent, n_nodes};
	int rc = 0;

	to->n_connections = s->n_connections;
	to->is_tuned = s->is_tuned;
	to->tune_percent = s->tune_percent;
	for (size_t h = 0; rc == 0 && h < s->job.hosts.n; h++)
		if (pl_hosts_add(&to->job.hosts, &s->job.hosts.v[h]))
			rc = pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		const struct pl_schedule *one = &s->schedule[i];
		const bool grouped = pl_schedule_is_grouped(one, n_ranks);

		rc = add_copy(to, one, grouped ? &groups : NULL, err);
	}
	if (rc)
		pl_schedules_fini(to);
	return rc;
}
