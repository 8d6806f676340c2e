/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - groups as JSON */
#include "config.h"

#include "src/groups/work.h"

#include "src/common/json.h"

/* The names of the groups that group @a is in, the widest first, and its own.
 */
static json_t *path(const struct groups *g, size_t a)
{
	const struct pl_scheduled s = groups_scheduled(g);
	const size_t host = g->levels.level[0].first[a];
	json_t *names = json_array();

	for (size_t k = g->levels.n; k-- > 0;) {
		char name[PL_SCHEDULED_NAME];

		pl_list_add(&names, pl_tool_json_text(pl_scheduled_name(
					    &s, k, g->levels.level[k].group[host], name)));
	}
	return names;
}

static json_t *group(const struct groups *g, size_t a)
{
	json_t *hosts = json_array();

	for (size_t i = 0; i < g->m->hosts.n; i++)
		if (g->number[i] == a)
			pl_list_add(&hosts, pl_tool_json_text(g->label[i]));
	return json_pack("{so so so so}", "path", path(g, a), "hosts", hosts, "inner",
			 pl_tool_json_number(g->group[a].inner), "outer",
			 pl_tool_json_number(g->group[a].outer));
}

static json_t *embedding(const struct groups *g)
{
	const struct pl_embed_options *o = &g->o->embed;

	if (!g->embedded)
		return json_null();
	return json_pack("{sf sb sI ss sf sI sI sI sf}", "alpha", o->alpha, "heights", o->heights,
			 "dimensions", (json_int_t)g->e.dimensions, "weights",
			 g->o->weight == PL_WEIGHT_EQUAL ? "equal" : "relative", "bend", o->bend,
			 "starts", (json_int_t)o->starts, "steps", (json_int_t)o->steps, "seed",
			 (json_int_t)o->seed, "loss", g->e.loss);
}

static json_t *score(const struct pl_affinity *a)
{
	return json_pack("{so sI sI sI}", "score", pl_tool_json_number(pl_affinity_score(a)),
			 "right", (json_int_t)a->right, "wrong", (json_int_t)a->wrong, "tied",
			 (json_int_t)a->tied);
}

static json_t *scores(const struct groups *g)
{
	if (!g->judged)
		return json_null();
	return json_pack("{so so sI}", "measured", score(&g->measured), "embedded",
			 score(&g->estimated), "hosts_not_told", (json_int_t)g->n_strangers);
}

int groups_write_json(const struct groups *g, FILE *out, struct pl_err *err)
{
	json_t *groups = json_array(), *all;

	for (size_t a = 0; a < g->n_groups; a++)
		pl_list_add(&groups, group(g, a));
	all = json_pack("{ss ss ss sI sI sI so so so}", "kind",
			g->o->balanced || g->too_few ? "groups" : "racks", "quantity",
			pl_quantity_name(g->m->layer[0].quantity), "unit",
			pl_unit_name(g->m->layer[0].unit), "n", (json_int_t)g->m->hosts.n,
			"ways_missing", (json_int_t)g->n_missing, "hosts_unknown",
			(json_int_t)g->n_unknown, "groups", groups, "embedding", embedding(g),
			"paia", scores(g));
	return pl_tool_json_write(GROUPS_TOOL, all, out, err);
}
