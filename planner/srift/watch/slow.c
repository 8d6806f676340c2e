/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - is a job slower than predicted, and which machine makes it so? */
/* The rule of section VI-B of the paper on CM-DARE (Li, Walls and Guo: Characterizing and modeling
 * distributed training with transient cloud GPU servers, 2020), with its 30 s before the speed is
 * measured. */
#include "config.h"

#include "base/pace.h"
#include "base/text/size.h"
#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARM_S 30       /* of a start, which do not count */
#define WINDOW_S 30     /* of a measurement, at least */
#define WINDOW_STEPS 10 /* iterations of it, at least */
#define PERCENT 100
#define NONE SIZE_MAX /* no machine */

/* How many times as long the machine computes as the others of its type do in the mean; NaN: not
 * known. */
static double times_others(const struct pl_nodes *nodes, size_t k)
{
	const struct pl_node *node = &nodes->node[k];
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *other = &nodes->node[i];

		if (i == k || other->state != PL_NODE_UP || !(other->pace_s > 0) ||
		    strcmp(other->type, node->type))
			continue;
		sum += other->pace_s;
		n++;
	}
	return n ? node->pace_s * (double)n / sum : NAN;
}

/* A machine that is slower than the others of its type by more than the job allows, the slowest of
 * them; NONE: there is none. *times gets how slow the slowest is; 0: not known. */
static size_t find_culprit(const struct pl_srift_watch *w, double *times)
{
	const struct pl_nodes *nodes = &w->nodes;
	size_t found = NONE;

	*times = 0;
	for (size_t i = 0; i < nodes->n; i++) {
		double x;

		if (nodes->node[i].state != PL_NODE_UP || !(nodes->node[i].pace_s > 0))
			continue;
		x = times_others(nodes, i);
		if (x > *times) {
			*times = x;
			found = i;
		}
	}
	return *times * (1 - w->job.slow) > 1 ? found : NONE;
}

static void tell(const struct pl_srift_watch *w, double now_s, double seconds, size_t culprit,
		 double times)
{
	struct pl_watch_event e = PL_EVENT("slow", now_s);
	char why[200], machine[100];

	if (culprit == NONE) {
		snprintf(machine, sizeof(machine), "%s",
			 times > 0 ? "no machine computes longer than the others, so the limit is "
				     "the server of parameters or the network"
				   : "the machines have not told their pace");
	} else {
		e.host = w->nodes.node[culprit].name;
		e.type = w->nodes.node[culprit].type;
		snprintf(machine, sizeof(machine),
			 "this machine computes %.3g times as long as the others of its type",
			 times);
	}
	snprintf(why, sizeof(why), "an iteration takes %s, %.3g %% more than predicted: %s",
		 PL_TIME_TEXT(seconds), PERCENT * (seconds / w->fleet.iteration_s - 1), machine);
	e.why = why;
	e.finish_s = now_s + (double)pl_watch_remaining(w) * seconds;
	w->tell(w->ctx, w, &e);
}

static bool is_slow(const struct pl_srift_watch *w, double seconds)
{
	const struct pl_pace_rule rule = {
		.slower = w->job.slow, .faster = INFINITY, .lasts = 1, .follows = 0};
	struct pl_pace predicted = {.expected = 1 / w->fleet.iteration_s};

	return pl_pace_see(&predicted, &rule, 1 / seconds) == PL_PACE_SLOWER;
}

/* Tells it once, and again when another machine shows as the slow one. */
static void judge(struct pl_srift_watch *w, double now_s, double seconds)
{
	double times;
	const size_t culprit = find_culprit(w, &times);
	const bool slow = is_slow(w, seconds);

	if (slow && (!w->slow_told || (culprit != NONE && culprit != w->slow_node))) {
		tell(w, now_s, seconds, culprit, times);
		w->slow_node = culprit;
	}
	w->slow_told = slow;
}

void pl_watch_judge_speed(struct pl_srift_watch *w, double now_s)
{
	if (w->job.slow == 0 || now_s < w->run_s + WARM_S)
		return;
	if (w->window_s > 0) {
		const uint64_t steps = w->iteration - w->window_iteration;

		if (steps < WINDOW_STEPS || now_s < w->window_s + WINDOW_S)
			return;
		judge(w, now_s, (now_s - w->window_s) / (double)steps);
	}
	w->window_s = now_s;
	w->window_iteration = w->iteration;
}
