/* SPDX-License-Identifier: BSD-3-Clause */
/* png.c - heat maps side by side, as a picture of pixels */
#include "config.h"

#include "report/map.h"

#include <math.h>
#include <string.h>

#define MARGIN 24
#define HEAD 100 /* legend and titles */
#define EDGE 8   /* racks */
#define BAR 240  /* the legend's colours */
#define SIZE 480 /* a map's side at least, if it has pixels enough */

/* Pixels a side of one of the map's. */
static size_t zoom(size_t side)
{
	return side < SIZE ? SIZE / side : 1;
}

static size_t map_pixels(size_t n)
{
	const size_t block = pl_map_block(n), side = (n + block - 1) / block;

	return EDGE + side * zoom(side);
}

static void fill(struct pl_image *image, size_t x, size_t y, size_t width,
		 size_t height, unsigned char colour)
{
	for (size_t v = 0; v < height && y + v < image->height; v++)
		for (size_t u = 0; u < width && x + u < image->width; u++)
			image->pixel[(y + v) * image->width + x + u] = colour;
}

/* The racks' colours left of the map and above it. */
static void draw_edges(struct pl_image *to, size_t left, size_t size,
		       const struct pl_report *r,
		       const struct pl_map_order *order)
{
	for (size_t p = 0; p < size; p++) {
		const size_t pos = p * order->n / size;
		const size_t rack = r->rack[pl_map_host(order, pos)];
		const unsigned char colour =
			(unsigned char)(PL_MAP_RACK + rack % PL_MAP_RACKS);

		fill(to, left, HEAD + EDGE + p, EDGE - 2, 1, colour);
		fill(to, left + EDGE + p, HEAD, 1, EDGE - 2, colour);
	}
}

static int draw_map(struct pl_image *to, size_t left, const struct pl_report *r,
		    const struct pl_map_order *order, const char *title,
		    struct pl_err *err)
{
	struct pl_image map;
	size_t k;

	if (pl_map_draw(&map, r, order, err))
		return -1;
	k = zoom(map.width);
	memcpy(to->colour, map.colour, sizeof(to->colour));
	for (size_t y = 0; y < map.height * k; y++)
		for (size_t x = 0; x < map.width * k; x++)
			to->pixel[(HEAD + EDGE + y) * to->width + left + EDGE +
				  x] = map.pixel[y / k * map.width + x / k];
	draw_edges(to, left, map.width * k, r, order);
	pl_font_write(to, left + EDGE, HEAD - 2 * PL_FONT_HEIGHT + 8, title,
		      PL_MAP_INK);
	pl_image_fini(&map);
	return 0;
}

/* The bar, what its ends are, and what is missing. */
static void draw_legend(struct pl_image *to, const struct pl_report *r)
{
	const bool rate = pl_report_is_rate(r);
	char number[PL_REPORT_NUMBER];
	size_t x;

	for (x = 0; x < BAR; x++)
		fill(to, MARGIN + x, MARGIN / 2, 1, 18,
		     (unsigned char)(x * (PL_MAP_LEVELS - 1) / (BAR - 1)));
	pl_report_value(number, r, rate ? r->high : r->low);
	pl_font_write(to, MARGIN, 36, number, PL_MAP_INK);
	pl_report_value(number, r, rate ? r->low : r->high);
	x = MARGIN + BAR - strlen(number) * PL_FONT_STEP;
	pl_font_write(to, x, 36, number, PL_MAP_INK);
	fill(to, MARGIN + BAR + 30, MARGIN / 2, 18, 18, PL_MAP_MISSING);
	pl_font_write(to, MARGIN + BAR + 56, MARGIN / 2 + 2, "missing",
		      PL_MAP_INK);
}

static int draw(struct pl_image *to, const struct pl_report *r,
		struct pl_err *err)
{
	const struct pl_map_order given = {NULL, r->n};
	size_t x = MARGIN;

	memset(to->pixel, PL_MAP_PAPER, to->width * to->height);
	draw_legend(to, r);
	if (draw_map(to, x, r, &given, "given order", err))
		return -1;
	x += map_pixels(r->n) + MARGIN;
	for (size_t i = 0; i < r->n_orders; i++) {
		const struct pl_report_order *o = &r->order[i];
		const struct pl_map_order found = {o->host_at, o->n};
		char title[PL_REPORT_TITLE + 16];

		snprintf(title, sizeof(title), "found: %s", o->title);
		/* it ends where the map does */
		title[map_pixels(o->n) / PL_FONT_STEP] = '\0';
		if (draw_map(to, x, r, &found, title, err))
			return -1;
		x += map_pixels(o->n) + MARGIN;
	}
	return 0;
}

int pl_report_write_png(const struct pl_report *r, FILE *out,
			struct pl_err *err)
{
	const struct pl_layer *layer = &r->from.matrix->layer[0];
	size_t width = 2 * MARGIN + map_pixels(r->n);
	size_t height = HEAD + map_pixels(r->n) + MARGIN;
	char what[200], note[PL_MAP_NOTE];
	const struct pl_image_text text[] = {
		{"Software", r->from.tool},
		{"Description", what},
		{"Comment", pl_map_note(note, r->n)},
	};
	struct pl_image image;
	int rc;

	for (size_t i = 0; i < r->n_orders; i++) {
		const size_t side = map_pixels(r->order[i].n);

		width += MARGIN + side;
		if (HEAD + side + MARGIN > height)
			height = HEAD + side + MARGIN;
	}
	snprintf(what, sizeof(what),
		 "%zu hosts, %s, row to column, dark is slow", r->n,
		 pl_quantity_name(layer->quantity));
	if (pl_image_init(&image, width, height, err))
		return -1;
	rc = draw(&image, r, err);
	if (rc == 0)
		rc = pl_image_write_png(&image, text, *note ? 3 : 2, out, err);
	pl_image_fini(&image);
	return rc;
}
