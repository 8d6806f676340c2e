/* SPDX-License-Identifier: BSD-3-Clause */
/* tool-options.c - what tools take from their command lines alike */
#include "config.h"

#include "base/text/number.h"
#include "src/common/tool.h"

#include <string.h>

const char *pl_tool_option(const struct option *longs, int val)
{
	for (; longs->name; longs++)
		if (longs->val == val)
			return longs->name;
	return "?";
}

int pl_tool_take_whole(const char *tool, const struct option *longs, int val,
		       const char *s, uint64_t min, uint64_t max,
		       uint64_t *value)
{
	uint64_t v;

	if (!pl_uint_parse(s, strlen(s), max, &v) && v >= min) {
		*value = v;
		return PL_EXIT_DONE;
	}
	return pl_tool_usage(tool,
			     "--%s wants a whole number from %llu to %llu, "
			     "not \"%s\"",
			     pl_tool_option(longs, val),
			     (unsigned long long)min, (unsigned long long)max,
			     s);
}
