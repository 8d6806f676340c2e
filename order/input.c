/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - the hosts to be ordered, and the costs between them */
#include "config.h"

#include "order/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pl_order_input_fini(struct pl_order_input *in)
{
	pl_hosts_fini(&in->hosts);
	pl_hosts_fini(&in->dropped);
	free(in->c);
	free(in->per_byte);
	pl_matrix_destroy(in->matrix);
	free(in->machine);
	memset(in, 0, sizeof(*in));
}

const char *pl_order_label(char buf[PL_HOST_LABEL], const struct pl_host *host)
{
	if (host->port)
		snprintf(buf, PL_HOST_LABEL, "%s port %d", host->name, host->port);
	else
		snprintf(buf, PL_HOST_LABEL, "%s", host->name);
	return buf;
}
