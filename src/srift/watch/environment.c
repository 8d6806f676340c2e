/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c - what a hook is told, by variables and a file of machines */
#include "config.h"

#include "base/text/number.h"
#include "src/srift/watch/drive.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_whole(struct pl_words *env, const char *name, uint64_t n)
{
	char s[32];

	snprintf(s, sizeof(s), "%" PRIu64, n);
	pl_words_add_pair(env, name, s);
}

/* Without a limit: empty. */
static void put_number(struct pl_words *env, const char *name, double x)
{
	char s[PL_DOUBLE_CHARS];

	pl_words_add_pair(env, name, isfinite(x) ? pl_double_format(s, x) : "");
}

static const char *kind_name(bool spot)
{
	return spot ? "spot" : "on-demand";
}

/* Lines "HOST TYPE KIND SAMPLES" of the machines that are up, by rank. */
static void write_hosts(const struct pl_nodes *nodes, FILE *f)
{
	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *node = &nodes->node[i];

		if (node->state == PL_NODE_UP)
			fprintf(f, "%s %s %s %" PRIu64 "\n", node->name, node->type,
				kind_name(node->spot), node->batch);
	}
}

static int make_hosts(const struct pl_nodes *nodes, struct pl_scratch_shared *file,
		      struct pl_err *err)
{
	FILE *f = pl_scratch_memory();

	if (f)
		write_hosts(nodes, f);
	if (!f || pl_scratch_share(file, "plink-srift", f))
		return pl_err_errno(err, "cannot make a file for SRIFT_HOSTS");
	return 0;
}

static void put_node(const struct srift_drive *d, const struct pl_act *act, struct pl_words *env)
{
	const struct pl_node *node = &d->watch.nodes.node[act->node];

	pl_words_add_pair(env, "SRIFT_HOST", node->name);
	pl_words_add_pair(env, "SRIFT_TYPE", node->type);
	pl_words_add_pair(env, "SRIFT_KIND", kind_name(node->spot));
	if (act->kind != PL_ACT_STOP)
		return;
	pl_words_add_pair(env, "SRIFT_REASON",
			  node->state == PL_NODE_LOST         ? "lost"
			  : d->watch.phase == PL_WATCH_FINISH ? "done"
							      : "surplus");
}

static void put_part(const struct srift_drive *d, const struct pl_act *act, struct pl_words *env)
{
	const struct pl_fleet_part *part = &d->watch.fleet.part[act->part];

	pl_words_add_pair(env, "SRIFT_TYPE", part->type);
	pl_words_add_pair(env, "SRIFT_KIND", kind_name(part->spot));
	put_whole(env, "SRIFT_COUNT", act->count);
	put_whole(env, "SRIFT_SAMPLES", part->batch);
	put_number(env, "SRIFT_PRICE", part->price_per_hour);
}

static int put_question(const struct srift_drive *d, struct pl_words *env)
{
	struct pl_srift_fleet up = {0};
	struct pl_replan q;
	char *all = NULL;
	size_t len;
	FILE *to;

	if (pl_watch_question(&d->watch, srift_drive_now_s(d), &q, &up)) {
		pl_srift_fleet_fini(&up);
		return -1;
	}
	put_whole(env, "SRIFT_REMAINING", q.iterations);
	put_number(env, "SRIFT_LEFT", q.left_s);
	put_number(env, "SRIFT_LEFT_AS_IS", q.left_as_is_s);
	put_number(env, "SRIFT_BUDGET_LEFT", q.dollars);
	put_number(env, "SRIFT_SOLVE_TIME", q.solve_s);
	pl_srift_fleet_fini(&up);
	to = open_memstream(&all, &len);
	for (size_t i = 0; to && i < q.n_excluded; i++)
		fprintf(to, "%s%s:%s", i ? " " : "", kind_name(q.excluded[i].spot),
			q.excluded[i].type);
	if (!to || fclose(to)) {
		free(all);
		return -1;
	}
	pl_words_add_pair(env, "SRIFT_EXCLUDED", all);
	free(all);
	return 0;
}

/* So that a hook done again after a restart can know itself again. */
static void put_id(const struct srift_drive *d, const struct pl_act *act, struct pl_words *env)
{
	char id[64];

	snprintf(id, sizeof(id), "srift-%.0f-%" PRIu64, d->place.began_s * 1000, act->id);
	pl_words_add_pair(env, "SRIFT_ID", id);
}

int srift_environment(const struct srift_drive *d, const struct pl_act *act, struct pl_words *env,
		      struct pl_scratch_shared *hosts, struct pl_err *err)
{
	int rc = 0;

	put_id(d, act, env);
	put_number(env, "SRIFT_TIME", srift_drive_now_s(d));
	put_whole(env, "SRIFT_ITERATION", d->watch.iteration);
	put_whole(env, "SRIFT_ITERATIONS", d->watch.job.iterations);
	if (d->o->batch)
		put_whole(env, "SRIFT_BATCH", d->o->batch);
	if (act->kind == PL_ACT_LAUNCH)
		put_part(d, act, env);
	else if (act->kind == PL_ACT_STOP || act->kind == PL_ACT_CHECKPOINT)
		put_node(d, act, env);
	else if (act->kind == PL_ACT_SEARCH)
		rc = put_question(d, env);
	if (rc || env->failed)
		return pl_err_nomem(err);
	if (act->kind == PL_ACT_STOP || act->kind == PL_ACT_LAUNCH)
		return 0;
	if (make_hosts(&d->watch.nodes, hosts, err))
		return -1;
	pl_words_add_pair(env, "SRIFT_HOSTS", hosts->path);
	return env->failed ? pl_err_nomem(err) : 0;
}
