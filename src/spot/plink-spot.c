/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-spot.c - time and cost of a job on machines that may be taken away */
#include "config.h"

#include "src/common/verbs.h"
#include "src/spot/verbs.h"

#include <stddef.h>

int main(int argc, char **argv)
{
	static const struct pl_verb verbs[] = {
		{"curve", spot_curve_main},           {"expect", spot_expect_main},
		{"checkpoint", spot_checkpoint_main}, {"fit", spot_fit_main},
		{"trace", spot_trace_main},           {NULL, NULL},
	};

	return pl_verb_main(SPOT_TOOL, verbs, spot_help, argc, argv);
}
