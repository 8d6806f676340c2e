/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-rack.c - gain and cost of hosts that aggregate gradients */
#include "config.h"

#include "src/common/verbs.h"
#include "src/rack/rack.h"

int main(int argc, char **argv)
{
	static const struct pl_verb verbs[] = {
		{"need", rack_need_main},
		{"levels", rack_levels_main},
		{"cost", rack_cost_main},
		{NULL, NULL},
	};

	return pl_verb_main(RACK_TOOL, verbs, rack_help, argc, argv);
}
