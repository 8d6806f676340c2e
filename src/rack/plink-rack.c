/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-rack.c - what aggregators beside the ranks are worth */
#include "config.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"
#include "src/common/verbs.h"
#include "src/rack/rack.h"

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
