/* SPDX-License-Identifier: BSD-3-Clause */
/* image.c - pictures of 256 colours at most, as PNG */
#include "config.h"

#include "report/image.h"

#include "base/mem.h"
#include "report/escape.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int pl_image_init(struct pl_image *image, size_t width, size_t height, struct pl_err *err)
{
	memset(image, 0, sizeof(*image));
	image->width = width;
	image->height = height;
	image->pixel = pl_array_create(width, height);
	return image->pixel ? 0 : pl_err_nomem(err);
}

void pl_image_fini(struct pl_image *image)
{
	free(image->pixel);
	memset(image, 0, sizeof(*image));
}

/* libpng reports by a jump; it is not to print. */
static void on_error(png_structp png, png_const_charp text)
{
	struct pl_err *err = png_get_error_ptr(png);

	pl_err_set(err, PL_ESYSTEM, "cannot write PNG: %s", text);
	longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

/* All that can jump. */
static void write_all(png_structp png, png_infop info, const struct pl_image *image, size_t zoom,
		      unsigned char *row)
{
	png_color palette[256];

	for (int i = 0; i < 256; i++)
		palette[i] =
			(png_color){image->colour[i].r, image->colour[i].g, image->colour[i].b};
	png_set_compression_level(png, 6);
	png_set_filter(png, 0, PNG_FILTER_NONE);
	png_set_IHDR(png, info, (png_uint_32)(image->width * zoom),
		     (png_uint_32)(image->height * zoom), 8, PNG_COLOR_TYPE_PALETTE,
		     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_PLTE(png, info, palette, 256);
	png_write_info(png, info);
	for (size_t y = 0; y < image->height; y++) {
		for (size_t x = 0; x < image->width * zoom; x++)
			row[x] = image->pixel[y * image->width + x / zoom];
		for (size_t k = 0; k < zoom; k++)
			png_write_row(png, row);
	}
	png_write_end(png, info);
}

static int write_png(const struct pl_image *image, size_t zoom, FILE *out, struct pl_err *err)
{
	unsigned char *row = pl_array_create(image->width, zoom);
	struct pl_err own;
	png_structp png;
	png_infop info;

	if (!err)
		err = &own;
	png = png_create_write_struct(PNG_LIBPNG_VER_STRING, err, on_error, on_warning);
	info = png ? png_create_info_struct(png) : NULL;
	if (!row || !info) {
		png_destroy_write_struct(&png, &info);
		free(row);
		return pl_err_nomem(err);
	}
	if (setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		free(row);
		return -1;
	}
	png_init_io(png, out);
	write_all(png, info, image, zoom, row);
	png_destroy_write_struct(&png, &info);
	free(row);
	return 0;
}

int pl_image_write_data(const struct pl_image *image, size_t zoom, FILE *out, struct pl_err *err)
{
	char *data = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&data, &len);
	int rc;

	if (!f)
		return pl_err_nomem(err);
	rc = write_png(image, zoom, f, err);
	if (fclose(f) && rc == 0)
		rc = pl_err_nomem(err);
	if (rc == 0) {
		fputs("data:image/png;base64,", out);
		pl_escape_base64(data, len, out);
	}
	free(data);
	return rc;
}
