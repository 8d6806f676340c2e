/* SPDX-License-Identifier: BSD-3-Clause */
/* image.c - pictures of 256 colours at most, as PNG */
#include "config.h"

#include "report/image.h"

#include "base/mem.h"
#include "report/escape.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const unsigned char mark[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

#define CHUNK 12 /* bytes beside the data */
#define FIXED (sizeof(mark) + 4 * CHUNK + 13 + sizeof(((struct pl_image *)0)->colour))

_Static_assert(sizeof(struct pl_rgb) == 3, "as in a palette");

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

static unsigned char *put_number(unsigned char *to, size_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		*to++ = (unsigned char)(n >> shift);
	return to;
}

/* A chunk: length, kind, data, checksum of kind and data. The data may be there already. */
static unsigned char *put_chunk(unsigned char *to, const char *kind, const void *data, size_t len)
{
	unsigned char *const begin = put_number(to, len);

	memcpy(begin, kind, 4);
	memmove(begin + 4, data, len);
	return put_number(begin + 4 + len, crc32_z(0, begin, len + 4));
}

/* The rows, each behind a byte that says: no filter. NULL: out of memory. */
static unsigned char *rows_of(const struct pl_image *image, size_t zoom, size_t *len)
{
	const size_t width = image->width * zoom, height = image->height * zoom;
	unsigned char *rows = pl_array_create(height, width + 1), *to = rows;

	*len = height * (width + 1);
	for (size_t y = 0; rows && y < height; y++, to += width + 1)
		for (size_t x = 0; x < width; x++)
			to[x + 1] = image->pixel[y / zoom * image->width + x / zoom];
	return rows;
}

/* Into png[FIXED + packed]. Its length; 0: out of memory. */
static size_t fill(const struct pl_image *image, size_t zoom, const unsigned char *rows, size_t len,
		   unsigned char *png, uLongf packed)
{
	unsigned char head[13] = {[8] = 8, [9] = 3}; /* bits; a palette */
	unsigned char *to = png + sizeof(mark);

	memcpy(png, mark, sizeof(mark));
	put_number(put_number(head, image->width * zoom), image->height * zoom);
	to = put_chunk(to, "IHDR", head, sizeof(head));
	to = put_chunk(to, "PLTE", image->colour, sizeof(image->colour));
	if (compress2(to + 8, &packed, rows, len, 6) != Z_OK)
		return 0;
	to = put_chunk(to, "IDAT", to + 8, packed);
	return (size_t)(put_chunk(to, "IEND", "", 0) - png);
}

int pl_image_write_data(const struct pl_image *image, size_t zoom, FILE *out, struct pl_err *err)
{
	size_t n_rows, len = 0;
	unsigned char *rows = rows_of(image, zoom, &n_rows);
	const uLongf packed = compressBound(n_rows);
	unsigned char *png = pl_array_create(FIXED + packed, 1);

	if (rows && png)
		len = fill(image, zoom, rows, n_rows, png, packed);
	if (len > 0) {
		fputs("data:image/png;base64,", out);
		pl_escape_base64(png, len, out);
	}
	free(rows);
	free(png);
	return len > 0 ? 0 : pl_err_nomem(err);
}
