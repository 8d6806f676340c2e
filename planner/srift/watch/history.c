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
static struct pl_history_kind *kind_of(struct pl_history *h,
				       const struct pl_node *node)
{
	struct pl_history_kind *kind;

	for (size_t i = 0; i < h->n; i++)
		if (h->kind[i].spot == node->spot &&
		    strcmp(h->kind[i].type, node->type) == 0)
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

/* A launch adds all its machines before the first of them is told. */
static int take_launch(struct pl_history *h, const struct pl_srift_watch *w,
		       double at_s, size_t *n_known)
{
	const struct pl_node *node = w->nodes.node + *n_known;
	struct pl_history_kind *kind;

	if (w->nodes.n <= *n_known)
		return 0;
	kind = kind_of(h, node);
	if (!kind)
		return -1;
	observe(&kind->launch, at_s - node->launched_s);
	observe(&h->launch, at_s - node->launched_s);
	*n_known = w->nodes.n;
	return 0;
}

static int take_lives(struct pl_history *h, const struct pl_srift_watch *w,
		      const struct pl_journal_end *end)
{
	for (size_t i = 0; i < w->nodes.n; i++) {
		const struct pl_node *node = &w->nodes.node[i];
		const double end_s =
			isnan(node->ended_s) ? end->at_s : node->ended_s;
		const double start_s =
			end->began_s + node->launched_s / end->time_scale;
		const struct pl_history_life life = {
			.held_s = fmax(end_s - node->launched_s, 0),
			.lost = node->state == PL_NODE_LOST,
			.start_h = fmod(fmod(start_s, DAY_S) + DAY_S, DAY_S) /
				   S_PER_HOUR,
		};
		struct pl_history_kind *kind = kind_of(h, node);

		if (!kind ||
		    pl_array_grow((void **)&kind->life, &kind->room,
				  kind->n_machines, sizeof(*kind->life)))
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

static int take_line(struct pl_history *h, const struct pl_text *text,
		     const struct pl_line *line, bool is_last, size_t *n_known,
		     struct pl_err *err)
{
	const bool up = is_event(line, "{\"event\":\"up\"");
	const bool saved = is_event(line, "{\"event\":\"saved\"");
	const struct pl_watch_job none = {0};
	struct pl_journal_end end;
	struct pl_srift_watch w;
	int rc;

	if (!up && !saved && !is_last)
		return 0;
	pl_watch_init(&w, &none, NULL, NULL);
	rc = pl_journal_take_line(text, line, &w, &end, err);
	if (rc == 0 && saved)
		observe(&h->save, end.at_s - w.interrupted_s);
	if (rc == 0 && ((up && take_launch(h, &w, end.at_s, n_known)) ||
			(is_last && take_lives(h, &w, &end))))
		rc = pl_err_nomem(err);
	pl_watch_fini(&w);
	return rc;
}

int pl_history_parse(struct pl_history *h, struct pl_text *text,
		     struct pl_err *err)
{
	struct pl_line line, before = {0};
	size_t n_known = 0;

	while (pl_text_next(text, &line)) {
		const bool cut = line.s + line.len == text->data + text->len;

		if (!(cut && before.s) && pl_journal_check_line(&line, err))
			return -1;
		if (cut)
			break;
		if (before.s &&
		    take_line(h, text, &before, false, &n_known, err))
			return -1;
		before = line;
	}
	return before.s ? take_line(h, text, &before, true, &n_known, err) : 0;
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

void pl_history_take_times(const struct pl_history *h,
			   struct pl_replan_times *times)
{
	if (!h->launch.n)
		return;
	times->launch_s = pl_history_mean_s(&h->launch);
	times->launch_from = PL_TIME_MEASURED;
	times->n_launches = h->launch.n;
}
