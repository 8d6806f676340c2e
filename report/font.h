/* SPDX-License-Identifier: BSD-3-Clause */
/* font.h - a few letters for pictures without any other */
#ifndef PLINK_REPORT_FONT_H
#define PLINK_REPORT_FONT_H

#include "report/image.h"

#include <stddef.h>

#define PL_FONT_STEP 12   /* pixels from letter to letter */
#define PL_FONT_HEIGHT 14 /* of a line */

/* Draws @s (digits, letters, most of them small, . , : - ( ) /; others as a
 * blank) with its upper left corner at (x, y), in that colour; what is beyond
 * the picture is cut. */
void pl_font_write(struct pl_image *image, size_t x, size_t y, const char *s,
		   unsigned char colour);

#endif
