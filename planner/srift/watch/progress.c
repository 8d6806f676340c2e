/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - a job's own reports of its progress */
#include "config.h"

#include "planner/srift/watch/progress.h"

#include "base/text/number.h"

#include <string.h>

static const struct {
	const char *word;
	enum pl_progress_kind kind;
} statements[] = {
	{"iteration", PL_PROGRESS_ITERATION},
	{"checkpoint", PL_PROGRESS_CHECKPOINT},
	{"dollars", PL_PROGRESS_DOLLARS},
	{"gain", PL_PROGRESS_GAIN},
	{"heartbeat", PL_PROGRESS_HEARTBEAT},
	{"lost", PL_PROGRESS_LOST},
	{"provisioned", PL_PROGRESS_PROVISION},
	{"staged", PL_PROGRESS_STAGE},
	{"pace", PL_PROGRESS_PACE},
	{"done", PL_PROGRESS_DONE},
};

bool pl_host_name_is_good(const char *s, size_t len)
{
	static const char marks[] = "._:-";

	if (len == 0 || len > PL_HOST_NAME_MAX || s[0] == '-' || s[0] == '.')
		return false;
	for (size_t i = 0; i < len; i++) {
		const char c = s[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    !(c && strchr(marks, c)))
			return false;
	}
	return true;
}

static int take_iterations(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	int64_t n;

	if (pl_int_parse(w->s, w->len, 0, PL_PROGRESS_ITERATION_MAX, &n))
		return pl_err_at(err, w->place, "a number of iterations is wanted, not \"%.*s\"",
				 (int)w->len, w->s);
	p->iterations = (uint64_t)n;
	return 0;
}

static int take_dollars(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	double x;

	if (pl_double_parse(w->s, w->len, &x) || !(x >= 0) || x > PL_PROGRESS_DOLLARS_MAX)
		return pl_err_at(err, w->place, "dollars are wanted, not \"%.*s\"", (int)w->len,
				 w->s);
	p->dollars = x;
	return 0;
}

static int take_percent(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	if (pl_double_parse(w->s, w->len, &p->percent) || !(p->percent >= 0) || p->percent > 100)
		return pl_err_at(err, w->place, "a percentage is wanted, not \"%.*s\"", (int)w->len,
				 w->s);
	return 0;
}

static int take_host(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	if (!pl_host_name_is_good(w->s, w->len))
		return pl_err_at(err, w->place, "\"%.*s\" is no name of a host", (int)w->len, w->s);
	memcpy(p->host, w->s, w->len);
	p->host[w->len] = '\0';
	return 0;
}

/* The value behind the host of a pace. */
static int take_seconds(struct pl_said *p, struct pl_line *line, struct pl_err *err)
{
	struct pl_word w;

	if (!pl_line_next(line, &w))
		return pl_err_at(err, pl_line_place(line),
				 "the seconds of an iteration are missing");
	if (pl_double_parse(w.s, w.len, &p->seconds) || !(p->seconds > 0) ||
	    p->seconds > PL_PROGRESS_SECONDS_MAX)
		return pl_err_at(err, w.place, "seconds are wanted, not \"%.*s\"", (int)w.len, w.s);
	return 0;
}

static int take_value(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	switch (p->kind) {
	case PL_PROGRESS_ITERATION:
	case PL_PROGRESS_CHECKPOINT:
		return take_iterations(p, w, err);
	case PL_PROGRESS_DOLLARS:
		return take_dollars(p, w, err);
	case PL_PROGRESS_GAIN:
		return take_percent(p, w, err);
	default:
		return take_host(p, w, err);
	}
}

static int find_kind(struct pl_said *p, const struct pl_word *w, struct pl_err *err)
{
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (pl_word_is(w, statements[i].word)) {
			p->kind = statements[i].kind;
			return 0;
		}
	return pl_err_at(err, w->place,
			 "iteration, checkpoint, dollars, gain, heartbeat, lost, provisioned, "
			 "staged, pace or done is wanted, not \"%.*s\"",
			 (int)w->len, w->s);
}

int pl_progress_parse(struct pl_said *p, struct pl_line *line, struct pl_err *err)
{
	struct pl_said got = {.kind = PL_PROGRESS_NOTHING};
	struct pl_word w;

	*p = got;
	if (!pl_line_next(line, &w) || w.s[0] == '#')
		return 0;
	if (find_kind(&got, &w, err))
		return -1;
	if (got.kind != PL_PROGRESS_DONE) {
		if (!pl_line_next(line, &w))
			return pl_err_at(err, pl_line_place(line), "a value is missing");
		if (take_value(&got, &w, err) ||
		    (got.kind == PL_PROGRESS_PACE && take_seconds(&got, line, err)))
			return -1;
	}
	if (pl_line_next(line, &w))
		return pl_err_at(err, w.place, "unexpected: \"%.*s\"", (int)w.len, w.s);
	*p = got;
	return 0;
}

static int read_line(struct pl_progress_lines *l, struct pl_said *p, struct pl_err *err)
{
	struct pl_line line = {
		.s = l->buf,
		.len = l->len,
		.number = l->number,
		.file = l->file,
	};

	if (l->too_long)
		return pl_err_at(err, pl_line_place(&line), "a line of more than %d bytes",
				 PL_PROGRESS_LINE_MAX);
	if (line.len && line.s[line.len - 1] == '\r')
		line.len--;
	if (memchr(line.s, 0, line.len))
		return pl_err_at(err, pl_line_place(&line), "a zero byte");
	return pl_progress_parse(p, &line, err) ? -1 : 1;
}

size_t pl_progress_feed(struct pl_progress_lines *l, const char *data, size_t len,
			struct pl_said *p, int *status, struct pl_err *err)
{
	const char *end = memchr(data, '\n', len);
	const size_t part = end ? (size_t)(end - data) : len;

	if (l->number == 0)
		l->number = 1;
	if (part > PL_PROGRESS_LINE_MAX - l->len)
		l->too_long = true;
	if (!l->too_long) {
		memcpy(l->buf + l->len, data, part);
		l->len += part;
	}
	*status = 0;
	if (!end)
		return len;
	*status = read_line(l, p, err);
	l->number++;
	l->len = 0;
	l->too_long = false;
	return part + 1;
}
