/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetimes.c - lives and launches of machines, by type and region */
#include "config.h"

#include "planner/transient/lifetimes.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pl_start_stage_name[PL_START_STAGES] = {
	[PL_START_PROVISION] = "provisioned",
	[PL_START_STAGE] = "staged",
	[PL_START_BOOT] = "up",
};

void pl_lifetimes_fini(struct pl_lifetimes *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->group[i].type);
		free(l->group[i].region);
		free(l->group[i].life);
		free(l->group[i].launch_s);
		pl_prices_fini(&l->group[i].prices);
	}
	free(l->group);
	*l = (struct pl_lifetimes){0};
}

static bool is_name(const char *name, const char *s, size_t len)
{
	return strlen(name) == len && memcmp(name, s, len) == 0;
}

const struct pl_life_group *pl_lifetimes_find(const struct pl_lifetimes *l, const char *type,
					      const char *region, size_t *n)
{
	const struct pl_life_group *found = NULL;

	*n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct pl_life_group *g = &l->group[i];

		if (strcmp(g->type, type) || (region && strcmp(g->region, region)))
			continue;
		found = g;
		++*n;
	}
	return *n == 1 ? found : NULL;
}

/* "no lifetime of K80 is known; known are P100 us-east1, ..." */
static void fault_type(const struct pl_lifetimes *l, const char *type, const char *region, size_t n,
		       struct pl_err *err)
{
	char names[300] = "";
	size_t used = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct pl_life_group *g = &l->group[i];

		if (g->n == 0)
			continue;
		if (used + strlen(g->type) + strlen(g->region) + 9 > sizeof(names)) {
			strcpy(names + used, ", ...");
			break;
		}
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s %s",
					 used ? ", " : "", g->type, g->region);
	}
	if (n > 1)
		pl_err_set(err, PL_EUSAGE,
			   "lifetimes of %s are known in %zu regions: choose one with --region; "
			   "known are %s",
			   type, n, names);
	else
		pl_err_set(err, PL_EINPUT, "no lifetime of %s%s%s is known; known are %s", type,
			   region ? " in " : "", region ? region : "", used ? names : "none");
}

const struct pl_life_group *pl_lifetimes_want(const struct pl_lifetimes *l, const char *type,
					      const char *region, struct pl_err *err)
{
	size_t n;
	const struct pl_life_group *g = pl_lifetimes_find(l, type, region, &n);

	if (g && g->n > 0)
		return g;
	fault_type(l, type, region, n, err);
	return NULL;
}

struct pl_life_group *pl_lifetimes_group(struct pl_lifetimes *l, const char *type, size_t type_len,
					 const char *region, size_t region_len)
{
	struct pl_life_group *g;

	for (size_t i = 0; i < l->n; i++)
		if (is_name(l->group[i].type, type, type_len) &&
		    is_name(l->group[i].region, region, region_len))
			return &l->group[i];
	if (pl_array_grow((void **)&l->group, &l->room, l->n, sizeof(*l->group)))
		return NULL;
	g = &l->group[l->n];
	*g = (struct pl_life_group){
		.type = pl_string_copy(type, type_len),
		.region = pl_string_copy(region, region_len),
	};
	if (!g->type || !g->region) {
		free(g->type);
		free(g->region);
		return NULL;
	}
	l->n++;
	return g;
}

int pl_lifetimes_add(struct pl_life_group *group, struct pl_life life)
{
	if (pl_array_grow((void **)&group->life, &group->room, group->n, sizeof(*group->life)))
		return -1;
	group->life[group->n++] = life;
	group->n_lost += life.lost;
	group->held_s += life.s;
	return 0;
}

static void add_mean(struct pl_history_mean *to, const struct pl_history_mean *from)
{
	to->sum_s += from->sum_s;
	to->n += from->n;
}

int pl_lifetimes_add_history(struct pl_lifetimes *l, const struct pl_history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct pl_history_kind *kind = &h->kind[i];
		struct pl_life_group *g;

		if (!kind->spot)
			continue;
		g = pl_lifetimes_group(l, kind->type, strlen(kind->type), "-", 1);
		if (!g)
			return -1;
		add_mean(&g->launch, &kind->launch);
		for (int k = 0; k < PL_START_STAGES; k++)
			add_mean(&g->stage[k], &kind->stage[k]);
		for (size_t k = 0; k < kind->n_machines; k++)
			if (pl_lifetimes_add(g, (struct pl_life){.s = kind->life[k].held_s,
								 .lost = kind->life[k].lost,
								 .start_h = kind->life[k].start_h}))
				return -1;
	}
	return 0;
}
