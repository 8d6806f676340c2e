/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - a range of ports, as --ports takes it */
#include "config.h"

#include "probes/protocol/address.h"

#include "base/text/number.h"

int pl_ports_parse(struct pl_ports *ports, const char *s)
{
	int64_t low, high;

	if (pl_int_parse_range(s, 1, 65535, &low, &high))
		return -1;
	*ports = (struct pl_ports){.min = (int)low, .max = (int)high};
	return 0;
}
