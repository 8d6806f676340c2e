/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - values of command-line options, checked */
#ifndef PLINK_TESTBED_OPTIONS_H
#define PLINK_TESTBED_OPTIONS_H

#include "base/err.h"

#include <stdint.h>

/* Each function returns 0 and sets *out, or -1 with @err set (PL_EUSAGE) to say what @option
 * requires. */

/* A number in [min, max]. */
struct tb_range {
	double min, max;
};
int tb_option_number(const char *option, const char *value, struct tb_range range, double *out,
		     struct pl_err *err);

int tb_option_seed(const char *value, uint64_t *out, struct pl_err *err);

/* As pl_rate_parse(). */
int tb_option_rate(const char *option, const char *value, double *out, struct pl_err *err);

/* A prefix for which tb_prefix_is_good() is true. */
int tb_option_prefix(const char *value, const char **out, struct pl_err *err);

#endif
