/* SPDX-License-Identifier: BSD-3-Clause */
/* portlist.c - lists of TCP ports, as --ports takes them */
#include "config.h"

#include "audit/portlist.h"

#include "base/text/number.h"

#include <string.h>

static int parse_range(const char *s, size_t len, int64_t *min, int64_t *max)
{
	const char *dash = memchr(s, '-', len);
	const size_t first = dash ? (size_t)(dash - s) : len;

	if (pl_int_parse(s, first, 1, UINT16_MAX, min))
		return -1;
	*max = *min;
	return dash ? pl_int_parse(dash + 1, len - first - 1, *min, UINT16_MAX,
				   max)
		    : 0;
}

int pl_port_list_parse(struct pl_port_list *list, const char *s,
		       struct pl_err *err)
{
	const char *at = s;
	int64_t min, max;

	list->n = 0;
	for (;;) {
		const size_t len = strcspn(at, ",");

		if (list->n == PL_PORT_RANGES_MAX ||
		    parse_range(at, len, &min, &max))
			return pl_err_set(err, PL_EUSAGE,
					  "\"%s\" is not a list of ports: "
					  "LO-HI[,LO-HI]..., at most %d ranges",
					  s, PL_PORT_RANGES_MAX);
		list->range[list->n].min = (uint16_t)min;
		list->range[list->n++].max = (uint16_t)max;
		if (!at[len])
			return 0;
		at += len + 1;
	}
}

bool pl_port_list_has(const struct pl_port_list *list, uint16_t port)
{
	for (size_t i = 0; i < list->n; i++)
		if (port >= list->range[i].min && port <= list->range[i].max)
			return true;
	return false;
}
