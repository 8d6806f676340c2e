/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-audit.c - what a job really sent, held against the pattern */
#include "config.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "src/audit/options.h"
#include "src/audit/run.h"
#include "src/audit/show.h"
#include "src/common/tool.h"

#include <signal.h>
#include <stdio.h>

static const char tool[] = AUDIT_TOOL;

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int show(const struct audit_options *o, FILE *out, struct pl_err *err)
{
	return o->mode == AUDIT_LIST ? audit_show_list(o, out, err)
				     : audit_show_pattern(o, out, &stopped, err);
}

/* 0 and *status, or -1 with @err set. */
static int judge(const struct audit_options *o, FILE *out, int *status, struct pl_err *err)
{
	struct audit a = {.o = o};
	int rc = audit_run(&a, o, &stopped, err);

	if (!rc && o->json)
		rc = audit_json(&a, out, err);
	else if (!rc)
		audit_report(&a, out);
	if (!audit_is_match(&a))
		*status = PL_EXIT_PARTIAL;
	audit_fini(&a);
	return rc;
}

static int run(const struct audit_options *o)
{
	struct pl_err err = {0};
	struct pl_outfile out;
	int status = PL_EXIT_DONE, rc;

	if (pl_outfile_open(&out, o->output, &err))
		return pl_tool_fail(tool, &err);
	rc = o->mode == AUDIT_FILES ? judge(o, out.f, &status, &err) : show(o, out.f, &err);
	if (!rc)
		rc = pl_outfile_commit(&out, &err);
	pl_outfile_abort(&out);
	return rc ? pl_tool_fail(tool, &err) : status;
}

int main(int argc, char **argv)
{
	struct audit_options options;
	int status;

	pl_tool_begin();
	status = audit_options_parse(&options, argc, argv);
	if (status != PL_EXIT_DONE || options.done)
		return status;
	pl_stop_on_signals(stop);
	return run(&options);
}
