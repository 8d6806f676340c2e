/* SPDX-License-Identifier: BSD-3-Clause */
/* font.h - a small font for pictures */
#ifndef PLINK_REPORT_FONT_H
#define PLINK_REPORT_FONT_H

#include "report/image.h"

#include <stddef.h>

#define PL_FONT_STEP 12   /* pixels from letter to letter */
#define PL_FONT_HEIGHT 14 /* of a line */

/* Draws @s with its upper left corner at (x, y) in the given colour; what lies
 * beyond the picture is cut off. The font has digits, small letters, B, G, M
 * and . , : - ( ) /. Other capital letters are drawn as small ones, other
 * characters as a blank. */
void pl_font_write(struct pl_image *image, size_t x, size_t y, const char *s,
		   unsigned char colour);

#endif
