/* SPDX-License-Identifier: BSD-3-Clause */
/* portlist.c - lists of TCP ports, as --ports takes them */
#include "config.h"

#include "audit/portlist.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

#define RANGE_CHARS 64

int pl_port_list_parse(struct pl_port_list *list, const char *s, struct pl_err *err)
{
	char range[RANGE_CHARS];
	const char *at = s;
	int64_t min, max;

	list->n = 0;
	for (;;) {
		const size_t len = strcspn(at, ",");

		snprintf(range, sizeof(range), "%.*s", (int)len, at);
		if (list->n == PL_PORT_RANGES_MAX || len >= sizeof(range) ||
		    pl_int_parse_range(range, 1, UINT16_MAX, &min, &max))
			return pl_err_set(err, PL_EUSAGE,
					  "\"%s\" is not a list of ports: LO-HI[,LO-HI]..., at "
					  "most %d ranges",
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
