/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tuner.c - what the tuner makes of a network that changes, and of one that does not */
#include "config.h"

#include "tests/engine/tuned-job.h"
#include "tests/failalloc.h"

/* The least and the most that a rank sends, in buffers. */
static void find_sent(const struct job *j, double *low, double *high)
{
	const size_t n = j->tree.n_ranks;
	double bytes[N_MAX * N_MAX], busy_s[N_MAX * N_MAX];

	*low = INFINITY;
	*high = 0;
	run(j, &now(j)->schedule[0].slices, bytes, busy_s);
	for (size_t i = 0; i < n; i++) {
		double sent = 0;

		for (size_t k = 0; k < n; k++)
			sent += bytes[i * n + k];
		*low = fmin(*low, sent);
		*high = fmax(*high, sent);
	}
}

static double imbalance(const struct job *j)
{
	double low, high;

	find_sent(j, &low, &high);
	return high / low;
}

static double most_sent(const struct job *j)
{
	double low, high;

	find_sent(j, &low, &high);
	return high;
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
	   "it gets fewer masters: %.3f of the time, at best %.3f", seconds(&j) / even / 2.5,
	   2.5 / 4.375);
	j.rate[0] = j.rate[8] = 4;
	intervals(&j, 20);
	ok(seconds(&j) < even / 0.95, "the card is fast again: %.3f", seconds(&j) / even);
	ok(imbalance(&j) < 1.05, "all send about as much: %.3f", imbalance(&j));
	end(&j);
}

/* Of two slow cards one recovers: the first masters are no better then, others are. */
static void check_partly(void)
{
	struct job j;
	double even;

	begin(&j, 8, 1);
	even = seconds(&j);
	for (size_t r = 0; r < 2; r++)
		j.rate[r] = j.rate[8 + r] = 1.6;
	intervals(&j, 20);
	j.rate[1] = j.rate[9] = 4;
	intervals(&j, 20);
	ok(seconds(&j) < 2.5 / 4.375 / 0.95 * 2.5 * even,
	   "one of two slow cards is fast again: %.3f of the time, at best %.3f",
	   seconds(&j) / even / 2.5, 2.5 / 4.375);
	end(&j);
}

/* A card that is fast again before the new masters have been judged. */
static void check_brief(void)
{
	struct job j;

	begin(&j, 8, 1);
	j.rate[0] = j.rate[8] = 1.6;
	intervals(&j, 2);
	ok(j.n_steps == 1, "a card is slow: a step");
	j.rate[0] = j.rate[8] = 4;
	intervals(&j, 6);
	ok(!pl_tuner_plan(j.tuner), "fast again meanwhile: the first masters are in force");
	end(&j);
}

/* A slow card in two levels of 2 groups of 4, where the card must send one buffer at least. When it
 * is fast again, the others are as slow as it was. */
static void check_card_in_groups(void)
{
	struct job j;
	double even;

	begin(&j, 8, 4);
	even = seconds(&j);
	j.rate[0] = 1.6;
	intervals(&j, 12);
	ok(seconds(&j) < 1 / 1.6 / 0.95 && most_sent(&j) < 2.1,
	   "in groups: %.3f of the time, nobody sends more than %.3f buffers",
	   seconds(&j) / even / 2.5, most_sent(&j));
	j.rate[0] = 4;
	intervals(&j, 32);
	ok(seconds(&j) <= even && imbalance(&j) < 1.05,
	   "and fast again: %.3f, max/min of bytes %.3f", seconds(&j) / even, imbalance(&j));
	end(&j);
}

/* What change begins a search stands in the schedules. */
static void check_percent(void)
{
	struct job j;

	begin(&j, 8, 1);
	pl_tuner_destroy(j.tuner);
	j.schedules.tune_percent = 70;
	j.tuner = pl_tuner_create(&j.schedules);
	intervals(&j, 4);
	j.rate[0] = j.rate[8] = 1.6;
	intervals(&j, 20);
	ok(j.n_steps == 0, "60 %% slower, where 70 %% is a change: no step");
	j.rate[0] = j.rate[8] = 0.4;
	intervals(&j, 4);
	ok(j.n_steps > 0, "75 %% slower than that is one");
	end(&j);
}

/* An uplink of four at half its rate: 1.5 times as fast as without a change of masters at the
 * most. */
static void check_uplink(void)
{
	struct job j;
	double slow;

	begin(&j, 16, 4);
	j.rate[17] = 2;
	slow = seconds(&j);
	intervals(&j, 14);
	ok(j.n_steps > 0 && seconds(&j) <= slow * 1.0001, "an uplink is slow: %.3f of the time",
	   seconds(&j) / slow);
	intervals(&j, 20); /* the steps come to their end */
	j.rate[17] = 4;
	for (size_t v = 0; v < j.tree.n_nodes; v++)
		j.rate[v] *= 1.1;
	intervals(&j, 16);
	ok(!pl_tuner_plan(j.tuner), "a rise below 20 %% has the first masters tried");
	end(&j);
}

/* All cards at half their rate: no masters are better than those there are. */
static void check_all_slow(void)
{
	struct job j;

	begin(&j, 8, 1);
	for (size_t v = 0; v < j.tree.n_nodes; v++)
		j.rate[v] /= 2;
	intervals(&j, 30);
	ok(j.n_steps == 0, "all are slow alike: %u steps", j.n_steps);
	end(&j);
}

static void check_noise(void)
{
	struct job j;

	begin(&j, 8, 1);
	j.noise = 0.1;
	intervals(&j, 10000);
	ok(j.n_steps == 0, "10 %% of noise in 10000 intervals: %u steps", j.n_steps);
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
	   "a link that flaps is not followed for ever: %u steps in 1500 intervals, %u in 1500 "
	   "more",
	   early, j.n_steps - early);
	j.rate[0] = j.rate[8] = 1.6;
	intervals(&j, 2000);
	ok(seconds(&j) < 0.6 * 2.5 * even,
	   "when it stays slow, masters change again: %.3f of the time", seconds(&j) / even / 2.5);
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
	ok(j.n_steps == 1 && pl_tuner_plan(j.tuner), "other sizes for a while: the step waits");
	interval(&j);
	ok(j.n_steps == 2 && !pl_tuner_plan(j.tuner), "for longer: it is undone, %s",
	   pl_tuner_why(j.tuner));
	end(&j);
}

/* Memory lacks once while masters are searched for. The blocks that are left, of those that were
 * there before, too. */
static size_t left_without(size_t k, bool *refused)
{
	struct job j;
	size_t left;

	begin(&j, 8, 4);
	j.lacks_memory = true;
	j.rate[0] = 1.6;
	failalloc_begin(k);
	intervals(&j, 60);
	end(&j);
	*refused = failalloc_end(&left);
	return left;
}

static void check_no_memory(void)
{
	bool refused = true;
	const size_t left = left_without(SIZE_MAX, &refused);
	size_t k, wrong = 0;

	refused = true;
	for (k = 0; refused; k++)
		wrong += left_without(k, &refused) != left;
	ok(k > 100 && wrong == 0, "%zu allocations, each refused once: nothing is left", k - 1);
}

int main(void)
{
	check_sizes();
	check_flaps();
	check_card();
	check_partly();
	check_brief();
	check_card_in_groups();
	check_percent();
	check_uplink();
	check_all_slow();
	check_noise();
	check_no_memory();
	return done_testing();
}
