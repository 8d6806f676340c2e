/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - a range of UDP ports, as --ports takes it */
#include "config.h"

#include "probes/protocol/address.h"

#include "base/text/number.h"

int pl_ports_parse(const char *s, int *port_min, int *port_max)
{
	int64_t low, high;

	if (pl_int_parse_range(s, 1, 65535, &low, &high))
		return -1;
	*port_min = (int)low;
	*port_max = (int)high;
	return 0;
}
