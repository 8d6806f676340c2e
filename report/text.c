/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - a report for a terminal: a table, and maps of blocks */
#include "config.h"

#include "report/text.h"

#include "report/label.h"
#include "report/map.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_CHARS 512

/* Does the byte go on with a character of UTF-8? */
static bool is_rest(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* One line, cut to the terminal's width; what a terminal would obey becomes '?'. */
static void put(const struct pl_terminal *t, FILE *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void put(const struct pl_terminal *t, FILE *out, const char *fmt, ...)
{
	char line[LINE_MAX_CHARS];
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	len = strlen(line);
	if (len > t->width) /* and no character is cut */
		for (len = t->width; len && is_rest(line[len]); len--)
			;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	fprintf(out, "%.*s\n", (int)len, line);
}

/* A heading and its lines. */
static void put_table(const struct pl_terminal *t, const struct pl_report_fact *table, FILE *out)
{
	const char *line = table->value;

	put(t, out, "%s", table->key);
	while (*line) {
		const size_t len = strcspn(line, "\n");

		put(t, out, "%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/* The time of the call that the title is about; NULL: none is predicted. */
static const struct pl_report_time *find_time(const struct pl_report *r)
{
	for (size_t i = 0; i < r->n_times; i++)
		if (r->time[i].in_title && r->time[i].given_s > 0)
			return &r->time[i];
	return NULL;
}

static void put_time(const struct pl_terminal *t, const char *name, double seconds, double given,
		     FILE *out)
{
	char number[PL_REPORT_NUMBER];

	put(t, out, "%-6s %11s  %5.1f %%", name, pl_report_seconds(number, seconds),
	    100 * seconds / given);
}

static void put_cost(const struct pl_report *r, const struct pl_terminal *t, const char *name,
		     double value, const struct pl_report_order *o, FILE *out)
{
	char number[PL_REPORT_NUMBER], share[32] = "", gap[40] = "";

	if (isnan(value))
		return;
	if (o->given > 0)
		snprintf(share, sizeof(share), "%5.1f %%", 100 * value / o->given);
	if (value == o->bound && o->cost >= o->bound && o->bound > 0)
		snprintf(gap, sizeof(gap), "  gap %.2f %%", 100 * (o->cost / o->bound - 1));
	put(t, out, "%-6s %11s  %s%s", name, pl_report_value(number, r, value), share,
	    strcmp(name, "bound") == 0 ? gap : "");
}

static void put_order(const struct pl_report *r, const struct pl_terminal *t,
		      const struct pl_report_order *o, FILE *out)
{
	const struct pl_report_time *time = find_time(r);
	char number[PL_REPORT_NUMBER];

	if (time) { /* costs beside times would be taken for times */
		put(t, out, "%s, predicted time", o->title);
		put_time(t, "given", time->given_s, time->given_s, out);
		put_time(t, "found", time->found_s, time->given_s, out);
	} else {
		put(t, out, "%s%s", o->title, isnan(o->cost) ? "" : ", cost of its hops");
		put_cost(r, t, "given", o->given, o, out);
		put_cost(r, t, "found", o->cost, o, out);
		put_cost(r, t, "bound", o->bound, o, out);
	}
	if (r->slow < INFINITY)
		put(t, out, "hops of %s or more: given %zu, found %zu of %zu",
		    pl_report_value(number, r, r->slow), pl_report_count_slow(r, &o->in_given),
		    pl_report_count_slow(r, &o->in_found), o->in_found.n);
}

/* The nearest of the 6 x 6 x 6 cube of colours. */
static int in_cube(struct pl_rgb c)
{
	static const int steps[] = {0, 95, 135, 175, 215, 255};
	const int v[] = {c.r, c.g, c.b};
	int number = 16, factor = 36;

	for (int k = 0; k < 3; k++, factor /= 6) {
		int best = 0;

		for (int i = 1; i < 6; i++)
			if (abs(steps[i] - v[k]) < abs(steps[best] - v[k]))
				best = i;
		number += best * factor;
	}
	return number;
}

/* Sets the colour of letters (38) or of what is behind them (48). */
static void set_color(const struct pl_terminal *t, int which, struct pl_rgb c, FILE *out)
{
	if (t->true_color)
		fprintf(out, "\033[%d;2;%d;%d;%dm", which, c.r, c.g, c.b);
	else
		fprintf(out, "\033[%d;5;%dm", which, in_cube(c));
}

/* Columns and lines that a map of a cell a pixel takes. */
struct layout {
	size_t zoom; /* pixels a side of a cell */
	size_t columns, lines;
	size_t names;    /* columns of the names left of it; 0: no room */
	size_t per_line; /* hosts */
	size_t room;     /* of a name */
	size_t upright;  /* lines of the names above it */
	bool beside;     /* both maps in one row */
};

#define NAME_CHARS 14
#define UPRIGHT_CHARS 8
#define GLYPH_CHARS 8
#define FROM "from"   /* above the names */
#define LEAST_NAMES 5 /* columns for names, else there are none */

/* Copies the first character of @s as the terminal may show it. Returns where the next one
 * begins. */
static const char *take_glyph(char glyph[GLYPH_CHARS], const char *s, const struct pl_terminal *t)
{
	size_t len = 1;
	const bool ascii = *s >= ' ' && *s < 0x7f;

	while (is_rest(s[len]))
		len++;
	if (len < GLYPH_CHARS && (ascii ? len == 1 : len > 1 && t->blocks))
		snprintf(glyph, GLYPH_CHARS, "%.*s", (int)len, s);
	else
		snprintf(glyph, GLYPH_CHARS, "?");
	return s + len;
}

/* The hosts of a line of the map, cut to the columns for names (0: as wide as they are), with
 * blanks behind them. Returns the columns. */
static size_t put_names(const struct pl_report *r, const struct pl_terminal *t,
			const struct pl_map_order *order, const struct layout *l, size_t line,
			FILE *out)
{
	size_t columns = 0;

	for (size_t k = line * l->per_line; k < (line + 1) * l->per_line && k < order->n; k++) {
		char name[PL_LABEL_CHARS];
		const char *c = pl_label_short(name, r, pl_map_host(order, k), l->room);

		if (k > line * l->per_line && ++columns && out)
			fputc(' ', out);
		for (char glyph[GLYPH_CHARS]; *c; columns++) {
			c = take_glyph(glyph, c, t);
			if (out)
				fputs(glyph, out);
		}
	}
	for (size_t k = columns; out && k <= l->names; k++)
		fputc(' ', out);
	return columns;
}

/* One line of the hosts' names above their columns, which read downwards and end at the map.
 * Without @out only counts the lines that the names take. */
static size_t put_upright(const struct pl_report *r, const struct pl_terminal *t,
			  const struct pl_map_order *order, const struct layout *l, size_t line,
			  FILE *out)
{
	const int wide = (int)(l->columns / r->n);
	size_t lines = 0;

	for (size_t k = 0; k < order->n; k++) {
		char name[PL_LABEL_CHARS], glyph[UPRIGHT_CHARS + 1][GLYPH_CHARS];
		const char *c = pl_label_short(name, r, pl_map_host(order, k), UPRIGHT_CHARS);
		size_t n = 0;

		while (*c && n < UPRIGHT_CHARS)
			c = take_glyph(glyph[n++], c, t);
		lines = n > lines ? n : lines;
		if (out && line + n >= l->upright)
			fprintf(out, "%s%*s", glyph[line + n - l->upright], wide - 1, "");
		else if (out)
			fprintf(out, "%*s", wide, "");
	}
	return lines;
}

static struct layout lay_out(const struct pl_report *r, const struct pl_terminal *t, size_t maps)
{
	const struct pl_map_order all = {NULL, r->n};
	const size_t n = r->n;
	struct layout l = {.zoom = n <= 20 ? 2 : 1};

	l.columns = t->blocks ? n * l.zoom : 2 * n;
	l.lines = t->blocks ? (n * l.zoom + 1) / 2 : n;
	l.per_line = t->blocks ? 2 / l.zoom : 1;
	if (t->width >= l.columns + LEAST_NAMES)
		l.room = (t->width - l.columns - l.per_line) / l.per_line;
	l.room = l.room < NAME_CHARS ? l.room : NAME_CHARS;
	if (l.room > 0)
		l.names = strlen(FROM);
	for (size_t k = 0; l.room > 0 && k < l.lines; k++) {
		const size_t wide = put_names(r, t, &all, &l, k, NULL);

		l.names = wide > l.names ? wide : l.names;
	}
	if (l.room > 0)
		l.upright = put_upright(r, t, &all, &l, 0, NULL);
	if (l.per_line > 1 && l.room > 0) /* of any two hosts */
		l.names = 2 * l.room + 1;
	l.beside = maps * (l.columns + 2 + (l.names ? l.names + 1 : 0)) <= t->width + 2;
	return l;
}

static struct pl_rgb pixel(const struct pl_image *map, size_t x, size_t y)
{
	return map->colour[map->pixel[y * map->width + x]];
}

/* One line of a map: with blocks two rows of pixels. */
static void put_row(const struct pl_terminal *t, const struct pl_image *map, const struct layout *l,
		    size_t line, FILE *out)
{
	if (!t->blocks) {
		for (size_t x = 0; x < map->width; x++) {
			set_color(t, 48, pixel(map, x, line), out);
			fputs("  ", out);
		}
		fputs("\033[0m", out);
		return;
	}
	for (size_t x = 0; x < map->width * l->zoom; x++) {
		const size_t above = 2 * line / l->zoom;
		const size_t below = (2 * line + 1) / l->zoom;

		set_color(t, 38, pixel(map, x / l->zoom, above), out);
		if (below < map->height)
			set_color(t, 48, pixel(map, x / l->zoom, below), out);
		else
			fputs("\033[49m", out);
		fputs("\xe2\x96\x80", out);
	}
	fputs("\033[0m", out);
}

/* "from" above the names, "to" above the map. */
static void put_heading(const struct layout *l, const char *name, bool last, FILE *out)
{
	char what[32];
	int width = (int)l->columns;

	if (l->names)
		fprintf(out, "%-*.*s ", (int)l->names, (int)l->names, FROM);
	snprintf(what, sizeof(what), width < 15 ? "%.5s" : "to, %s", name);
	fprintf(out, "%-*.*s%s", last ? 0 : width, width, what, last ? "\n" : "  ");
}

static void put_maps(const struct pl_report *r, const struct pl_terminal *t,
		     const struct pl_image *map, const struct pl_map_order *order, size_t n,
		     const struct layout *l, FILE *out)
{
	const char *const names[] = {r->from.traffic ? "bytes" : "given order", "found order"};

	for (size_t from = 0; from < n; from += l->beside ? n : 1) {
		const size_t to = l->beside ? n : from + 1;

		for (size_t i = from; i < to; i++)
			put_heading(l, names[i], i + 1 == to, out);
		for (size_t line = 0; line < l->upright; line++)
			for (size_t i = from; i < to; i++) {
				fprintf(out, "%*s", (int)l->names + 1, "");
				put_upright(r, t, &order[i], l, line, out);
				fputs(i + 1 < to ? "  " : "\n", out);
			}
		for (size_t line = 0; line < l->lines; line++)
			for (size_t i = from; i < to; i++) {
				if (l->names)
					put_names(r, t, &order[i], l, line, out);
				put_row(t, &map[i], l, line, out);
				fputs(i + 1 < to ? "  " : "\n", out);
			}
	}
}

static void put_legend(const struct pl_report *r, const struct pl_terminal *t, FILE *out)
{
	const bool rate = pl_report_is_rate(r);
	char low[PL_REPORT_NUMBER], high[PL_REPORT_NUMBER];
	const size_t steps = t->width < 60 ? 8 : 16;

	pl_report_value(low, r, rate ? r->high : r->low);
	pl_report_value(high, r, rate ? r->low : r->high);
	if (strlen(low) + strlen(high) + steps + 4 > t->width)
		return;
	fprintf(out, "%s ", low);
	for (size_t k = 0; k < steps; k++) {
		set_color(t, 48, pl_colour_ramp((double)k / (double)(steps - 1)), out);
		fputc(' ', out);
	}
	fprintf(out, "\033[0m %s", high);
	if (r->n_missing > 0 && t->width >= 60) {
		fputs("  ", out);
		set_color(t, 48, pl_colour_missing, out);
		fputs("  \033[0m missing", out);
	}
	fputc('\n', out);
}

/* The given order's map and the first found one's. */
static int put_heat(const struct pl_report *r, const struct pl_terminal *t, FILE *out,
		    struct pl_err *err)
{
	const size_t n = r->n_orders > 0 ? 2 : 1;
	const struct layout l = lay_out(r, t, n);
	const struct pl_map_order order[] = {
		{NULL, r->n},
		{n > 1 ? r->order[0].host_at : NULL, n > 1 ? r->order[0].n : r->n},
	};
	struct pl_image map[2];
	size_t n_drawn = 0;
	int rc = 0;

	if (l.columns > t->width) {
		put(t, out, "a map needs %zu columns", l.columns);
		return 0;
	}
	for (; rc == 0 && n_drawn < n; n_drawn += rc == 0)
		rc = pl_map_draw(&map[n_drawn], r, &order[n_drawn], err);
	/* chosen ones are fewer: no map of theirs beside that of all */
	if (rc == 0) {
		put_maps(r, t, map, order, n > 1 && r->order[0].n < r->n ? 1 : n, &l, out);
		put_legend(r, t, out);
	}
	while (n_drawn > 0)
		pl_image_fini(&map[--n_drawn]);
	return rc;
}

int pl_report_write_text(const struct pl_report *r, const struct pl_terminal *terminal, FILE *out,
			 struct pl_err *err)
{
	char hosts[PL_REPORT_LINE];

	if (r->from.traffic)
		put(terminal, out, "%s", r->from.traffic);
	else
		put(terminal, out, "%s; missing %zu of %zu pairs", pl_report_hosts(hosts, r),
		    r->n_missing, r->n * (r->n - 1));
	for (size_t i = 0; i < r->n_orders; i++)
		put_order(r, terminal, &r->order[i], out);
	for (size_t i = 0; i < r->n_facts; i++)
		if (r->fact[i].part == PL_REPORT_WARNING)
			put(terminal, out, "%s", r->fact[i].value);
		else if (r->fact[i].part == PL_REPORT_TABLE)
			put_table(terminal, &r->fact[i], out);
	if (!terminal->color || r->n > PL_TEXT_MAP_HOSTS)
		return 0;
	return put_heat(r, terminal, out, err);
}
