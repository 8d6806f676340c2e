/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-rack.c - what aggregators beside the ranks are worth */
#include "config.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"
#include "src/rack/rack.h"

#include <limits.h>
#include <string.h>

int rack_write(const struct rack_output *to, const void *answer,
	       void (*text)(const void *answer, FILE *out),
	       json_t *(*json)(const void *answer))
{
	struct pl_outfile out = {0};
	struct pl_err err = {0};
	int rc = pl_outfile_open(&out, to->path, &err);

	if (rc == 0 && to->json)
		rc = pl_tool_json_write(RACK_TOOL, json(answer), out.f, &err);
	else if (rc == 0)
		text(answer, out.f);
	if (rc == 0)
		rc = pl_outfile_commit(&out, &err);
	pl_outfile_abort(&out);
	return rc ? pl_tool_fail(RACK_TOOL, &err)
		  : pl_tool_end_output(RACK_TOOL);
}

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"need", rack_need_main},
	{"levels", rack_levels_main},
	{"cost", rack_cost_main},
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
		return pl_tool_help(RACK_TOOL, rack_help);
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		return pl_tool_version(RACK_TOOL);
	return pl_tool_usage(
		RACK_TOOL, "need, levels or cost is wanted, not \"%s\"", verb);
}
