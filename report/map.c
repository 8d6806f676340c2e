/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - heat maps of a matrix in some order of its hosts */
#include "config.h"

#include "report/map.h"

#include "report/escape.h"
#include "report/label.h"

#include <math.h>
#include <string.h>

static const struct pl_rgb nothing = {255, 255, 255};

size_t pl_map_host(const struct pl_map_order *order, size_t pos)
{
	return order->host_at ? order->host_at[pos] : pos;
}

size_t pl_map_block(size_t n)
{
	return (n + PL_MAP_SIDE_MAX - 1) / PL_MAP_SIDE_MAX;
}

const char *pl_map_note(char buf[PL_MAP_NOTE], size_t n)
{
	const size_t block = pl_map_block(n);

	*buf = '\0';
	if (block > 1)
		snprintf(buf, PL_MAP_NOTE,
			 "Each point stands for %zu x %zu pairs: it has the mean of their colours, "
			 "or is missing if one of them is.",
			 block, block);
	return buf;
}

/* Numbers of colours of the pairs from @row to @col on. */
static unsigned char square(const struct pl_report *r, const struct pl_map_order *order, size_t row,
			    size_t col, size_t block)
{
	double sum = 0;
	size_t count = 0, n_pairs = 0;

	for (size_t i = row; i < row + block && i < order->n; i++)
		for (size_t j = col; j < col + block && j < order->n; j++) {
			double x;

			if (i == j)
				continue;
			x = pl_report_cell(r, pl_map_host(order, i), pl_map_host(order, j));
			if (isnan(x))
				return PL_MAP_MISSING;
			n_pairs++;
			if (r->from.traffic && x == 0)
				continue;
			sum += pl_report_level(r, x);
			count++;
		}
	if (count == 0)
		return n_pairs > 0 ? PL_MAP_NOTHING : PL_MAP_SELF;
	return (unsigned char)lround(sum / (double)count * (PL_MAP_LEVELS - 1));
}

int pl_map_draw(struct pl_image *image, const struct pl_report *r, const struct pl_map_order *order,
		struct pl_err *err)
{
	const size_t block = pl_map_block(order->n);
	const size_t side = (order->n + block - 1) / block;

	if (pl_image_init(image, side, side, err))
		return -1;
	for (int k = 0; k < PL_MAP_LEVELS; k++)
		image->colour[k] = pl_colour_ramp(k / (double)(PL_MAP_LEVELS - 1));
	image->colour[PL_MAP_SELF] = (struct pl_rgb){160, 160, 160};
	image->colour[PL_MAP_MISSING] = pl_colour_missing;
	image->colour[PL_MAP_NOTHING] = nothing;
	for (size_t y = 0; y < side; y++)
		for (size_t x = 0; x < side; x++)
			image->pixel[y * side + x] = square(r, order, y * block, x * block, block);
	return 0;
}

/* A bar for each run of hosts of one rack, left of the map and above it. */
static void write_racks(const struct pl_report *r, const struct pl_map_order *order, FILE *out)
{
	const int at = PL_MAP_LEFT - PL_MAP_EDGE;
	const double cell = (double)PL_MAP_SIZE / (double)order->n;
	size_t from = 0;

	for (size_t k = 1; k <= order->n; k++) {
		const size_t rack = r->rack[pl_map_host(order, from)];
		char colour[PL_COLOUR_CHARS];

		if (k < order->n && r->rack[pl_map_host(order, k)] == rack)
			continue;
		pl_colour_format(colour, pl_colour_rack(rack));
		fprintf(out,
			"<rect x=\"%d\" y=\"%.2f\" width=\"6\" height=\"%.2f\" fill=\"%s\"/><rect "
			"x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"6\" fill=\"%s\"/>\n",
			at, PL_MAP_LEFT + cell * (double)from, cell * (double)(k - from), colour,
			PL_MAP_LEFT + cell * (double)from, at, cell * (double)(k - from), colour);
		from = k;
	}
}

/* @at: "x=... y=..." or a transform. */
static void write_name(const char *at, const char *anchor, double size, const char *name, FILE *out)
{
	fprintf(out,
		"<text %s font-size=\"%.1f\" text-anchor=\"%s\" dominant-baseline=\"central\" "
		"fill=\"currentColor\">",
		at, size, anchor);
	pl_escape_markup(name, out);
	fputs("</text>\n", out);
}

#define NAMED_MAX 40 /* labels that have room on an axis */
#define AXIS 13      /* size of letters */
#define LETTER 0.62  /* width of one, at most, in its size */

static size_t count_chars(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/* "from" left of names that take @room, "to" above them. */
static void write_axes(double room, FILE *out)
{
	const double middle = PL_MAP_LEFT + PL_MAP_SIZE / 2.0;
	double at = PL_MAP_LEFT - PL_MAP_EDGE - room - AXIS;
	char place[100];

	at = at < 7 ? 7 : at;
	snprintf(place, sizeof(place), "transform=\"translate(%.0f %.0f) rotate(-90)\"", at,
		 middle);
	write_name(place, "middle", AXIS, "from", out);
	snprintf(place, sizeof(place), "x=\"%.0f\" y=\"%.0f\"", middle, at);
	write_name(place, "middle", AXIS, "to", out);
}

/* Left of the rows and, upright, above the columns. */
static void write_names(const struct pl_report *r, const struct pl_map_order *order, FILE *out)
{
	const double cell = (double)PL_MAP_SIZE / (double)order->n;
	const double size = cell > AXIS ? AXIS : fmax(cell, 12);
	const int at = PL_MAP_LEFT - PL_MAP_EDGE - 4;
	struct pl_label label[PL_LABELS_MAX];
	char place[100];
	size_t longest = 0;
	const size_t n = pl_labels_find(label, r, order, NAMED_MAX,
					(size_t)(PL_MAP_NAMES / (size * LETTER)));

	for (size_t k = 0; k < n; k++) {
		const double pos = PL_MAP_LEFT + cell * (label[k].pos + 0.5);
		const size_t len = count_chars(label[k].text);

		longest = len > longest ? len : longest;
		snprintf(place, sizeof(place), "x=\"%d\" y=\"%.2f\"", at, pos);
		write_name(place, "end", size, label[k].text, out);
		snprintf(place, sizeof(place), "transform=\"translate(%.2f %d) rotate(-90)\"", pos,
			 at);
		write_name(place, "start", size, label[k].text, out);
	}
	write_axes((double)longest * size * LETTER, out);
}

int pl_map_write(const struct pl_report *r, const struct pl_map_order *order, size_t zoom,
		 FILE *out, struct pl_err *err)
{
	struct pl_image image;
	int rc = pl_map_draw(&image, r, order, err);

	if (rc)
		return -1;
	write_names(r, order, out);
	write_racks(r, order, out);
	fprintf(out,
		"<image class=\"cells\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
		"preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"",
		PL_MAP_LEFT, PL_MAP_LEFT, PL_MAP_SIZE, PL_MAP_SIZE);
	rc = pl_image_write_data(&image, zoom, out, err);
	fputs("\"/>\n", out);
	pl_image_fini(&image);
	return rc;
}

#define BAR_STEPS 60
#define BAR_WIDTH 240

static void write_end(const struct pl_report *r, double value, double x, const char *anchor,
		      FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fprintf(out,
		"<text x=\"%.1f\" y=\"30\" font-size=\"13\" text-anchor=\"%s\" "
		"fill=\"currentColor\">%s</text>\n",
		x, anchor, pl_report_value(number, r, value));
}

static void write_swatch(double x, struct pl_rgb colour, const char *text, FILE *out)
{
	char hex[PL_COLOUR_CHARS];

	fprintf(out,
		"<rect x=\"%.0f\" y=\"2\" width=\"14\" height=\"14\" fill=\"%s\" "
		"stroke=\"currentColor\" stroke-width=\".5\"/><text x=\"%.0f\" y=\"14\" "
		"font-size=\"13\" fill=\"currentColor\">%s</text>\n",
		x, pl_colour_format(hex, colour), x + 20, text);
}

void pl_map_write_legend(const struct pl_report *r, FILE *out)
{
	const bool rate = pl_report_is_rate(r);

	for (int k = 0; k < BAR_STEPS; k++) {
		char hex[PL_COLOUR_CHARS];
		const double w = (double)BAR_WIDTH / BAR_STEPS;

		fprintf(out, "<rect x=\"%.1f\" y=\"2\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>",
			w * k, w + 0.2,
			pl_colour_format(hex, pl_colour_ramp(k / (BAR_STEPS - 1.0))));
	}
	fprintf(out,
		"\n<rect x=\"0\" y=\"2\" width=\"%d\" height=\"14\" fill=\"none\" "
		"stroke=\"currentColor\" stroke-width=\".5\"/>\n",
		BAR_WIDTH);
	write_end(r, rate ? r->high : r->low, 0, "start", out);
	if (r->high > 0)
		write_end(r, sqrt(r->low * r->high), BAR_WIDTH / 2.0, "middle", out);
	write_end(r, rate ? r->low : r->high, BAR_WIDTH, "end", out);
	if (r->from.traffic)
		write_swatch(BAR_WIDTH + 24, nothing, "nothing", out);
	else if (r->n_missing > 0)
		write_swatch(BAR_WIDTH + 24, pl_colour_missing, "missing", out);
}

const char *pl_map_traffic(const struct pl_report *r)
{
	return r->n_speeds > 0 ? "counted by the processes while the job ran"
			       : "computed from the calls of the statistics and the messages of "
				 "the library's algorithms; not captured";
}
