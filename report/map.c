/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - heat maps of a matrix in some order of its hosts */
#include "config.h"

#include "report/map.h"

#include "report/escape.h"

#include <math.h>
#include <string.h>

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
			 "Each point stands for %zu x %zu pairs: it has the "
			 "mean of their colours, or is missing if one of them "
			 "is.",
			 block, block);
	return buf;
}

/* Numbers of colours of the pairs from @row to @col on. */
static unsigned char square(const struct pl_report *r,
			    const struct pl_map_order *order, size_t row,
			    size_t col, size_t block)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = row; i < row + block && i < order->n; i++)
		for (size_t j = col; j < col + block && j < order->n; j++) {
			double x;

			if (i == j)
				continue;
			x = pl_report_cell(r, pl_map_host(order, i),
					   pl_map_host(order, j));
			if (isnan(x))
				return PL_MAP_MISSING;
			sum += pl_report_level(r, x);
			count++;
		}
	if (count == 0)
		return PL_MAP_SELF;
	return (unsigned char)lround(sum / (double)count * (PL_MAP_LEVELS - 1));
}

int pl_map_draw(struct pl_image *image, const struct pl_report *r,
		const struct pl_map_order *order, struct pl_err *err)
{
	const size_t block = pl_map_block(order->n);
	const size_t side = (order->n + block - 1) / block;

	if (pl_image_init(image, side, side, err))
		return -1;
	for (int k = 0; k < PL_MAP_LEVELS; k++)
		image->colour[k] =
			pl_colour_ramp(k / (double)(PL_MAP_LEVELS - 1));
	image->colour[PL_MAP_SELF] = (struct pl_rgb){160, 160, 160};
	image->colour[PL_MAP_MISSING] = pl_colour_missing;
	image->colour[PL_MAP_PAPER] = (struct pl_rgb){255, 255, 255};
	image->colour[PL_MAP_INK] = (struct pl_rgb){34, 34, 34};
	for (size_t k = 0; k < PL_MAP_RACKS; k++)
		image->colour[PL_MAP_RACK + k] = pl_colour_rack(k);
	for (size_t y = 0; y < side; y++)
		for (size_t x = 0; x < side; x++)
			image->pixel[y * side + x] =
				square(r, order, y * block, x * block, block);
	return 0;
}

size_t pl_map_width(size_t n)
{
	return (n <= PL_MAP_NAMES ? PL_MAP_LEFT : 0) + PL_MAP_EDGE +
	       PL_MAP_SIZE;
}

/* A bar for each run of hosts of one rack, left of the map and above it. */
static void write_racks(const struct pl_report *r,
			const struct pl_map_order *order, size_t left,
			FILE *out)
{
	const double cell = (double)PL_MAP_SIZE / (double)order->n;
	size_t from = 0;

	for (size_t k = 1; k <= order->n; k++) {
		const size_t rack = r->rack[pl_map_host(order, from)];
		char colour[PL_COLOUR_CHARS];

		if (k < order->n && r->rack[pl_map_host(order, k)] == rack)
			continue;
		pl_colour_format(colour, pl_colour_rack(rack));
		fprintf(out,
			"<rect x=\"%zu\" y=\"%.2f\" width=\"6\" "
			"height=\"%.2f\" fill=\"%s\"/>"
			"<rect x=\"%.2f\" y=\"0\" width=\"%.2f\" "
			"height=\"6\" fill=\"%s\"/>\n",
			left, PL_MAP_EDGE + cell * (double)from,
			cell * (double)(k - from), colour,
			(double)(left + PL_MAP_EDGE) + cell * (double)from,
			cell * (double)(k - from), colour);
		from = k;
	}
}

/* Names are cut where they have no room. */
static void write_names(const struct pl_report *r,
			const struct pl_map_order *order, FILE *out)
{
	const double cell = (double)PL_MAP_SIZE / (double)order->n;
	const double size = cell < 13 ? cell : 13;
	const int room = (int)(PL_MAP_LEFT / (size * 0.6));

	for (size_t k = 0; k < order->n; k++) {
		const char *label = r->label[pl_map_host(order, k)];
		char shown[PL_HOST_NAME_MAX + 16];

		snprintf(shown, sizeof(shown), "%.*s%s", room - 1, label,
			 strlen(label) >= (size_t)room ? "\xe2\x80\xa6" : "");
		fprintf(out,
			"<text x=\"%d\" y=\"%.2f\" font-size=\"%.1f\" "
			"text-anchor=\"end\" dominant-baseline=\"central\" "
			"fill=\"currentColor\">",
			PL_MAP_LEFT - 4, PL_MAP_EDGE + cell * ((double)k + 0.5),
			size);
		pl_escape_markup(shown, out);
		fputs("</text>\n", out);
	}
}

int pl_map_write(const struct pl_report *r, const struct pl_map_order *order,
		 FILE *out, struct pl_err *err)
{
	const size_t left = order->n <= PL_MAP_NAMES ? PL_MAP_LEFT : 0;
	struct pl_image image;
	int rc = pl_map_draw(&image, r, order, err);

	if (rc)
		return -1;
	if (left)
		write_names(r, order, out);
	write_racks(r, order, left, out);
	fprintf(out,
		"<image class=\"cells\" x=\"%zu\" y=\"%d\" width=\"%d\" "
		"height=\"%d\" preserveAspectRatio=\"none\" "
		"style=\"image-rendering:pixelated\" href=\"",
		left + PL_MAP_EDGE, PL_MAP_EDGE, PL_MAP_SIZE, PL_MAP_SIZE);
	rc = pl_image_write_data(&image, out, err);
	fputs("\"/>\n", out);
	pl_image_fini(&image);
	return rc;
}

#define BAR_STEPS 60
#define BAR_WIDTH 240

static void write_end(const struct pl_report *r, double value, double x,
		      const char *anchor, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fprintf(out,
		"<text x=\"%.1f\" y=\"30\" font-size=\"13\" "
		"text-anchor=\"%s\" fill=\"currentColor\">%s</text>\n",
		x, anchor, pl_report_value(number, r, value));
}

static void write_swatch(double x, struct pl_rgb colour, const char *text,
			 FILE *out)
{
	char hex[PL_COLOUR_CHARS];

	fprintf(out,
		"<rect x=\"%.0f\" y=\"2\" width=\"14\" height=\"14\" "
		"fill=\"%s\" stroke=\"currentColor\" stroke-width=\".5\"/>"
		"<text x=\"%.0f\" y=\"14\" font-size=\"13\" "
		"fill=\"currentColor\">%s</text>\n",
		x, pl_colour_format(hex, colour), x + 20, text);
}

void pl_map_write_legend(const struct pl_report *r, FILE *out)
{
	const bool rate = pl_report_is_rate(r);

	for (int k = 0; k < BAR_STEPS; k++) {
		char hex[PL_COLOUR_CHARS];
		const double w = (double)BAR_WIDTH / BAR_STEPS;

		fprintf(out,
			"<rect x=\"%.1f\" y=\"2\" width=\"%.1f\" "
			"height=\"14\" fill=\"%s\"/>",
			w * k, w + 0.2,
			pl_colour_format(
				hex, pl_colour_ramp(k / (BAR_STEPS - 1.0))));
	}
	fprintf(out,
		"\n<rect x=\"0\" y=\"2\" width=\"%d\" height=\"14\" "
		"fill=\"none\" stroke=\"currentColor\" "
		"stroke-width=\".5\"/>\n",
		BAR_WIDTH);
	write_end(r, rate ? r->high : r->low, 0, "start", out);
	if (r->high > 0)
		write_end(r, sqrt(r->low * r->high), BAR_WIDTH / 2.0, "middle",
			  out);
	write_end(r, rate ? r->low : r->high, BAR_WIDTH, "end", out);
	write_swatch(BAR_WIDTH + 24, pl_colour_missing, "missing", out);
}

static const char frame[] =
	"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" "
	"height=\"%d\" viewBox=\"0 0 %zu %d\" color=\"#222\" "
	"font-family=\"sans-serif\">\n"
	"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n";

#define MARGIN 20
#define HEAD 84

/* One map with its title, @x from the left. */
static int write_panel(const struct pl_report *r,
		       const struct pl_map_order *order, size_t x,
		       const char *title, FILE *out, struct pl_err *err)
{
	int rc;

	fprintf(out,
		"<g transform=\"translate(%zu %d)\">\n<text x=\"%zu\" "
		"y=\"-6\" font-size=\"14\" fill=\"currentColor\">",
		x, HEAD, pl_map_width(order->n) - PL_MAP_SIZE);
	pl_escape_markup(title, out);
	fputs("</text>\n", out);
	rc = pl_map_write(r, order, out, err);
	fputs("</g>\n", out);
	return rc;
}

int pl_report_write_svg(const struct pl_report *r, FILE *out,
			struct pl_err *err)
{
	const struct pl_map_order given = {NULL, r->n};
	const struct pl_layer *layer = &r->from.matrix->layer[0];
	const int height = HEAD + PL_MAP_EDGE + PL_MAP_SIZE + 2 * MARGIN;
	size_t x = MARGIN, width = 2 * MARGIN + pl_map_width(r->n);
	char note[PL_MAP_NOTE];

	for (size_t k = 0; k < r->n_orders; k++)
		width += MARGIN + pl_map_width(r->order[k].n);
	fprintf(out, frame, width, height, width, height);
	fprintf(out, "<title>%zu hosts: %s %s</title>\n", r->n,
		pl_quantity_name(layer->quantity), "between them");
	fprintf(out, "<g transform=\"translate(%d 16)\">\n", MARGIN);
	pl_map_write_legend(r, out);
	fprintf(out,
		"</g>\n<text x=\"%d\" y=\"%d\" font-size=\"12\">%s</text>\n",
		MARGIN, height - 12, pl_map_note(note, r->n));
	if (write_panel(r, &given, x, "given order", out, err))
		return -1;
	for (size_t k = 0; k < r->n_orders; k++) {
		const struct pl_report_order *o = &r->order[k];
		const struct pl_map_order found = {o->host_at, o->n};
		char title[PL_REPORT_TITLE + 32];

		x += MARGIN + pl_map_width(k == 0 ? r->n : r->order[k - 1].n);
		snprintf(title, sizeof(title), "found for %s", o->title);
		if (write_panel(r, &found, x, title, out, err))
			return -1;
	}
	fputs("</svg>\n", out);
	return 0;
}
