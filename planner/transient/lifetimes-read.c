/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetimes-read.c - files of lifetimes: plink-lifetimes(5) */
#include "config.h"

#include "planner/transient/lifetimes.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "planner/catalogue/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20)
#define NAME_MAX_BYTES 255
#define HEADER "# plink-lifetimes 1"
#define TIME_CHARS 40
#define NS_PER_S 1e9

/* A time at the line's next word. 0; 1: the line has ended; -1 with @err
 * set. */
static int next_time(struct pl_line *line, double *s, struct pl_err *err)
{
	struct pl_word word;
	char text[TIME_CHARS];
	double ns;

	if (!pl_line_next(line, &word))
		return 1;
	snprintf(text, sizeof(text), "%.*s", (int)(word.len < sizeof(text) ? word.len : 0), word.s);
	if (pl_time_parse(text, NS_PER_S, &ns))
		return pl_err_at(err, word.place,
				 "\"%.*s\" is not a time from 0 on, like 90s or 3.5h",
				 (int)word.len, word.s);
	*s = ns / NS_PER_S;
	if (*s <= PL_LIFE_MAX_S)
		return 0;
	return pl_err_at(err, word.place, "a time of more than %g s", PL_LIFE_MAX_S);
}

static int want_time(struct pl_line *line, double *s, const char *what, struct pl_err *err)
{
	const int rc = next_time(line, s, err);

	return rc > 0 ? pl_err_at(err, pl_line_place(line), "%s is missing", what) : rc;
}

static int want_end(struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	return pl_err_at(err, word.place, "the line must end before \"%.*s\"", (int)word.len,
			 word.s);
}

/* TYPE REGION; NULL with @err set. */
static struct pl_life_group *take_group(struct pl_lifetimes *l, struct pl_line *line,
					struct pl_err *err)
{
	struct pl_word name[2];
	struct pl_life_group *g;

	for (int i = 0; i < 2; i++) {
		if (!pl_line_next(line, &name[i])) {
			pl_err_at(err, pl_line_place(line), "%s is missing",
				  i ? "the region (or -)" : "the type");
			return NULL;
		}
		if (name[i].len > NAME_MAX_BYTES) {
			pl_err_at(err, name[i].place, "more than %d bytes", NAME_MAX_BYTES);
			return NULL;
		}
	}
	g = pl_lifetimes_group(l, name[0].s, name[0].len, name[1].s, name[1].len);
	if (!g)
		pl_err_nomem(err);
	return g;
}

/* An hour of the day, as 9:30. */
static int take_hour(const struct pl_word *word, double *hour, struct pl_err *err)
{
	const char *colon = memchr(word->s, ':', word->len);
	uint64_t h, min;

	if (!colon || word->s + word->len - colon != 3 ||
	    pl_uint_parse(word->s, (size_t)(colon - word->s), 23, &h) ||
	    pl_uint_parse(colon + 1, 2, 59, &min))
		return pl_err_at(err, word->place, "\"%.*s\" is not an hour from 0:00 to 23:59",
				 (int)word->len, word->s);
	*hour = (double)h + (double)min / 60;
	return 0;
}

/* life TYPE REGION TIME {lost|kept} [HOUR] */
static int take_life(struct pl_life_group *g, struct pl_line *line, struct pl_err *err)
{
	struct pl_life life = {.start_h = NAN};
	struct pl_word word;

	if (want_time(line, &life.s, "the lifetime of the machine", err))
		return -1;
	if (!pl_line_next(line, &word))
		return pl_err_at(err, pl_line_place(line), "\"lost\" or \"kept\" is missing");
	life.lost = pl_word_is(&word, "lost");
	if (!life.lost && !pl_word_is(&word, "kept"))
		return pl_err_at(err, word.place, "\"%.*s\" is neither \"lost\" nor \"kept\"",
				 (int)word.len, word.s);
	if (pl_line_next(line, &word) && take_hour(&word, &life.start_h, err))
		return -1;
	return pl_lifetimes_add(g, life) ? pl_err_nomem(err) : 0;
}

static void observe(struct pl_history_mean *mean, double s)
{
	mean->sum_s += s;
	mean->n++;
}

/* start TYPE REGION PROVISIONED STAGED UP, each a time since the one before */
static int take_start(struct pl_life_group *g, struct pl_line *line, struct pl_err *err)
{
	double sum = 0;

	for (int i = 0; i < PL_START_STAGES; i++) {
		char what[64];
		double s;

		snprintf(what, sizeof(what), "the time until it was %s", pl_start_stage_name[i]);
		if (want_time(line, &s, what, err))
			return -1;
		observe(&g->stage[i], s);
		sum += s;
	}
	observe(&g->launch, sum);
	if (pl_array_grow((void **)&g->launch_s, &g->launches_room, g->n_launches,
			  sizeof(*g->launch_s)))
		return pl_err_nomem(err);
	g->launch_s[g->n_launches++] = sum;
	return 0;
}

static int take_cold(struct pl_life_group *g, struct pl_line *line, struct pl_err *err)
{
	double s;

	if (want_time(line, &s, "the time until the machine took part", err))
		return -1;
	observe(&g->cold, s);
	return 0;
}

static int take_warm(struct pl_life_group *g, struct pl_line *line, struct pl_err *err)
{
	double s;

	if (want_time(line, &s, "the time until the machine took part", err))
		return -1;
	observe(&g->warm, s);
	return 0;
}

/* price TYPE REGION DOLLARS TIME */
static int take_price(struct pl_life_group *g, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;
	double dollars, s;

	if (!pl_line_next(line, &word))
		return pl_err_at(err, pl_line_place(line), "the dollars an hour are missing");
	if (pl_double_parse(word.s, word.len, &dollars) ||
	    !(dollars >= 0 && dollars <= PL_PRICE_MAX))
		return pl_err_at(err, word.place, "\"%.*s\" is not from 0 to %g dollars an hour",
				 (int)word.len, word.s, PL_PRICE_MAX);
	if (want_time(line, &s, "how long the price held", err))
		return -1;
	if (s == 0)
		return pl_err_at(err, word.place, "a price that held for 0 s");
	return pl_prices_add(&g->prices, dollars, s) ? pl_err_nomem(err) : 0;
}

static const struct {
	const char *word;
	int (*take)(struct pl_life_group *g, struct pl_line *line, struct pl_err *err);
} kinds[] = {
	{"life", take_life}, {"start", take_start}, {"cold", take_cold},
	{"warm", take_warm}, {"price", take_price},
};

static int take_limit(struct pl_lifetimes *l, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);
	double s;

	if (want_time(line, &s, "the limit", err))
		return -1;
	if (s == 0 || (l->limit_s > 0 && l->limit_s != s))
		return pl_err_at(err, place,
				 s == 0 ? "the limit must be above 0"
					: "an earlier line has another limit");
	l->limit_s = s;
	return 0;
}

static int take_line(struct pl_lifetimes *l, struct pl_line *line, struct pl_err *err)
{
	struct pl_life_group *g;
	struct pl_word word;

	if (!pl_line_next(line, &word) || word.s[0] == '#')
		return 0;
	if (pl_word_is(&word, "limit"))
		return take_limit(l, line, err) ? -1 : want_end(line, err);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!pl_word_is(&word, kinds[i].word))
			continue;
		g = take_group(l, line, err);
		return !g || kinds[i].take(g, line, err) ? -1 : want_end(line, err);
	}
	return pl_err_at(err, word.place, "\"%.*s\" is not limit, life, start, cold, warm or price",
			 (int)word.len, word.s);
}

/* At the limit, machines are taken away that nobody else wanted. */
static void censor(struct pl_lifetimes *l)
{
	for (size_t i = 0; l->limit_s > 0 && i < l->n; i++) {
		struct pl_life_group *g = &l->group[i];

		for (size_t k = 0; k < g->n; k++) {
			if (!g->life[k].lost || g->life[k].s < l->limit_s)
				continue;
			g->life[k].lost = false;
			g->n_lost--;
		}
	}
}

static int take_journal(struct pl_lifetimes *l, struct pl_text *text, struct pl_err *err)
{
	struct pl_history h = {0};
	int rc = pl_history_parse(&h, text, err);

	if (rc == 0 && pl_lifetimes_add_history(l, &h))
		rc = pl_err_nomem(err);
	pl_history_fini(&h);
	return rc;
}

int pl_lifetimes_parse(struct pl_lifetimes *l, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	if (text->len > text->pos && text->data[text->pos] == '{') {
		if (take_journal(l, text, err))
			return -1;
		censor(l);
		return 0;
	}
	if (pl_text_first(text, HEADER, err))
		return -1;
	while (pl_text_next(text, &line))
		if (take_line(l, &line, err))
			return -1;
	censor(l);
	return 0;
}

int pl_lifetimes_read(struct pl_lifetimes *l, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_lifetimes_parse(l, &text, err), PL_KIND_LIFETIMES, err);
}
