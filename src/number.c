/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers in text: read strictly, written so that they read back */
#include "config.h"

#include "src/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest number worth reading: enough for every double in full. */
#define NUMBER_CHARS 400

static int copy_out(char buf[NUMBER_CHARS], const char *s, size_t len)
{
	if (len == 0 || len >= NUMBER_CHARS)
		return -1;
	memcpy(buf, s, len);
	buf[len] = '\0';
	return 0;
}

int pl_int_parse(const char *s, size_t len, int64_t min, int64_t max,
		 int64_t *out)
{
	char buf[NUMBER_CHARS];
	char *end;
	long long value;

	if (copy_out(buf, s, len) || strspn(buf, "-0123456789") != len)
		return -1;
	errno = 0;
	value = strtoll(buf, &end, 10);
	if (errno || end != buf + len || value < min || value > max)
		return -1;
	*out = value;
	return 0;
}

int pl_uint_parse(const char *s, size_t len, uint64_t max, uint64_t *out)
{
	char buf[NUMBER_CHARS];
	unsigned long long value;

	if (copy_out(buf, s, len) || strspn(buf, "0123456789") != len)
		return -1;
	errno = 0;
	value = strtoull(buf, NULL, 10);
	if (errno || value > max)
		return -1;
	*out = value;
	return 0;
}

int pl_double_parse(const char *s, size_t len, double *out)
{
	char buf[NUMBER_CHARS];
	char *end;
	double value;

	if (copy_out(buf, s, len))
		return -1;
	if (strcmp(buf, "nan") == 0) {
		*out = NAN;
		return 0;
	}
	if (strspn(buf, "+-.0123456789eE") != len)
		return -1;
	value = strtod(buf, &end);
	if (end != buf + len || !isfinite(value))
		return -1;
	*out = value;
	return 0;
}

const char *pl_double_format(char buf[PL_DOUBLE_CHARS], double value)
{
	if (isnan(value))
		return strcpy(buf, "nan");
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, PL_DOUBLE_CHARS, "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	return buf;
}
