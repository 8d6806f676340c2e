/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what a terminal can show: colours, block letters, its width */
#ifndef PLINK_BASE_TERMINAL_H
#define PLINK_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* --color */
enum pl_color { PL_COLOR_AUTO, PL_COLOR_ALWAYS, PL_COLOR_NEVER };

/* What a terminal can show. */
struct pl_terminal {
	bool color;      /* 256 colours at least */
	bool true_color; /* any colour, according to COLORTERM */
	bool blocks;     /* UTF-8, according to LC_ALL, LC_CTYPE or LANG */
	size_t width;    /* columns: COLUMNS, else of the window, else 80 */
};

/*
 * What the open file @fd can show. PL_COLOR_AUTO means colours if @fd is a terminal, TERM is
 * neither unset nor "dumb", and NO_COLOR is unset or empty (no-color.org).
 */
struct pl_terminal pl_terminal_of(int fd, enum pl_color color);

/* The columns of a line that must not wrap: one less than the width, so that the cursor stays on
 * the line. */
size_t pl_terminal_line(int fd);

#endif
