/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-srift.c - how long training takes on a choice of machines */
#include "config.h"

#include "base/text/outfile.h"
#include "planner/srift/iteration/iteration.h"
#include "src/common/tool.h"
#include "src/common/verbs.h"
#include "src/srift/verbs.h"
#include "src/srift/predict.h"

static int write_trace(const struct srift_prediction *p, struct pl_err *err)
{
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, p->o->trace, err);

	if (rc == 0)
		rc = pl_iteration_trace(&p->it, &p->profile, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

static int predict(const struct srift_options *o, struct pl_err *err)
{
	struct srift_prediction p = {0};
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, o->output, err);

	if (rc == 0)
		rc = srift_predict(&p, o, err);
	if (rc == 0 && o->trace)
		rc = write_trace(&p, err);
	if (rc == 0)
		rc = o->json ? srift_write_json(&p, out.f, err) : srift_write_text(&p, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	srift_prediction_fini(&p);
	return rc;
}

static int run_predict(int argc, char **argv)
{
	struct srift_options options;
	struct pl_err err = {0};
	const int status = srift_options_parse(&options, argc, argv);

	if (status != PL_EXIT_DONE || options.done)
		return status;
	if (predict(&options, &err))
		return pl_tool_fail(SRIFT_TOOL, &err);
	return pl_tool_end_output(SRIFT_TOOL);
}

int main(int argc, char **argv)
{
	static const struct pl_verb verbs[] = {
		{"predict", run_predict},    {"recommend", srift_recommend_main},
		{"sweep", srift_sweep_main}, {"grid", srift_grid},
		{"train", srift_train},      {"profile", srift_profile},
		{"merge", srift_merge},      {"watch", srift_watch},
		{"need", srift_need},        {"levels", srift_levels},
		{"cost", srift_cost},        {NULL, NULL},
	};

	return pl_verb_main(SRIFT_TOOL, verbs, srift_help, argc, argv);
}
