/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-batch.c - how many workers and which batch a training should have */
#include "config.h"

#include "base/text/outfile.h"
#include "src/batch/batch.h"
#include "src/common/tool.h"

static int run(const struct batch_options *o, struct pl_err *err)
{
	static int (*const verbs[])(const struct batch_options *o, FILE *out,
				    struct pl_batch_cell *chosen, struct pl_err *err) = {
		[BATCH_NOISE] = batch_noise,
		[BATCH_MODEL] = batch_model,
		[BATCH_RUN] = batch_run,
	};
	struct pl_batch_cell chosen = {0};
	struct pl_outfile out = {0};
	int status = pl_outfile_open(&out, o->output, err);

	if (status == 0)
		status = verbs[o->verb](o, out.f, &chosen, err);
	if (status >= 0 && pl_outfile_commit(&out, err))
		status = -1;
	pl_outfile_abort(&out);
	/* the result is written before the training, which may take days */
	if (status == PL_EXIT_DONE && o->finish)
		status = batch_train(o, &chosen, err);
	return status;
}

int main(int argc, char **argv)
{
	struct batch_options options;
	struct pl_err err = {0};
	int status, end;

	pl_tool_begin();
	status = batch_options_parse(&options, argc, argv);
	if (status != PL_EXIT_DONE || options.done)
		return status;
	status = run(&options, &err);
	if (status < 0)
		return pl_tool_fail(BATCH_TOOL, &err);
	end = pl_tool_end_output(BATCH_TOOL);
	return end != PL_EXIT_DONE ? end : status;
}
