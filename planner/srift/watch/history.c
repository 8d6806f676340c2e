/* SPDX-License-Identifier: BSD-3-Clause */
/* history.c - what the journals of earlier jobs tell of machines */
#include "config.h"

#include "planner/srift/watch/history.h"

#include "base/mem.h"
#include "planner/srift/watch/journal.h"
#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S_PER_HOUR 3600.0
#define DAY_S (24 * S_PER_HOUR)

double pl_history_mean_s(const struct pl_history_mean *mean)
{
	return mean->n ? mean->sum_s / (double)mean->n : NAN;
}

static void observe(struct pl_history_mean *mean, double seconds)
{
	if (!(seconds >= 0))
		return;
	mean->sum_s += seconds;
	mean->n++;
}

/* NULL: out of memory. */
static struct pl_history_kind *kind_of(struct pl_history *h, const struct pl_node *node)
{
	struct pl_history_kind *kind;

	for (size_t i = 0; i < h->n; i++)
		if (h->kind[i].spot == node->spot && strcmp(h->kind[i].type, node->type) == 0)
			return &h->kind[i];
	if (pl_array_grow((void **)&h->kind, &h->room, h->n, sizeof(*h->kind)))
		return NULL;
	kind = &h->kind[h->n];
	*kind = (struct pl_history_kind){.spot = node->spot};
	kind->type = pl_string_copy(node->type, strlen(node->type));
	if (!kind->type)
		return NULL;
	h->n++;
	return kind;
}

/* A machine has reached a stage of its launch. */
struct arrival {
	char host[PL_HOST_NAME_MAX + 1];
	enum pl_start_stage stage;
	double at_s;
};

/* What was read of a journal. */
struct reading {
	size_t n_known;          /* machines that are up, or were */
	struct arrival *arrival; /* [n_arrivals] by time */
	size_t n_arrivals, room;
};

/* When the machine first reached the stage, since @from_s. NaN: not told. */
static double arrived_s(const struct reading *r, const char *host, enum pl_start_stage stage,
			double from_s)
{
	for (size_t i = 0; i < r->n_arrivals; i++) {
		const struct arrival *a = &r->arrival[i];

		if (a->stage == stage && a->at_s >= from_s && strcmp(a->host, host) == 0)
			return a->at_s;
	}
	return NAN;
}

static void take_stages(struct pl_history_kind *kind, const struct reading *r,
			const struct pl_node *node, double up_s)
{
	const double provisioned_s = arrived_s(r, node->name, PL_START_PROVISION, node->launched_s);
	const double staged_s = arrived_s(r, node->name, PL_START_STAGE, provisioned_s);

	if (isnan(staged_s))
		return;
	observe(&kind->stage[PL_START_PROVISION], provisioned_s - node->launched_s);
	observe(&kind->stage[PL_START_STAGE], staged_s - provisioned_s);
	observe(&kind->stage[PL_START_BOOT], up_s - staged_s);
}

/* A launch adds all its machines before the first of them is told. */
static int take_launch(struct pl_history *h, const struct pl_srift_watch *w, double at_s,
		       struct reading *r)
{
	const struct pl_node *node = w->nodes.node + r->n_known;
	struct pl_history_kind *kind;

	if (w->nodes.n <= r->n_known)
		return 0;
	kind = kind_of(h, node);
	if (!kind)
		return -1;
	observe(&kind->launch, at_s - node->launched_s);
	observe(&h->launch, at_s - node->launched_s);
	for (; r->n_known < w->nodes.n; r->n_known++)
		take_stages(kind, r, &w->nodes.node[r->n_known], at_s);
	return 0;
}

static int take_arrival(struct reading *r, enum pl_start_stage stage,
			const struct pl_journal_end *end)
{
	struct arrival *a;

	if (pl_array_grow((void **)&r->arrival, &r->room, r->n_arrivals, sizeof(*r->arrival)))
		return -1;
	a = &r->arrival[r->n_arrivals++];
	*a = (struct arrival){.stage = stage, .at_s = end->at_s};
	strcpy(a->host, end->host);
	return 0;
}

static int take_lives(struct pl_history *h, const struct pl_srift_watch *w,
		      const struct pl_journal_end *end)
{
	for (size_t i = 0; i < w->nodes.n; i++) {
		const struct pl_node *node = &w->nodes.node[i];
		const double end_s = isnan(node->ended_s) ? end->at_s : node->ended_s;
		const double start_s = end->began_s + node->launched_s / end->time_scale;
		const struct pl_history_life life = {
			.held_s = fmax(end_s - node->launched_s, 0),
			.lost = node->state == PL_NODE_LOST,
			.start_h = fmod(fmod(start_s, DAY_S) + DAY_S, DAY_S) / S_PER_HOUR,
		};
		struct pl_history_kind *kind = kind_of(h, node);

		if (!kind || pl_array_grow((void **)&kind->life, &kind->room, kind->n_machines,
					   sizeof(*kind->life)))
			return -1;
		kind->life[kind->n_machines++] = life;
		kind->n_lost += life.lost;
		kind->held_s += life.held_s;
	}
	return 0;
}

static bool is_event(const struct pl_line *line, const char *start)
{
	const size_t len = strlen(start);

	return line->len >= len && memcmp(line->s, start, len) == 0;
}

static int take_line(struct pl_history *h, const struct pl_text *text, const struct pl_line *line,
		     bool is_last, struct reading *r, struct pl_err *err)
{
	const bool staged = is_event(line, "{\"event\":\"staged\"");
	const bool arrived = staged || is_event(line, "{\"event\":\"provisioned\"");
	const enum pl_start_stage stage = staged ? PL_START_STAGE : PL_START_PROVISION;
	const bool up = is_event(line, "{\"event\":\"up\"");
	const bool saved = is_event(line, "{\"event\":\"saved\"");
	const struct pl_watch_job none = {0};
	struct pl_journal_end end;
	struct pl_srift_watch w;
	int rc;

	if (!up && !saved && !arrived && !is_last)
		return 0;
	pl_watch_init(&w, &none, NULL, NULL);
	rc = pl_journal_take_line(text, line, &w, &end, err);
	if (rc == 0 && saved)
		observe(&h->save, end.at_s - w.interrupted_s);
	if (rc == 0 &&
	    ((up && take_launch(h, &w, end.at_s, r)) || (arrived && take_arrival(r, stage, &end)) ||
	     (is_last && take_lives(h, &w, &end))))
		rc = pl_err_nomem(err);
	pl_watch_fini(&w);
	return rc;
}

static int take_lines(struct pl_history *h, struct pl_text *text, struct reading *r,
		      struct pl_err *err)
{
	struct pl_line line, before = {0};

	while (pl_text_next(text, &line)) {
		const bool cut = line.s + line.len == text->data + text->len;

		if (!(cut && before.s) && pl_journal_check_line(&line, err))
			return -1;
		if (cut)
			break;
		if (before.s && take_line(h, text, &before, false, r, err))
			return -1;
		before = line;
	}
	return before.s ? take_line(h, text, &before, true, r, err) : 0;
}

int pl_history_parse(struct pl_history *h, struct pl_text *text, struct pl_err *err)
{
	struct reading r = {0};
	const int rc = take_lines(h, text, &r, err);

	free(r.arrival);
	return rc;
}

int pl_history_read(struct pl_history *h, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load_file(&text, path, PL_JOURNAL_MAX, err))
		return -1;
	rc = pl_history_parse(h, &text, err);
	pl_text_fini(&text);
	return rc;
}

void pl_history_fini(struct pl_history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->kind[i].type);
		free(h->kind[i].life);
	}
	free(h->kind);
	*h = (struct pl_history){0};
}

void pl_history_take_times(const struct pl_history *h, struct pl_replan_times *times)
{
	if (!h->launch.n)
		return;
	times->launch_s = pl_history_mean_s(&h->launch);
	times->launch_from = PL_TIME_MEASURED;
	times->n_launches = h->launch.n;
}
