/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - values of the options by which hosts are measured */
#include "config.h"

#include "src/probe/values.h"

#include "base/text/number.h"
#include "probes/pair/prober.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

int probe_take_percent(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	double percent;

	if (pl_double_parse(value, strlen(value), &percent) || !(percent >= 0 && percent <= 100))
		return pl_err_set(err, PL_EUSAGE, "--%s wants a percentage, not \"%s\"",
				  option->name, value);
	*(double *)pl_option_to(o, option) = percent / 100;
	return 0;
}

int probe_take_probes(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct pl_probe_options *to = pl_option_to(o, option);
	int64_t min, max;

	if (pl_int_parse_range(value, 1, PL_PROBES_LIMIT, &min, &max))
		return pl_err_set(err, PL_EUSAGE, "--%s wants MIN-MAX, 1 to %d, not \"%s\"",
				  option->name, PL_PROBES_LIMIT, value);
	to->probes_min = (uint32_t)min;
	to->probes_max = (uint32_t)max;
	return 0;
}

/* Options that do not change what is measured, or how. */
static bool is_of_output(const char *name)
{
	static const char *const names[] = {"output",       "json",   "hosts",
					    "hosts-format", "resume", "dry-run"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

void probe_asked_take(struct probe_args *args, const struct pl_option *option, const char *value)
{
	size_t i = 0;

	if (is_of_output(option->name))
		return;
	while (i < args->n_asked && strcmp(args->asked[i].name, option->name) != 0)
		i++;
	assert(i < PROBE_ASKED_MAX);
	if (i == args->n_asked)
		args->n_asked++;
	args->asked[i] = (struct probe_asked){option->name, value ? value : ""};
}
