/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - when cards and uplinks of a testbed change, and to what */
/*
 *   SECONDS card HOST OUT IN      as the header lines of a matrix
 *   SECONDS uplink GROUP OUT IN
 *   SECONDS matrix FILE           all that the matrix says
 */
#include "config.h"

#include "tests/testbed/schedule.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "base/text/text.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 20)
#define SECONDS_MAX 1e6

static void step_fini(struct tb_step *step)
{
	free(step->line);
	tb_topology_fini(&step->matrix);
}

void tb_schedule_fini(struct tb_schedule *s)
{
	for (size_t i = 0; i < s->n; i++)
		step_fini(&s->step[i]);
	free(s->step);
	*s = (struct tb_schedule){0};
}

static int take_time(struct tb_step *step, const struct pl_word *w, int64_t least_ns,
		     struct pl_err *err)
{
	double seconds;

	/* written so that nan is refused */
	if (pl_double_parse(w->s, w->len, &seconds) || !(seconds >= 0 && seconds <= SECONDS_MAX))
		return pl_err_at(err, w->place, "seconds are wanted, not \"%.*s\"", (int)w->len,
				 w->s);
	step->at_ns = (int64_t)(seconds * 1e9);
	if (step->at_ns < least_ns)
		return pl_err_at(err, w->place, "%.*s s is earlier than the line above",
				 (int)w->len, w->s);
	return 0;
}

/* "-": stays. */
static int take_rate(double *bps, struct pl_line *line, struct pl_err *err)
{
	char text[PL_RATE_CHARS] = "";
	struct pl_word w;

	*bps = 0;
	if (pl_line_word(line, &w) && w.len < sizeof(text))
		memcpy(text, w.s, w.len);
	if (strcmp(text, "-") != 0 && pl_rate_parse(text, bps))
		return pl_err_at(err, w.place,
				 "a rate as 200Mbit is wanted, or - where it stays, not \"%.*s\"",
				 (int)w.len, w.s);
	return 0;
}

static int take_host(struct tb_step *step, const struct pl_word *w, const struct tb_running *r,
		     struct pl_err *err)
{
	step->kind = TB_STEP_CARD;
	for (step->index = 0; step->index < r->n; step->index++)
		if (pl_word_is(w, r->host[step->index].name))
			return 0;
	return pl_err_at(err, w->place, "the testbed has no host \"%.*s\"", (int)w->len, w->s);
}

static int take_group(struct tb_step *step, const struct pl_word *w, const struct tb_running *r,
		      struct pl_err *err)
{
	const int64_t n = (int64_t)r->ledger->n_groups;
	int64_t group;

	step->kind = TB_STEP_UPLINK;
	if (pl_int_parse(w->s, w->len, 0, n - 1, &group))
		return pl_err_at(err, w->place, "the testbed has no group \"%.*s\"", (int)w->len,
				 w->s);
	step->index = (size_t)group;
	return 0;
}

static int take_matrix(struct tb_step *step, const struct pl_word *w, const struct tb_running *r,
		       struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_US};
	char *path = pl_string_copy(w->s, w->len);
	struct pl_matrix *m = path ? pl_matrix_read(path, &options, err) : NULL;
	int rc = path ? -1 : pl_err_nomem(err);
	struct pl_err why;

	step->kind = TB_STEP_MATRIX;
	if (m)
		rc = tb_topology_init(&step->matrix, m, &why) ||
				     tb_running_fit(r, &step->matrix, m, &why)
			     ? pl_err_at(err, w->place, "%s", why.text)
			     : 0;
	pl_matrix_destroy(m);
	free(path);
	return rc;
}

static int take_change(struct tb_step *step, struct pl_line *line, const struct tb_running *r,
		       struct pl_err *err)
{
	struct pl_word what, of;

	pl_line_word(line, &what);
	if (pl_word_is(&what, "matrix")) {
		of = pl_line_rest(line);
		return take_matrix(step, &of, r, err);
	}
	pl_line_word(line, &of);
	if (pl_word_is(&what, "card")) {
		if (take_host(step, &of, r, err))
			return -1;
	} else if (pl_word_is(&what, "uplink")) {
		if (take_group(step, &of, r, err))
			return -1;
	} else {
		return pl_err_at(err, what.place, "card, uplink or matrix is wanted, not \"%.*s\"",
				 (int)what.len, what.s);
	}
	return take_rate(&step->rate.out_bps, line, err) || take_rate(&step->rate.in_bps, line, err)
		       ? -1
		       : pl_line_end(line, err);
}

/* A step of the line; a comment or a blank line is none. */
static int take_line(struct tb_schedule *s, struct pl_line *line, const struct tb_running *r,
		     struct pl_err *err)
{
	const int64_t least_ns = s->n > 0 ? s->step[s->n - 1].at_ns : 0;
	struct tb_step step = {.line = pl_string_copy(line->s, line->len)};
	void *array = s->step;
	struct pl_word w;
	int rc = step.line ? 0 : pl_err_nomem(err);

	if (rc == 0 && (!pl_line_next(line, &w) || w.s[0] == '#')) {
		step_fini(&step);
		return 0;
	}
	if (rc == 0)
		rc = take_time(&step, &w, least_ns, err);
	if (rc == 0)
		rc = take_change(&step, line, r, err);
	if (rc == 0 && pl_array_grow(&array, &s->room, s->n, sizeof(step)))
		rc = pl_err_nomem(err);
	if (rc) {
		step_fini(&step);
		return -1;
	}
	s->step = array;
	s->step[s->n++] = step;
	return 0;
}

int tb_schedule_read(struct tb_schedule *s, const char *path, const struct tb_running *r,
		     struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	if (pl_text_load(&text, path, FILE_MAX, err))
		return -1;
	while (rc == 0 && pl_text_next(&text, &line))
		rc = take_line(s, &line, r, err);
	pl_text_fini(&text);
	if (rc)
		tb_schedule_fini(s);
	return rc;
}

int tb_schedule_make(struct tb_step *step, const struct tb_running *r, struct tb_topology *t,
		     struct pl_err *err)
{
	if (step->kind == TB_STEP_MATRIX) {
		*t = step->matrix;
		step->matrix = (struct tb_topology){0};
		return 0;
	}
	if (tb_running_delays(r, t, err))
		return -1;
	if (step->kind == TB_STEP_CARD)
		t->tiers.card[step->index] = step->rate;
	else
		t->tiers.uplink[step->index] = step->rate;
	return 0;
}
