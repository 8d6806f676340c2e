/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tuner.c - what the tuner makes of a network that changes, and of one
 * that does not */
#include "config.h"

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
	size_t of; /* the schedule that most bytes go by, as the tuner is told
		    */
};

static const struct pl_schedules *now(const struct job *j)
{
	return j->tuned.n ? &j->tuned : &j->schedules;
}

/* Seconds of a byte by the schedule in force. */
static double seconds(const struct job *j)
{
	return pl_slices_seconds(&now(j)->schedule[0].slices, &j->tree,
				 j->rate);
}

/* Passes the flow through all cards and uplinks on its way: adds @part to what
 * goes through them, and returns the longest that one of them takes. */
static double pass(const struct job *j, size_t src, size_t dst, double part,
		   double *out, double *in)
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
static void run(struct job *j, double *bytes, double *busy_s)
{
	const struct pl_slices *slices = &now(j)->schedule[0].slices;
	const size_t n = j->tree.n_ranks;
	double out[NODES_MAX] = {0}, in[NODES_MAX] = {0}, weight = 0;

	for (size_t i = 0; i < slices->n; i++)
		weight += (double)slices->slice[i].weight;
	for (size_t i = 0; i < n * n; i++)
		bytes[i] = busy_s[i] = 0;
	for (size_t i = 0; i < slices->n; i++)
		for (size_t k = 0; k < slices->slice[i].n_transfers; k++) {
			const struct pl_slice_transfer *t =
				&slices->slice[i].transfer[k];
			const double part =
				(double)slices->slice[i].weight / weight;

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
	struct pl_tuner_sight sight = {
		.traffic = {j->tree.n_ranks, bytes, busy_s},
		.schedule = j->of,
		.bytes_per_s = 1 / (factor * seconds(j)),
		.now = now(j)};
	struct pl_err err = {0};

	run(j, bytes, busy_s);
	if (!pl_tuner_step(j->tuner, &sight))
		return;
	j->n_steps++;
	pl_schedules_fini(&j->tuned);
	if (pl_tuner_plan(j->tuner) &&
	    pl_retune(&j->tuned, &j->schedules, pl_tuner_plan(j->tuner), &err))
		ok(false, "%s", err.text);
}

static void intervals(struct job *j, unsigned n)
{
	while (n-- > 0)
		interval(j);
}

/* Ranks in groups of @per_group; 1: each alone. Cards of rate 4, and of groups
 * of several an uplink of rate 4. */
static void begin(struct job *j, size_t n, size_t per_group)
{
	const size_t n_groups = n / per_group;
	struct pl_err err;

	*j = (struct job){.schedule = {.algorithm = strdup("all"),
				       .chunk_bytes = 1024,
				       .size_max = UINT64_MAX}};
	pl_rng_init(&j->rng, 7, 1);
	for (size_t v = 0; v < n; v++) {
		j->parent[v] = (uint32_t)(n + v / per_group);
		pl_hosts_add(&j->schedules.job.hosts,
			     &(struct pl_host){.name = "h", .slots = 1});
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

/* The thesis' figure 6.15: a card of 8 slows down to 40 % and recovers. */
static void check_card(void)
{
	struct job j;
	double even;

	begin(&j, 8, 1);
	even = seconds(&j);
	ok(j.n_steps == 0, "a network that stays makes no step");
	j.rate[0] = j.rate[8] = 1.6;
	ok(seconds(&j) > 2.4 * even, "a slow card makes all slow");
	intervals(&j, 12);
	ok(seconds(&j) < 2.5 / 4.375 / 0.95 * 2.5 * even,
	   "it gets fewer masters: %.3f of the time, at best %.3f",
	   seconds(&j) / even / 2.5, 2.5 / 4.375);
	j.rate[0] = j.rate[8] = 4;
	intervals(&j, 20);
	ok(seconds(&j) < even / 0.95, "the card is fast again: %.3f",
	   seconds(&j) / even);
	end(&j);
}

/* An uplink of four at half its rate: 1.5 times as fast as without a change of
 * masters at the most. */
static void check_uplink(void)
{
	struct job j;
	double slow;

	begin(&j, 16, 4);
	j.rate[17] = 2;
	slow = seconds(&j);
	intervals(&j, 14);
	ok(j.n_steps > 0 && seconds(&j) <= slow * 1.0001,
	   "an uplink is slow: %.3f of the time", seconds(&j) / slow);
	end(&j);
}

static void check_noise(void)
{
	struct job j;

	begin(&j, 8, 1);
	j.noise = 0.1;
	intervals(&j, 10000);
	ok(j.n_steps == 0, "10 %% of noise in 10000 intervals: %u steps",
	   j.n_steps);
	end(&j);
}

/* A card that is slow and fast by turns, each time long enough to be seen. */
static void check_flaps(void)
{
	struct job j;
	unsigned early = 0;
	double even;

	begin(&j, 8, 1);
	even = seconds(&j);
	for (unsigned i = 0; i < 3000; i++) {
		if (i == 1500)
			early = j.n_steps;
		j.rate[0] = j.rate[8] = i / 3 % 2 ? 4 : 1.6;
		interval(&j);
	}
	ok(j.n_steps > 0 && j.n_steps - early < 10 && j.n_steps < 60,
	   "a link that flaps is not followed for ever: %u steps in 1500 "
	   "intervals, %u in 1500 more",
	   early, j.n_steps - early);
	j.rate[0] = j.rate[8] = 1.6;
	intervals(&j, 2000);
	ok(seconds(&j) < 0.6 * 2.5 * even,
	   "when it stays slow, masters change again: %.3f of the time",
	   seconds(&j) / even / 2.5);
	end(&j);
}

/* A step that cannot be judged, because all-reduces are of another size. */
static void check_sizes(void)
{
	struct job j;

	begin(&j, 8, 1);
	j.rate[0] = j.rate[8] = 1.6;
	for (int i = 0; i < 10 && j.n_steps == 0; i++)
		interval(&j);
	j.of = 1;
	intervals(&j, 7);
	ok(j.n_steps == 1 && pl_tuner_plan(j.tuner),
	   "other sizes for a while: the step waits");
	interval(&j);
	ok(j.n_steps == 2 && !pl_tuner_plan(j.tuner),
	   "for longer: it is undone, %s", pl_tuner_why(j.tuner));
	end(&j);
}

int main(void)
{
	check_sizes();
	check_flaps();
	check_card();
	check_uplink();
	check_noise();
	return done_testing();
}
