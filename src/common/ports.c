/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - the option --ports of what starts agents, and of agents */
#include "config.h"

#include "src/common/probing.h"

int pl_take_ports(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (pl_ports_parse(pl_option_to(o, option), value) == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s wants LO-HI, not \"%s\"", option->name, value);
}
