/* SPDX-License-Identifier: BSD-3-Clause */
/* image.h - pictures of 256 colours at most, as PNG */
#ifndef PLINK_REPORT_IMAGE_H
#define PLINK_REPORT_IMAGE_H

#include "base/err.h"
#include "report/colour.h"

#include <stddef.h>
#include <stdio.h>

/* A picture: width * height indices into colour[], row by row. Start with init, end with fini. */
struct pl_image {
	size_t width, height;
	unsigned char *pixel;
	struct pl_rgb colour[256];
};

/* At first all pixels have colour 0 and all colours are black. 0, or -1 with @err set: out of
 * memory. */
int pl_image_init(struct pl_image *image, size_t width, size_t height, struct pl_err *err);
void pl_image_fini(struct pl_image *image);

/* Writes the picture as the "data:" URL of a PNG, each pixel as a square of @zoom by @zoom. 0, or
 * -1 with @err set: out of memory. */
int pl_image_write_data(const struct pl_image *image, size_t zoom, FILE *out, struct pl_err *err);

#endif
