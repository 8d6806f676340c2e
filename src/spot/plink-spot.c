/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-spot.c - what it costs that machines are taken away */
#include "config.h"

#include "src/spot/verbs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] ends in it */
} verbs[] = {
	{"curve", spot_curve_main},
	{"expect", spot_expect_main},
	{"checkpoint", spot_checkpoint_main},
	{"fit", spot_fit_main},
};

/* The verb follows its program's name, as in the command line that -v shows. */
static int run_verb(const struct verb *verb, int argc, char **argv)
{
	static char call[PATH_MAX];

	snprintf(call, sizeof(call), "%s %s", argv[0], argv[1]);
	argv[1] = call;
	return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	pl_tool_begin();
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verb, verbs[i].name) == 0)
			return run_verb(&verbs[i], argc, argv);
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0)
		return pl_tool_help(SPOT_TOOL, spot_help);
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		return pl_tool_version(SPOT_TOOL);
	return spot_usage("curve, expect, checkpoint or fit is wanted, not "
			  "\"%s\"",
			  verb);
}
