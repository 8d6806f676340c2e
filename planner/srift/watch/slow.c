/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - is a job slower than predicted, and which machine makes it so? */
/* The rule of section VI-B of the paper on CM-DARE (Li, Walls and Guo:
 * Characterizing and modeling distributed training with transient cloud GPU
 * servers, 2020), with its 30 s before the speed is measured. */
#include "config.h"

#include "base/text/size.h"
#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARM_S 30       /* of a start, which do not count */
#define WINDOW_S 30     /* of a measurement, at least */
#define WINDOW_STEPS 10 /* iterations of it, at least */
#define PERCENT 100

/* How many times as long the machine computes as the others of its type do in
 * the mean; NaN: not known. */
static double times_others(const struct pl_nodes *nodes, size_t k)
{
	const struct pl_node *node = &nodes->node[k];
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *other = &nodes->node[i];

		if (i == k || other->state != PL_NODE_UP ||
		    !(other->pace_s > 0) || strcmp(other->type, node->type))
			continue;
		sum += other->pace_s;
		n++;
	}
	return n ? node->pace_s * (double)n / sum : NAN;
}

/* The slowest machine, beside the others of its type; n: none is known. */
static size_t slowest(const struct pl_nodes *nodes, double *times)
{
	size_t found = nodes->n;

	*times = 0;
	for (size_t i = 0; i < nodes->n; i++) {
		double x;

		if (nodes->node[i].state != PL_NODE_UP ||
		    !(nodes->node[i].pace_s > 0))
			continue;
		x = times_others(nodes, i);
		if (x > *times) {
			*times = x;
			found = i;
		}
	}
	return found;
}

static void tell(const struct pl_srift_watch *w, double now_s, double seconds)
{
	struct pl_watch_event e = PL_EVENT("slow", now_s);
	const double more = PERCENT * (seconds / w->fleet.iteration_s - 1);
	double times;
	const size_t k = slowest(&w->nodes, &times);
	char why[200];

	if (times * (1 - w->job.slow) > 1) {
		e.host = w->nodes.node[k].name;
		e.type = w->nodes.node[k].type;
		snprintf(why, sizeof(why),
			 "an iteration takes %s, %.3g %% more than predicted: "
			 "this machine computes %.3g times as long as the "
			 "others of its type",
			 PL_TIME_TEXT(seconds), more, times);
	} else {
		snprintf(why, sizeof(why),
			 "an iteration takes %s, %.3g %% more than predicted: "
			 "%s",
			 PL_TIME_TEXT(seconds), more,
			 times > 0 ? "no machine computes longer than the "
				     "others, so the limit is the server of "
				     "parameters or the network"
				   : "the machines have not told their pace");
	}
	e.why = why;
	e.finish_s = now_s + (double)pl_watch_remaining(w) * seconds;
	w->tell(w->ctx, w, &e);
}

void pl_watch_judge_speed(struct pl_srift_watch *w, double now_s)
{
	if (w->job.slow == 0 || now_s < w->run_s + WARM_S)
		return;
	if (w->window_s > 0) {
		const uint64_t steps = w->iteration - w->window_iteration;
		const double seconds = (now_s - w->window_s) / (double)steps;
		bool slow;

		if (steps < WINDOW_STEPS || now_s < w->window_s + WINDOW_S)
			return;
		slow = seconds * (1 - w->job.slow) > w->fleet.iteration_s;
		if (slow && !w->slow_told)
			tell(w, now_s, seconds);
		w->slow_told = slow;
	}
	w->window_s = now_s;
	w->window_iteration = w->iteration;
}
