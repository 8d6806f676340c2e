/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned-job.h - a job that is simulated: what its ranks send, how long that takes, and what the
 * tuner makes of it */
#ifndef PLINK_TESTS_ENGINE_TUNED_JOB_H
#define PLINK_TESTS_ENGINE_TUNED_JOB_H

#include "base/rng.h"
#include "engine/tune/retune.h"
#include "engine/tune/tuner.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define N_MAX 16
#define NODES_MAX (2 * N_MAX + 1)

/* A job of one schedule, and the network: rates of ranks and groups. */
struct job {
	struct pl_schedules schedules, tuned;
	struct pl_schedule schedule;
	struct pl_rank_tree tree;
	uint32_t parent[NODES_MAX];
	double rate[NODES_MAX];
	struct pl_tuner *tuner;
	struct pl_rng rng;
	double noise; /* of times, either way */
	unsigned n_steps;
	bool lacks_memory; /* a plan may not become schedules */
	size_t of;         /* the schedule that most bytes go by, as the tuner is told
			    */
};

static const struct pl_schedules *now(const struct job *j)
{
	return j->tuned.n ? &j->tuned : &j->schedules;
}

/* Seconds of a byte by the schedule in force. */
static double seconds(const struct job *j)
{
	return pl_slices_seconds(&now(j)->schedule[0].slices, &j->tree, j->rate);
}

/* Passes the flow through all cards and uplinks on its way: adds @part to what goes through them,
 * and returns the longest that one of them takes. */
static double pass(const struct job *j, size_t src, size_t dst, double part, double *out,
		   double *in)
{
	double longest = 0;

	while (src != dst)
		if (src < dst) {
			out[src] += part;
			longest = fmax(longest, out[src] / j->rate[src]);
			src = j->parent[src];
		} else {
			in[dst] += part;
			longest = fmax(longest, in[dst] / j->rate[dst]);
			dst = j->parent[dst];
		}
	return longest;
}

/* Flows are busy as long as the slowest card or uplink on their way. */
static void run(const struct job *j, const struct pl_slices *slices, double *bytes, double *busy_s)
{
	const size_t n = j->tree.n_ranks;
	double out[NODES_MAX] = {0}, in[NODES_MAX] = {0}, weight = 0;

	for (size_t i = 0; i < slices->n; i++)
		weight += (double)slices->slice[i].weight;
	for (size_t i = 0; i < n * n; i++)
		bytes[i] = busy_s[i] = 0;
	for (size_t i = 0; i < slices->n; i++)
		for (size_t k = 0; k < slices->slice[i].n_transfers; k++) {
			const struct pl_slice_transfer *t = &slices->slice[i].transfer[k];
			const double part = (double)slices->slice[i].weight / weight;

			bytes[t->src * n + t->dst] += part;
			pass(j, t->src, t->dst, part, out, in);
		}
	for (size_t i = 0; i < n * n; i++)
		if (bytes[i] > 0)
			busy_s[i] = pass(j, i / n, i % n, 0, out, in);
}

/* An interval, and what the tuner does then. */
static void interval(struct job *j)
{
	double bytes[N_MAX * N_MAX], busy_s[N_MAX * N_MAX];
	const double factor = 1 + j->noise * (2 * pl_rng_double(&j->rng) - 1);
	struct pl_tuner_sight sight = {.traffic = {j->tree.n_ranks, bytes, busy_s},
				       .schedule = j->of,
				       .bytes_per_s = 1 / (factor * seconds(j)),
				       .now = now(j)};
	struct pl_err err = {0};

	run(j, &now(j)->schedule[0].slices, bytes, busy_s);
	if (!pl_tuner_step(j->tuner, &sight))
		return;
	j->n_steps++;
	pl_schedules_fini(&j->tuned);
	if (pl_tuner_plan(j->tuner) &&
	    pl_retune(&j->tuned, &j->schedules, pl_tuner_plan(j->tuner), &err) && !j->lacks_memory)
		ok(false, "%s", err.text);
}

static void intervals(struct job *j, unsigned n)
{
	while (n-- > 0)
		interval(j);
}

/* Ranks in groups of @per_group; 1: each alone. Cards of rate 4, and of groups of several an uplink
 * of rate 4. */
static void begin(struct job *j, size_t n, size_t per_group)
{
	const size_t n_groups = n / per_group;
	struct pl_err err;

	*j = (struct job){.schedule = {.algorithm = strdup("all"),
				       .chunk_bytes = 1024,
				       .size_min = n * 4096,
				       .size_max = UINT64_MAX}};
	pl_rng_init(&j->rng, 7, 1);
	for (size_t v = 0; v < n; v++) {
		j->parent[v] = (uint32_t)(n + v / per_group);
		pl_hosts_add(&j->schedules.job.hosts, &(struct pl_host){.name = "h", .slots = 1});
	}
	for (size_t g = 0; g < n_groups; g++)
		j->parent[n + g] = (uint32_t)(n + n_groups);
	for (size_t v = 0; v < n + n_groups; v++)
		j->rate[v] = 4;
	j->tree = (struct pl_rank_tree){
		.n_ranks = n, .n_nodes = n + n_groups + 1, .parent = j->parent};
	j->schedule.n_nodes = j->tree.n_nodes;
	j->schedule.parent = j->parent;
	if (pl_levels_slices(&j->schedule.slices, &j->tree, &err))
		ok(false, "%s", err.text);
	j->schedules.schedule = &j->schedule;
	j->schedules.n = 1;
	j->tuner = pl_tuner_create(&j->schedules);
	intervals(j, 4);
}

static void end(struct job *j)
{
	pl_tuner_destroy(j->tuner);
	pl_schedules_fini(&j->tuned);
	pl_slices_fini(&j->schedule.slices);
	free(j->schedule.algorithm);
	pl_hosts_fini(&j->schedules.job.hosts);
}

#endif
