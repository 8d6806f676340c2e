/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c - what a terminal can show: colours, block letters, how wide it
 * is */
#include "config.h"

#include "base/terminal.h"

#include "base/text/number.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH 80
#define WIDTH_MAX 10000

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool wants_color(int fd, enum pl_color color)
{
	const char *term = getenv("TERM");

	if (color != PL_COLOR_AUTO)
		return color == PL_COLOR_ALWAYS;
	return !is_set("NO_COLOR") && term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}

/* The first of these that is set says it, as for setlocale(). */
static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_set(names[i])) {
			const char *dot = strchr(getenv(names[i]), '.');

			return dot &&
			       (!strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5));
		}
	return false;
}

static size_t width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize window;
	int64_t n;

	if (columns && !pl_int_parse(columns, strlen(columns), 1, WIDTH_MAX, &n))
		return (size_t)n;
	if (ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
		return window.ws_col;
	return USUAL_WIDTH;
}

struct pl_terminal pl_terminal_of(int fd, enum pl_color color)
{
	const char *depth = getenv("COLORTERM");

	return (struct pl_terminal){
		.color = wants_color(fd, color),
		.true_color =
			depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0),
		.blocks = is_utf8(),
		.width = width_of(fd),
	};
}

size_t pl_terminal_line(int fd)
{
	const size_t width = width_of(fd);

	return width > 1 ? width - 1 : 1;
}
