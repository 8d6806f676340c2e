/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - machines for a job, as the user's own search reports them */
#include "config.h"

#include "base/text/number.h"
#include "planner/srift/watch/progress.h"
#include "planner/srift/watch/replan.h"

#include <string.h>

#define SECONDS_MAX 1e9
#define PRICE_MAX 1e6
#define SAMPLES_MAX 1000000000

static int want_word(struct pl_line *line, struct pl_word *w, const char *what, struct pl_err *err)
{
	if (pl_line_next(line, w))
		return 0;
	return pl_err_at(err, pl_line_place(line), "%s is missing", what);
}

static int take_whole(struct pl_line *line, const char *what, int64_t max, int64_t *out,
		      struct pl_err *err)
{
	struct pl_word w;

	if (want_word(line, &w, what, err))
		return -1;
	if (!pl_int_parse(w.s, w.len, 1, max, out))
		return 0;
	return pl_err_at(err, w.place, "%s is a whole number from 1 to %lld, not \"%.*s\"", what,
			 (long long)max, (int)w.len, w.s);
}

/* From 0 to @max. */
static int take_number(struct pl_line *line, const char *what, double max, double *out,
		       struct pl_err *err)
{
	struct pl_word w;

	if (want_word(line, &w, what, err))
		return -1;
	if (!pl_double_parse(w.s, w.len, out) && *out >= 0 && *out <= max)
		return 0;
	return pl_err_at(err, w.place, "%s is a number from 0 to %g, not \"%.*s\"", what, max,
			 (int)w.len, w.s);
}

static int take_kind(struct pl_line *line, bool *spot, struct pl_err *err)
{
	struct pl_word w;

	if (want_word(line, &w, "spot or on-demand", err))
		return -1;
	*spot = pl_word_is(&w, "spot");
	if (*spot || pl_word_is(&w, "on-demand"))
		return 0;
	return pl_err_at(err, w.place, "spot or on-demand is wanted, not \"%.*s\"", (int)w.len,
			 w.s);
}

static int take_type(struct pl_line *line, char type[PL_TYPE_NAME_MAX + 1], struct pl_err *err)
{
	struct pl_word w;

	if (want_word(line, &w, "a type of machine", err))
		return -1;
	if (!pl_host_name_is_good(w.s, w.len))
		return pl_err_at(err, w.place, "\"%.*s\" is no type of machine", (int)w.len, w.s);
	memcpy(type, w.s, w.len);
	type[w.len] = '\0';
	return 0;
}

static bool has_part(const struct pl_srift_fleet *fleet, const char *type, bool spot)
{
	for (size_t i = 0; i < fleet->n; i++)
		if (fleet->part[i].spot == spot && strcmp(fleet->part[i].type, type) == 0)
			return true;
	return false;
}

static int take_machines(struct pl_srift_fleet *fleet, struct pl_line *line, struct pl_err *err)
{
	char type[PL_TYPE_NAME_MAX + 1];
	struct pl_fleet_part part = {.type = type};
	const struct pl_place place = pl_line_place(line);
	int64_t count, batch;

	if (take_whole(line, "a count", PL_FLEET_COUNT_MAX, &count, err) ||
	    take_type(line, type, err) || take_kind(line, &part.spot, err) ||
	    take_whole(line, "a number of samples", SAMPLES_MAX, &batch, err) ||
	    take_number(line, "a price", PRICE_MAX, &part.price_per_hour, err))
		return -1;
	part.count = (size_t)count;
	part.batch = (uint64_t)batch;
	if (has_part(fleet, type, part.spot))
		return pl_err_at(err, place, "%s comes twice", type);
	if (fleet->n == PL_FLEET_PARTS_MAX)
		return pl_err_at(err, place, "more than %d types", PL_FLEET_PARTS_MAX);
	return pl_fleet_add(fleet, &part) ? pl_err_nomem(err) : 0;
}

static int take_none(struct pl_line *line, struct pl_err *err)
{
	const struct pl_word why = pl_line_rest(line);

	if (why.len == 0)
		return pl_err_set(err, PL_EPARTIAL, "no machines were found");
	return pl_err_set(err, PL_EPARTIAL, "%.*s", (int)why.len, why.s);
}

static int take_seconds(struct pl_srift_fleet *fleet, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);

	if (take_number(line, "the seconds of an iteration", SECONDS_MAX, &fleet->iteration_s, err))
		return -1;
	if (fleet->iteration_s > 0)
		return 0;
	return pl_err_at(err, place, "an iteration takes more than 0 s");
}

static int take_line(struct pl_srift_fleet *fleet, struct pl_line *line, struct pl_err *err)
{
	struct pl_word w;
	int rc;

	if (!pl_line_next(line, &w) || w.s[0] == '#')
		return 0;
	if (pl_word_is(&w, "none"))
		return take_none(line, err);
	if (pl_word_is(&w, "iteration"))
		rc = take_seconds(fleet, line, err);
	else if (pl_word_is(&w, "machines"))
		rc = take_machines(fleet, line, err);
	else
		rc = pl_err_at(err, w.place, "iteration, machines or none is wanted, not \"%.*s\"",
			       (int)w.len, w.s);
	if (rc == 0 && pl_line_next(line, &w))
		rc = pl_err_at(err, w.place, "unexpected: \"%.*s\"", (int)w.len, w.s);
	return rc;
}

int pl_fleet_parse(struct pl_srift_fleet *fleet, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;
	int rc = 0;

	while (rc == 0 && pl_text_next(text, &line))
		rc = take_line(fleet, &line, err);
	if (rc == 0 && (fleet->n == 0 || !(fleet->iteration_s > 0)))
		rc = pl_err_at(err, (struct pl_place){text->name, text->line + 1, 1},
			       "the answer lacks a line \"%s\"",
			       fleet->n ? "iteration" : "machines");
	if (rc)
		pl_srift_fleet_fini(fleet);
	return rc;
}
