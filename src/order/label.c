/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - what a host is called in the input */
#include "config.h"

#include "src/order/input.h"

#include <stdio.h>

const char *pl_order_label(char buf[PL_HOST_LABEL], const struct pl_host *host)
{
	if (host->port)
		snprintf(buf, PL_HOST_LABEL, "%s port %d", host->name,
			 host->port);
	else
		snprintf(buf, PL_HOST_LABEL, "%s", host->name);
	return buf;
}
