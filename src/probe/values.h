/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - reads the values of the options of a measurement */
#ifndef PLINK_SRC_PROBE_VALUES_H
#define PLINK_SRC_PROBE_VALUES_H

#include "src/probe/args.h"

/* Stores an option, for JSON; the last value if it is repeated. Strings are
 * borrowed; at most PROBE_ASKED_MAX different names. */
void probe_asked_set(struct probe_args *args, const char *name,
		     const char *value);

/* The following return 0, or -1 with @err set (PL_EUSAGE) and outputs
 * unchanged. */

/* A number in [0, max], in units of @unit_ns. */
int probe_value_span(const char *option, const char *s, double max,
		     int64_t unit_ns, int64_t *out, struct pl_err *err);

/* A percentage; *out is the share. */
int probe_value_percent(const char *option, const char *s, double *out,
			struct pl_err *err);

/* A whole number in [min, max]. */
int probe_value_count(const char *option, const char *s, int64_t min,
		      int64_t max, int64_t *out, struct pl_err *err);

/* --probes: MIN-MAX, or one number for both. */
int probe_value_probes(const char *s, struct pl_probe_options *o,
		       struct pl_err *err);

/* --budget: seconds ("30s") or a number of probes ("100000"); the last one
 * counts. */
int probe_value_budget(const char *s, struct pl_probe_options *o,
		       struct pl_err *err);

#endif
