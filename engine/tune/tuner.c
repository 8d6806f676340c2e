/* SPDX-License-Identifier: BSD-3-Clause */
/* tuner.c - when schedules are to change while the job runs, and to what */
#include "config.h"

#include "engine/tune/tuner.h"

#include "base/mem.h"
#include "base/pace.h"
#include "engine/shares.h"
#include "engine/tune/retune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A change of speed of more than so many percent, unless the schedules say another number... */
#define CHANGE_PERCENT 20
/* ... in so many intervals one after the other begins a search. The usual speed follows by a share
 * of the way. */
#define LASTS 2
#define FOLLOWS 0.125
/* What a change must promise: at first, and in further steps. */
#define GAIN_FIRST 0.03
#define GAIN_MORE 0.02
/* While other masters than the first ones are in force, a rise of speed by more than this has the
 * first ones tried again; in vain, better ones are searched for. */
#define RISE 0.1
/* A change that makes the job slower by more is taken back. */
#define LOSS 0.02
/* A rank that sends so much less than another gets more masters, as many as would make them equal,
 * if no more than a part of the difference is then left; if that makes the job slower by so much,
 * they are taken back. A rank whose connections are busy for so many times as long as others' in
 * the median is slow, and should send less. */
#define BALANCED 1.05
#define HELPS 0.75
#define SLOW 1.25
#define LOSS_FINE 0.005
#define STEPS_MAX 25
/* Steps of a search that look for rates anew. */
#define QUICK_MAX 4
/* Intervals without a search after one that was in vain, or that came so soon after the one before;
 * doubles each time. */
#define REST_FIRST 8
#define REST_MAX 1024
#define SOON 32
/* Intervals in which another schedule has the most bytes, and a step waits to be judged. */
#define OTHERS_MAX 8
/* After so many intervals with another plan, the first one is tried again; in vain, after twice as
 * many. */
#define TRIAL_FIRST 16

enum state { LEARNS, WATCHES, CHECKS };
enum step { QUICK, FINE, TRIAL };

struct pl_tuner {
	const struct pl_schedules *schedules;
	size_t n_ranks, n_values;
	enum state state;
	struct pl_pace_rule rule; /* when a search begins */
	struct pl_pace pace;      /* bytes per second, as ever */
	unsigned n_seen, n_steps, n_quick, rest, next_rest;
	unsigned n_other;
	unsigned n_since; /* intervals with nothing to search for */
	bool is_soon;     /* few of them were before this search */
	size_t schedule;  /* of which speeds are */
	double before;    /* bytes per second, before the step */
	double promised;  /* by the step: how many times as fast */
	enum step last;
	bool has_risen; /* a trial of the first masters was for that */
	unsigned n_quiet, n_risen, next_trial;
	unsigned n_checked; /* intervals after the step, whose mean is: */
	double checked;     /* bytes per second */
	double *value[2];   /* [n_values]: of the plan, of the one before */
	bool is_original[2];
	char why[160];
};

void pl_tuner_destroy(struct pl_tuner *t)
{
	if (!t)
		return;
	free(t->value[0]);
	free(t->value[1]);
	free(t);
}

struct pl_tuner *pl_tuner_create(const struct pl_schedules *schedules)
{
	struct pl_tuner *t = calloc(1, sizeof(*t));
	const double change =
		(schedules->tune_percent > 0 ? schedules->tune_percent : CHANGE_PERCENT) / 100.0;

	if (!t)
		return NULL;
	*t = (struct pl_tuner){
		.schedules = schedules,
		.n_ranks = pl_hosts_ranks(&schedules->job.hosts),
		.n_values = pl_retune_count(schedules),
		.rule = {.slower = change, .faster = change, .lasts = LASTS, .follows = FOLLOWS},
		.next_rest = REST_FIRST,
		.n_since = SOON,
		.next_trial = TRIAL_FIRST,
		.is_original = {true, true}};
	t->value[0] = pl_array_create(t->n_values, sizeof(double));
	t->value[1] = pl_array_create(t->n_values, sizeof(double));
	if (t->value[0] && t->value[1])
		return t;
	pl_tuner_destroy(t);
	return NULL;
}

const double *pl_tuner_plan(const struct pl_tuner *t)
{
	return t->is_original[0] ? NULL : t->value[0];
}

const char *pl_tuner_why(const struct pl_tuner *t)
{
	return t->why;
}

static struct pl_rank_tree tree_of(const struct pl_tuner *t, size_t i)
{
	const struct pl_schedule *s = &t->schedules->schedule[i];

	return (struct pl_rank_tree){
		.n_ranks = t->n_ranks, .n_nodes = s->n_nodes, .parent = s->parent};
}

/* The numbers of schedule @i for that traffic; rate[n_nodes] is for work. */
static int find_values(const struct pl_tuner *t, size_t i, const struct pl_traffic *traffic,
		       double *rate, double *value)
{
	const struct pl_rank_tree tree = tree_of(t, i);

	if (pl_traffic_uplinks(traffic, &tree, rate) || pl_uplink_shares(&tree, rate, value))
		return -1;
	memcpy(value + tree.n_nodes, rate, t->n_ranks * sizeof(*rate));
	return 0;
}

/* Seconds of a byte by the slices in force and by the masters of @value, at the rates [n_nodes]. */
static int compare(const struct pl_tuner *t, const struct pl_tuner_sight *s, const double *rate,
		   const double *value, double *now, double *then)
{
	const struct pl_rank_tree tree = pl_retune_tree(t->schedules, s->schedule, value);
	struct pl_level_masters masters = {0};

	if (pl_level_masters_init(&masters, &tree, NULL))
		return -1;
	*now = pl_slices_seconds(&s->now->schedule[s->schedule].slices, &tree, rate);
	*then = pl_level_masters_seconds(&masters, &tree, rate);
	pl_level_masters_fini(&masters);
	return *now < 0 || *then < 0 ? -1 : 0;
}

/* The most nodes of a tree. */
static size_t nodes_max(const struct pl_schedules *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->schedule[i].n_nodes > most)
			most = s->schedule[i].n_nodes;
	return most;
}

/* Fills in the numbers for the traffic; what part of the time they save, in their own prediction,
 * or -1. */
static double search(const struct pl_tuner *t, const struct pl_tuner_sight *s, double *value)
{
	double *rate = pl_array_create(nodes_max(t->schedules), sizeof(*rate));
	double now, then, gain = rate ? 0 : -1;

	for (size_t i = 0; gain >= 0 && i < t->schedules->n; i++) {
		double *own = value + pl_retune_at(t->schedules, i);

		if (t->schedules->schedule[i].n_nodes == 0)
			continue;
		if (find_values(t, i, &s->traffic, rate, own))
			gain = -1;
		else if (i == s->schedule)
			gain = compare(t, s, rate, own, &now, &then) ? -1 : 1 - then / now;
	}
	free(rate);
	return gain;
}

static void swap_plans(struct pl_tuner *t)
{
	double *value = t->value[0];
	const bool is_original = t->is_original[0];

	t->value[0] = t->value[1];
	t->value[1] = value;
	t->is_original[0] = t->is_original[1];
	t->is_original[1] = is_original;
}

/* The plan is to be put in force. */
static void take(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	t->is_original[0] = false;
	t->before = t->state == CHECKS ? t->checked : s->bytes_per_s;
	t->n_steps++;
	t->n_checked = 0;
	t->checked = 0;
	t->state = CHECKS;
}

/* Looks for a better plan, and takes it if it promises so much. */
static bool improve(struct pl_tuner *t, const struct pl_tuner_sight *s, double least)
{
	double gain;

	if (t->schedules->schedule[s->schedule].n_nodes == 0)
		return false;
	swap_plans(t);
	gain = search(t, s, t->value[0]);
	if (gain < least) {
		swap_plans(t);
		return false;
	}
	t->last = QUICK;
	t->promised = 1 / (1 - gain);
	t->n_quick++;
	t->next_trial = TRIAL_FIRST;
	take(t, s);
	snprintf(t->why, sizeof(t->why),
		 "all-reduces run at %.1f MB/s, usually at %.1f; other masters should make them "
		 "take %.0f %% less time",
		 s->bytes_per_s / 1e6, t->pace.expected / 1e6, 100 * gain);
	return true;
}

/* Adds those that were slow when this search looked at rates: they send less since then, and may be
 * busy no longer than others. 0, or -1: no memory. */
static int add_slow(const struct pl_tuner *t, size_t schedule, bool *slow)
{
	const double *rate = t->value[0] + pl_retune_at(t->schedules, schedule) +
			     t->schedules->schedule[schedule].n_nodes;

	return pl_rates_low(rate, t->n_ranks, SLOW, slow);
}

/* What each rank sends. */
struct balance {
	bool *slow;   /* [n]: these ranks do not count */
	double *sent; /* [n_nodes] */
	size_t n, least;
};

/* How many times as much as the one with the least has the one with the most? 0: nobody has
 * anything. */
static double imbalance(struct balance *b)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (b->slow[i])
			continue;
		if (b->sent[i] < low)
			b->least = i;
		low = fmin(low, b->sent[i]);
		high = fmax(high, b->sent[i]);
	}
	return low > 0 && high > 0 ? high / low : 0;
}

/* What was sent. 0, or -1: no memory. */
static int find_sent(const struct pl_tuner *tuner, const struct pl_tuner_sight *s,
		     struct balance *b)
{
	const struct pl_traffic *t = &s->traffic;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->n; k++)
			b->sent[i] += t->bytes[i * t->n + k];
	if (pl_traffic_slow(t, SLOW, b->slow))
		return -1;
	return tuner->n_quick > 0 ? add_slow(tuner, s->schedule, b->slow) : 0;
}

/* What will be sent by the plan. 0, or -1: no memory. */
static int predict_sent(const struct pl_tuner *t, size_t schedule, struct balance *b)
{
	const struct pl_rank_tree tree = pl_retune_tree(
		t->schedules, schedule, t->value[0] + pl_retune_at(t->schedules, schedule));
	struct pl_level_masters masters = {0};
	int rc = pl_level_masters_init(&masters, &tree, NULL);

	if (rc == 0)
		rc = pl_level_masters_loads(&masters, &tree, b->sent);
	pl_level_masters_fini(&masters);
	return rc;
}

/* Multiplies the rank's rate in schedule @i, and the shares of the rank and of its groups. */
static void favour(struct pl_tuner *t, size_t i, size_t rank, double factor)
{
	const struct pl_schedule *s = &t->schedules->schedule[i];
	double *value = t->value[0] + pl_retune_at(t->schedules, i);

	if (s->n_nodes == 0)
		return;
	value[s->n_nodes + rank] *= factor;
	for (size_t v = rank; v + 1 < s->n_nodes; v = s->parent[v])
		value[v] = value[v] > 0 ? factor * value[v] : (factor - 1) / (double)t->n_ranks / 2;
}

/* Gives more masters to the rank that sends least, if that promises a better balance. The imbalance
 * now; 0: there is nothing to gain, or no memory. */
static double favour_least(struct pl_tuner *t, const struct pl_tuner_sight *s, struct balance *b)
{
	const double ratio = find_sent(t, s, b) ? 0 : imbalance(b);
	const size_t least = b->least;

	if (ratio < BALANCED)
		return 0;
	memcpy(t->value[1], t->value[0], t->n_values * sizeof(double));
	t->is_original[1] = false;
	for (size_t i = 0; i < t->schedules->n; i++)
		favour(t, i, least, ratio);
	if (predict_sent(t, s->schedule, b) == 0 && imbalance(b) - 1 < HELPS * (ratio - 1)) {
		b->least = least;
		return ratio;
	}
	memcpy(t->value[0], t->value[1], t->n_values * sizeof(double));
	return 0;
}

/* Gives more masters to the rank that has the least to send: rates of ranks that wait for others
 * are taken for lower than they are. */
static bool balance(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	struct balance b = {.slow = pl_array_create(t->n_ranks, sizeof(*b.slow)),
			    .sent = pl_array_create(nodes_max(t->schedules), sizeof(*b.sent)),
			    .n = t->n_ranks};
	const bool can = !t->is_original[0] && t->schedules->schedule[s->schedule].n_nodes > 0 &&
			 b.slow && b.sent;
	const double ratio = can ? favour_least(t, s, &b) : 0;

	free(b.slow);
	free(b.sent);
	if (ratio == 0)
		return false;
	t->last = FINE;
	take(t, s);
	snprintf(t->why, sizeof(t->why),
		 "all-reduces run at %.1f MB/s; process %zu, which sends least (another one %.2f "
		 "times as much), is master of more",
		 s->bytes_per_s / 1e6, b.least, ratio);
	return true;
}

static bool try_original(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	swap_plans(t);
	take(t, s);
	t->is_original[0] = true;
	t->last = TRIAL;
	snprintf(t->why, sizeof(t->why),
		 "all-reduces run at %.1f MB/s; the first masters are tried again",
		 s->bytes_per_s / 1e6);
	return true;
}

/* What made the first masters worse has passed, or is less than it was. */
static bool try_risen(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	t->has_risen = true;
	return try_original(t, s);
}

/* It may have passed without a change of speed that was large enough to be seen. */
static bool try_quiet(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	t->next_trial = t->next_trial < REST_MAX ? 2 * t->next_trial : REST_MAX;
	return try_original(t, s);
}

static void settle(struct pl_tuner *t, double usual)
{
	t->state = WATCHES;
	t->pace = (struct pl_pace){.expected = usual};
	t->n_quiet = t->n_risen = 0;
}

/* A search ends, or a trial. A link that changes all the time is not to be followed: after a search
 * that was in vain, or came soon after another, the tuner rests, ever longer. */
static void end_search(struct pl_tuner *t, double usual, bool in_vain)
{
	settle(t, usual);
	if (t->last == TRIAL && !in_vain)
		return;
	if (in_vain || t->is_soon) {
		t->rest = t->next_rest;
		t->next_rest = t->next_rest < REST_MAX ? 2 * t->next_rest : REST_MAX;
	} else {
		t->next_rest = REST_FIRST;
	}
	t->n_since = 0;
	t->is_soon = false;
}

/* The network has changed. */
static bool begin_search(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	const bool has_risen = t->has_risen || s->bytes_per_s > t->pace.expected;

	t->has_risen = false;
	t->is_soon = t->n_since < SOON;
	t->n_since = t->n_steps = t->n_quick = 0;
	if (improve(t, s, GAIN_FIRST) || (has_risen && balance(t, s)))
		return true;
	settle(t, s->bytes_per_s);
	return false;
}

static bool learn(struct pl_tuner *t, double bytes_per_s)
{
	t->pace.expected += bytes_per_s / LASTS;
	if (++t->n_seen == LASTS)
		settle(t, t->pace.expected);
	return false;
}

static bool watch(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	const double usual = t->pace.expected;

	if (t->has_risen) /* and the first masters were no better */
		return begin_search(t, s);
	if (t->rest > 0) {
		t->rest--;
		return false;
	}
	t->n_since++;
	t->n_risen = s->bytes_per_s / usual - 1 > RISE ? t->n_risen + 1 : 0;
	if (!t->is_original[0] && t->n_risen >= LASTS)
		return try_risen(t, s);
	if (pl_pace_see(&t->pace, &t->rule, s->bytes_per_s))
		return begin_search(t, s);
	return t->pace.n_off == 0 && !t->is_original[0] && ++t->n_quiet >= t->next_trial &&
	       try_quiet(t, s);
}

/* The last step was none. */
static void step_back(struct pl_tuner *t)
{
	swap_plans(t);
	end_search(t, t->before, t->last == QUICK || (t->last == TRIAL && t->has_risen));
	snprintf(t->why, sizeof(t->why),
		 "all-reduces ran at %.1f MB/s, before the last change at %.1f, which is undone",
		 t->checked / 1e6, t->before / 1e6);
}

static bool go_on(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	if (t->n_steps == STEPS_MAX || t->last == TRIAL)
		return false;
	return (t->last == QUICK && t->n_quick < QUICK_MAX && improve(t, s, GAIN_MORE)) ||
	       balance(t, s);
}

/* Has the network changed again? A step of balance promises nothing. */
static bool is_more_than_promised(const struct pl_tuner *t, double gain)
{
	if (t->last == QUICK)
		return (1 + gain) / t->promised - 1 > t->rule.faster;
	return t->last == FINE && gain > fmin(t->rule.faster, RISE);
}

static bool check(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	static const double least[] = {[QUICK] = -LOSS, [FINE] = -LOSS_FINE, [TRIAL] = 0};
	double gain;

	t->checked += s->bytes_per_s / LASTS;
	if (++t->n_checked < LASTS)
		return false;
	gain = t->checked / t->before - 1;
	if (gain < least[t->last]) {
		step_back(t);
		return true;
	}
	if (is_more_than_promised(t, gain)) {
		end_search(t, t->before, false);
		return try_risen(t, s);
	}
	if (go_on(t, s))
		return true;
	t->has_risen = false;
	end_search(t, t->checked, false);
	return false;
}

/* Most of the bytes go by another schedule now. Speeds of two schedules, which run at two sizes, do
 * not compare: a step that cannot be judged is undone. */
static bool change_schedule(struct pl_tuner *t, size_t schedule)
{
	const bool undoes = t->state == CHECKS;

	if (undoes && ++t->n_other < OTHERS_MAX)
		return false;
	t->schedule = schedule;
	t->state = LEARNS;
	t->n_seen = t->n_other = 0;
	t->has_risen = false;
	t->pace.expected = 0;
	if (!undoes)
		return false;
	swap_plans(t);
	snprintf(t->why, sizeof(t->why),
		 "all-reduces are of another size now: the last change is undone");
	return true;
}

bool pl_tuner_step(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	if (s->schedule != t->schedule)
		return change_schedule(t, s->schedule);
	t->n_other = 0;
	switch (t->state) {
	case LEARNS:
		return learn(t, s->bytes_per_s);
	case WATCHES:
		return watch(t, s);
	case CHECKS:
		return check(t, s);
	}
	return false;
}
