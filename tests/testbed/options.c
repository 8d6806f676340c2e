/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - values of command-line options, checked */
#include "config.h"

#include "tests/testbed/options.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "tests/testbed/state.h"

#include <string.h>

int tb_option_number(const char *option, const char *value, struct tb_range range, double *out,
		     struct pl_err *err)
{
	double number;

	/* written so that nan is refused */
	if (pl_double_parse(value, strlen(value), &number) ||
	    !(number >= range.min && number <= range.max))
		return pl_err_set(err, PL_EUSAGE, "%s wants a number from %g to %g, not \"%s\"",
				  option, range.min, range.max, value);
	*out = number;
	return 0;
}

int tb_option_seed(const char *value, uint64_t *out, struct pl_err *err)
{
	int64_t seed;

	if (pl_int_parse(value, strlen(value), 0, INT64_MAX, &seed))
		return pl_err_set(err, PL_EUSAGE, "--seed wants a whole number, not \"%s\"", value);
	*out = (uint64_t)seed;
	return 0;
}

int tb_option_rate(const char *option, const char *value, double *out, struct pl_err *err)
{
	if (pl_rate_parse(value, out))
		return pl_err_set(err, PL_EUSAGE, "%s wants a rate as 200Mbit, not \"%s\"", option,
				  value);
	return 0;
}

int tb_option_prefix(const char *value, const char **out, struct pl_err *err)
{
	if (!tb_prefix_is_good(value))
		return pl_err_set(err, PL_EUSAGE,
				  "--prefix wants up to %d letters, digits, '-' or '_', not \"%s\"",
				  TB_PREFIX_MAX, value);
	*out = value;
	return 0;
}
