/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - values of the options by which hosts are measured */
#ifndef PLINK_SRC_PROBE_VALUES_H
#define PLINK_SRC_PROBE_VALUES_H

#include "src/probe/args.h"

/* Remembers an option, for JSON; of one that comes again, the last. Strings are
 * borrowed; names are distinct, up to PROBE_ASKED_MAX. */
void probe_asked_set(struct probe_args *args, const char *name,
		     const char *value);

/* All others: 0, or -1 with @err set (PL_EUSAGE) and outputs untouched. */

/* A number in [0, max] of units of @unit_ns. */
int probe_value_span(const char *option, const char *s, double max,
		     int64_t unit_ns, int64_t *out, struct pl_err *err);

/* A percentage, as a share. */
int probe_value_percent(const char *option, const char *s, double *out,
			struct pl_err *err);

/* A whole number in [min, max]. */
int probe_value_count(const char *option, const char *s, int64_t min,
		      int64_t max, int64_t *out, struct pl_err *err);

/* --probes: MIN-MAX, or one number for both. */
int probe_value_probes(const char *s, struct pl_probe_options *o,
		       struct pl_err *err);

/* --budget: "30s" or "100000", whichever came last. */
int probe_value_budget(const char *s, struct pl_probe_options *o,
		       struct pl_err *err);

#endif
