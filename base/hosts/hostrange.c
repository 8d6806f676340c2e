/* SPDX-License-Identifier: BSD-3-Clause */
/* hostrange.c - names in bracket notation: node[01-04,7], dc[1-2]n[1-3]-ib */
#include "config.h"

#include "base/hosts/hostrange.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_MAX 18 /* every number of as many digits is an int64_t */

/* "7" or "01-04": both ends are in it. */
struct span {
	int64_t first, last;
	size_t first_len, last_len; /* digits, zeros in front included */
	bool first_padded, last_padded;
};

/* The pattern under way and where it stands. */
struct scan {
	const char *start;
	struct pl_place place;
	struct pl_err *err;
};

static struct pl_place place_of(const struct scan *scan, const char *at)
{
	struct pl_place place = scan->place;

	place.col += at - scan->start;
	return place;
}

static size_t count_digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - s);
}

static int read_number(const struct scan *scan, const char **s, const char *end, int64_t *value,
		       size_t *len)
{
	*len = count_digits(*s, end);
	if (*len == 0)
		return pl_err_at(scan->err, place_of(scan, *s),
				 "a number must stand here in the brackets");
	if (*len > DIGITS_MAX || pl_int_parse(*s, *len, 0, INT64_MAX, value))
		return pl_err_at(scan->err, place_of(scan, *s), "a number of more than %d digits",
				 DIGITS_MAX);
	*s += *len;
	return 0;
}

/* Zeros in front fix the width, which both ends must then agree on. */
static int check_span(const struct scan *scan, const char *at, const struct span *span)
{
	if (span->last < span->first)
		return pl_err_at(scan->err, place_of(scan, at), "this range runs backwards");
	if ((span->first_padded && span->last_len < span->first_len) ||
	    (span->last_padded && span->last_len != span->first_len))
		return pl_err_at(
			scan->err, place_of(scan, at),
			"the ends of a range with leading zeros need the same number of digits");
	return 0;
}

/* Takes one range and the comma behind it off *s. */
static int read_span(const struct scan *scan, const char **s, const char *end, struct span *span)
{
	const char *first = *s, *last = *s;

	if (read_number(scan, s, end, &span->first, &span->first_len))
		return -1;
	span->last = span->first;
	span->last_len = span->first_len;
	if (*s < end && **s == '-') {
		last = ++*s;
		if (read_number(scan, s, end, &span->last, &span->last_len))
			return -1;
	}
	span->first_padded = span->first_len > 1 && *first == '0';
	span->last_padded = span->last_len > 1 && *last == '0';
	if (check_span(scan, first, span))
		return -1;
	if (*s == end)
		return 0;
	if (**s != ',' || *s + 1 == end)
		return pl_err_at(scan->err, place_of(scan, *s),
				 "brackets hold numbers and ranges of numbers, as in [1-4,7]");
	++*s;
	return 0;
}

/* Shows the first number of the ranges that start at @s, which were checked. */
static void turn_to(struct pl_hostrange_wheel *wheel, const char *s)
{
	const struct scan scan = {.start = s};
	struct span span = {0};

	if (read_span(&scan, &s, wheel->end, &span))
		return;
	wheel->rest = s;
	wheel->value = span.first;
	wheel->last = span.last;
	wheel->width = (int)span.first_len;
}

/* Counts what a bracket stands for and finds its longest number. */
static int measure(const struct scan *scan, const struct pl_hostrange_wheel *wheel, size_t *count,
		   size_t *longest)
{
	const char *s = wheel->s;

	*count = 0;
	*longest = 0;
	do {
		const char *at = s;
		struct span span;

		if (read_span(scan, &s, wheel->end, &span))
			return -1;
		if (span.last - span.first >= (int64_t)(PL_HOSTRANGE_NAMES - *count))
			return pl_err_at(scan->err, place_of(scan, at), "more than %d names",
					 PL_HOSTRANGE_NAMES);
		*count += (size_t)(span.last - span.first) + 1;
		if (span.last_len > *longest)
			*longest = span.last_len;
	} while (s < wheel->end);
	return 0;
}

/* Adds the bracket that opens at @open; *len grows by its longest number. */
static int add_wheel(const struct scan *scan, struct pl_hostrange *range, const char *open,
		     size_t *len)
{
	struct pl_hostrange_wheel *wheel = &range->wheel[range->n_wheels];
	const char *close = memchr(open, ']', (size_t)(range->end - open));
	size_t count, longest;

	if (!close)
		return pl_err_at(scan->err, place_of(scan, open), "this bracket is not closed");
	if (range->n_wheels == PL_HOSTRANGE_BRACKETS)
		return pl_err_at(scan->err, place_of(scan, open), "more than %d brackets in a name",
				 PL_HOSTRANGE_BRACKETS);
	wheel->s = open + 1;
	wheel->end = close;
	if (measure(scan, wheel, &count, &longest))
		return -1;
	if (count > PL_HOSTRANGE_NAMES / range->count)
		return pl_err_at(scan->err, scan->place, "more than %d names", PL_HOSTRANGE_NAMES);
	turn_to(wheel, wheel->s);
	range->count *= count;
	range->n_wheels++;
	*len += longest;
	return 0;
}

int pl_hostrange_init(struct pl_hostrange *range, const char *s, size_t len, struct pl_place place,
		      struct pl_err *err)
{
	const struct scan scan = {.start = s, .place = place, .err = err};
	size_t name_len = 0;

	memset(range, 0, sizeof(*range));
	range->s = s;
	range->end = s + len;
	range->count = 1;
	for (const char *p = s; p < range->end; p++) {
		if (*p == ']')
			return pl_err_at(err, place_of(&scan, p), "no bracket is open here");
		if (*p == '[') {
			if (add_wheel(&scan, range, p, &name_len))
				return -1;
			p = range->wheel[range->n_wheels - 1].end;
		} else {
			name_len++;
		}
		if (name_len > PL_HOSTRANGE_CHARS)
			return pl_err_at(err, place, "a name of more than %d bytes",
					 PL_HOSTRANGE_CHARS);
	}
	return 0;
}

static void advance(struct pl_hostrange *range)
{
	for (size_t i = range->n_wheels; i-- > 0;) {
		struct pl_hostrange_wheel *wheel = &range->wheel[i];

		if (wheel->value < wheel->last) {
			wheel->value++;
			return;
		}
		if (wheel->rest < wheel->end) {
			turn_to(wheel, wheel->rest);
			return;
		}
		turn_to(wheel, wheel->s);
	}
}

bool pl_hostrange_next(struct pl_hostrange *range, char name[PL_HOSTRANGE_CHARS + 1])
{
	const char *p = range->s;
	size_t used = 0;

	if (range->count == 0)
		return false;
	for (size_t i = 0; i < range->n_wheels; i++) {
		const struct pl_hostrange_wheel *wheel = &range->wheel[i];
		const size_t literal = (size_t)(wheel->s - 1 - p);

		memcpy(name + used, p, literal);
		used += literal;
		used += (size_t)snprintf(name + used, PL_HOSTRANGE_CHARS + 1 - used, "%0*" PRId64,
					 wheel->width, wheel->value);
		p = wheel->end + 1;
	}
	memcpy(name + used, p, (size_t)(range->end - p));
	used += (size_t)(range->end - p);
	name[used] = '\0';
	range->count--;
	advance(range);
	return true;
}
