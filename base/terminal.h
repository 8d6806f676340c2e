/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what a terminal can show: colours, block letters, how wide it
 * is */
#ifndef PLINK_BASE_TERMINAL_H
#define PLINK_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* --color */
enum pl_color { PL_COLOR_AUTO, PL_COLOR_ALWAYS, PL_COLOR_NEVER };

/* "auto", "always", "never": 0, or -1 for any other word. */
int pl_color_parse(const char *s, enum pl_color *color);

/* What can be written there. */
struct pl_terminal {
	bool color;      /* 256 colours at least */
	bool true_color; /* any: COLORTERM says so */
	bool blocks;     /* letters beyond ASCII, by LC_ALL, LC_CTYPE or LANG */
	size_t width;    /* columns: COLUMNS, the window's, else 80; >= 1 */
};

/*
 * Of the open file @fd. AUTO is colours on a terminal (TERM neither unset nor
 * dumb), unless NO_COLOR is set and not empty (no-color.org).
 */
struct pl_terminal pl_terminal_of(int fd, enum pl_color color);

/* Columns of a line that must not wrap: one less than the width of the window,
 * so that the cursor stays in it. */
size_t pl_terminal_line(int fd);

#endif
