/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - reads the values of the options of a measurement */
#ifndef PLINK_SRC_PROBE_VALUES_H
#define PLINK_SRC_PROBE_VALUES_H

#include "src/common/options.h"
#include "src/probe/args.h"

#define PROBE_TIME_MAX_S 1e6
#define PROBE_PROBES_MAX INT64_C(1000000000000000)

/* Remembers an option of the measurement, for JSON; the last value if it is repeated. Strings are
 * borrowed; at most PROBE_ASKED_MAX different names. */
void probe_asked_take(struct probe_args *args, const struct pl_option *option, const char *value);

/* The following are functions for tables of options. */

/* A percentage; stores the share. */
int probe_take_percent(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err);

/* MIN-MAX, or one number for both; stores them in a struct
 * pl_probe_options. */
int probe_take_probes(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err);

#endif
