/* SPDX-License-Identifier: BSD-3-Clause */
/* image.h - pictures of 256 colours at most, as PNG */
#ifndef PLINK_REPORT_IMAGE_H
#define PLINK_REPORT_IMAGE_H

#include "base/err.h"
#include "report/colour.h"

#include <stddef.h>
#include <stdio.h>

/* A picture: width * height indices into colour[], row by row. Start with init,
 * end with fini. */
struct pl_image {
	size_t width, height;
	unsigned char *pixel;
	struct pl_rgb colour[256];
};

/* At first all pixels have colour 0 and all colours are black. 0, or -1 with
 * @err set: out of memory. */
int pl_image_init(struct pl_image *image, size_t width, size_t height,
		  struct pl_err *err);
void pl_image_fini(struct pl_image *image);

#define PL_FONT_STEP 12   /* pixels from letter to letter */
#define PL_FONT_HEIGHT 14 /* of a line */

/* font.c: draws @s with its upper left corner at (x, y) in the given colour;
 * what lies beyond the picture is cut off. The font has digits, small letters,
 * B, G, M and . , : - ( ) /. Other capital letters are drawn as small ones,
 * other characters as a blank. */
void pl_font_write(struct pl_image *image, size_t x, size_t y, const char *s,
		   unsigned char colour);

/* A text that is stored in the file, such as its description. */
struct pl_image_text {
	const char *key, *value;
};

/* Writes the picture as PNG, with @n_texts texts. 0, or -1 with @err set
 * (PL_ESYSTEM). */
int pl_image_write_png(const struct pl_image *image,
		       const struct pl_image_text *text, size_t n_texts,
		       FILE *out, struct pl_err *err);

/* Writes the picture as a "data:" URL, without texts. 0, or -1 with @err set
 * (PL_ESYSTEM). */
int pl_image_write_data(const struct pl_image *image, FILE *out,
			struct pl_err *err);

#endif
