/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - parses what fping prints about one target */
#include "config.h"

#include "probes/fping/output.h"

#include <string.h>

#define NS_PER_MS 1000000
#define WHOLE_MAX 9000000 /* ms; more than any timeout */
#define DIGITS_MAX 6      /* behind the point: ns */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* What follows "TARGET :", or NULL. */
static const char *after_target(const char *line, const char *target)
{
	const size_t len = strlen(target);

	if (strncmp(line, target, len) != 0 || !strchr(" \t:", line[len]) || !line[len])
		return NULL;
	line = skip_blanks(line + len);
	return *line == ':' ? skip_blanks(line + 1) : NULL;
}

/* One figure; *s is behind it afterwards. */
static int take_trip(const char **s, struct pl_fping_trip *trip)
{
	int64_t whole = 0, part = 0, step = NS_PER_MS;
	const char *c = *s;

	if (*c == '-') {
		*trip = (struct pl_fping_trip){PL_FPING_LOST, 0};
		*s = c + 1;
		return 0;
	}
	if (!is_digit(*c))
		return -1;
	for (; is_digit(*c); c++) {
		whole = 10 * whole + (*c - '0');
		if (whole > WHOLE_MAX)
			return -1;
	}
	if (*c == '.') {
		const char *point = c++;

		for (; is_digit(*c); c++) {
			if (c - point > DIGITS_MAX)
				return -1;
			step /= 10;
			part += (*c - '0') * step;
		}
		if (c == point + 1)
			return -1;
	}
	*trip = (struct pl_fping_trip){whole * NS_PER_MS + part, step};
	*s = c;
	return 0;
}

int pl_fping_trips(const char *line, const char *target, struct pl_fping_trip *v, size_t room,
		   size_t *n)
{
	const char *s = after_target(line, target);

	if (!s || !*s)
		return -1;
	for (*n = 0; *s; (*n)++) {
		if (*n == room || take_trip(&s, &v[*n]) || (*s && !strchr(" \t", *s)))
			return -1;
		s = skip_blanks(s);
	}
	return 0;
}

bool pl_fping_is_idle(const char *line, const char *target)
{
	const char *s = after_target(line, target);

	return !*skip_blanks(line) || (s && *s == '[');
}
