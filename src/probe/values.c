/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - values of the options by which hosts are measured */
#include "config.h"

#include "src/probe/values.h"

#include "base/text/number.h"
#include "probes/pair/prober.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define BUDGET_MAX_S 1e6
#define BUDGET_MAX_PROBES INT64_C(1000000000000000)

int probe_value_span(const char *option, const char *s, double max,
		     int64_t unit_ns, int64_t *out, struct pl_err *err)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= max))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a number from 0 to %g, not "
				  "\"%s\"",
				  option, max, s);
	*out = (int64_t)(value * (double)unit_ns);
	return 0;
}

int probe_value_percent(const char *option, const char *s, double *out,
			struct pl_err *err)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= 100))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a percentage, not \"%s\"", option,
				  s);
	*out = value / 100;
	return 0;
}

int probe_value_count(const char *option, const char *s, int64_t min,
		      int64_t max, int64_t *out, struct pl_err *err)
{
	if (pl_int_parse(s, strlen(s), min, max, out))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a whole number from %" PRId64
				  " to %" PRId64 ", not \"%s\"",
				  option, min, max, s);
	return 0;
}

int probe_value_probes(const char *s, struct pl_probe_options *o,
		       struct pl_err *err)
{
	int64_t min, max;

	if (pl_int_parse_range(s, 1, PL_PROBES_LIMIT, &min, &max))
		return pl_err_set(err, PL_EUSAGE,
				  "--probes wants MIN-MAX, 1 to %d, not \"%s\"",
				  PL_PROBES_LIMIT, s);
	o->probes_min = (uint32_t)min;
	o->probes_max = (uint32_t)max;
	return 0;
}

int probe_value_budget(const char *s, struct pl_probe_options *o,
		       struct pl_err *err)
{
	const size_t len = strlen(s);
	const bool timed = len > 1 && s[len - 1] == 's';
	double seconds = 0;
	int64_t probes = 0;

	if (timed ? pl_double_parse(s, len - 1, &seconds) ||
			    !(seconds > 0 && seconds <= BUDGET_MAX_S)
		  : pl_int_parse(s, len, 1, BUDGET_MAX_PROBES, &probes))
		return pl_err_set(err, PL_EUSAGE,
				  "--budget wants seconds, as in 30s, or a "
				  "number of probes, not \"%s\"",
				  s);
	o->budget_ns = (int64_t)(seconds * 1e9);
	o->budget_probes = (uint64_t)probes;
	return 0;
}

void probe_asked_set(struct probe_args *args, const char *name,
		     const char *value)
{
	size_t i = 0;

	while (i < args->n_asked && strcmp(args->asked[i].name, name) != 0)
		i++;
	assert(i < PROBE_ASKED_MAX);
	if (i == args->n_asked)
		args->n_asked++;
	args->asked[i] = (struct probe_asked){name, value};
}
