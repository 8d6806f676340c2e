/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c - values of options that have a unit: times, sizes, rates */
#include "config.h"

#include "base/text/size.h"
#include "src/common/options.h"

#include <stdio.h>
#include <string.h>

#define SECOND_NS 1e9

/* A time in nanoseconds. */
static int read_time(double *ns, const struct pl_option *option, const char *value,
		     struct pl_err *err)
{
	const double unit_ns = option->unit_ns ? (double)option->unit_ns : SECOND_NS;
	char from[32] = "above 0";
	double x;

	if (option->least == 0 || option->least > 1e-9)
		snprintf(from, sizeof(from), "from %gs", option->least);
	if (pl_time_parse(value, unit_ns, &x) || x < option->least * SECOND_NS ||
	    x > option->most * SECOND_NS)
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a time %s, up to %gs, as 2m, 30s, 500ms, or a number "
				  "of %s, not \"%s\"",
				  option->name, from, option->most,
				  unit_ns < SECOND_NS ? "microseconds" : "seconds", value);
	*ns = x;
	return 0;
}

int pl_take_time(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	double ns;

	if (read_time(&ns, option, value, err))
		return -1;
	pl_option_store(o, option, (uint64_t)ns);
	return 0;
}

int pl_take_seconds(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	double ns;

	if (read_time(&ns, option, value, err))
		return -1;
	*(double *)pl_option_to(o, option) = ns / SECOND_NS;
	return 0;
}

int pl_take_size(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	const uint64_t max = option->max ? option->max : INT64_MAX;
	char from[PL_SIZE_CHARS], to[PL_SIZE_CHARS];
	uint64_t bytes;

	if (pl_size_parse(value, strlen(value), &bytes) || bytes < option->min || bytes > max)
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants bytes from %s to %s, as 4096, 64k, 8MiB, not \"%s\"",
				  option->name, pl_size_format(from, option->min),
				  pl_size_format(to, max), value);
	pl_option_store(o, option, bytes);
	return 0;
}

int pl_take_rate(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (pl_rate_parse(value, pl_option_to(o, option)) == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants bits per second, as 200Mbit, 10Gbps, not \"%s\"",
			  option->name, value);
}
