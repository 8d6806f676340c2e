/* SPDX-License-Identifier: BSD-3-Clause */
/* image.h - pictures of 256 colours at most, as PNG */
#ifndef PLINK_REPORT_IMAGE_H
#define PLINK_REPORT_IMAGE_H

#include "base/err.h"
#include "report/colour.h"

#include <stddef.h>
#include <stdio.h>

/* width * height numbers of colours, row by row. Start with init, end with
 * fini. */
struct pl_image {
	size_t width, height;
	unsigned char *pixel;
	struct pl_rgb colour[256];
};

/* All pixels are of colour 0, all colours black. 0, or -1 with @err set. */
int pl_image_init(struct pl_image *image, size_t width, size_t height,
		  struct pl_err *err);
void pl_image_fini(struct pl_image *image);

/* One line of text that is stored in the file. */
struct pl_image_text {
	const char *key, *value;
};

/* Writes PNG, with @n_texts lines of text. 0, or -1 with @err set. */
int pl_image_write_png(const struct pl_image *image,
		       const struct pl_image_text *text, size_t n_texts,
		       FILE *out, struct pl_err *err);

/* The same as a "data:" address. 0, or -1 with @err set. */
int pl_image_write_data(const struct pl_image *image, FILE *out,
			struct pl_err *err);

#endif
