/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-job.c - what a job sends in a step: written from a layout or from what other programs
 * recorded, shown */
#include "config.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"
#include "src/job/job.h"

static int run(const struct job_options *o, struct pl_err *err)
{
	static int (*const verbs[])(const struct job_options *o, FILE *out, struct pl_err *err) = {
		[JOB_LAYOUT] = job_layout,
		[JOB_IMPORT] = job_import,
		[JOB_SHOW] = job_show,
	};
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, o->output, err);

	if (rc == 0)
		rc = verbs[o->verb](o, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

int main(int argc, char **argv)
{
	struct job_options options;
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = job_options_parse(&options, argc, argv);
	if (status != PL_EXIT_DONE || options.done)
		return status;
	if (run(&options, &err))
		return pl_tool_fail(JOB_TOOL, &err);
	return pl_tool_end_output(JOB_TOOL);
}
