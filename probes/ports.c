/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - a range of UDP ports, as --ports takes it */
#include "config.h"

#include "probes/ports.h"

#include "src/number.h"

#include <string.h>

int pl_ports_parse(const char *s, int *port_min, int *port_max)
{
	const char *dash = strchr(s, '-');
	const size_t len = dash ? (size_t)(dash - s) : strlen(s);
	int64_t low, high;

	if (pl_int_parse(s, len, 1, 65535, &low))
		return -1;
	high = low;
	if (dash && pl_int_parse(dash + 1, strlen(dash + 1), low, 65535, &high))
		return -1;
	*port_min = (int)low;
	*port_max = (int)high;
	return 0;
}
