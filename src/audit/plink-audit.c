/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-audit.c - what a job really sent, held against the pattern */
#include "config.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "src/audit/agent.h"
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
	if (!audit_is_match(&a) || a.command_status)
		*status = PL_EXIT_PARTIAL;
	audit_fini(&a);
	return rc;
}

/* 0 and *status, or -1 with @err set. */
static int measure(const struct audit_options *o, FILE *out, int *status, struct pl_err *err)
{
	struct audit a = {.o = o};
	struct pl_matrix *m = audit_rtt(&a, o, &stopped, err);
	int rc = m ? pl_matrix_write(m, out, err) : -1;

	if (m && !rc) {
		const size_t n = m->hosts.n, missing = pl_matrix_missing(m);

		pl_tool_say(tool,
			    "%zu of %zu ways measured; the matrix gives the "
			    "reasons for the others",
			    n * n - n - missing, n * n - n);
		if (missing > 0 || a.command_status)
			*status = PL_EXIT_PARTIAL;
	}
	pl_matrix_destroy(m);
	audit_fini(&a);
	return rc;
}

static int run(const struct audit_options *o)
{
	const bool shows = o->mode == AUDIT_LIST || o->mode == AUDIT_PATTERN;
	struct pl_err err = {0};
	struct pl_outfile out;
	int status = PL_EXIT_DONE, rc;

	if (pl_outfile_open(&out, o->output, &err))
		return pl_tool_fail(tool, &err);
	rc = shows    ? show(o, out.f, &err)
	     : o->rtt ? measure(o, out.f, &status, &err)
		      : judge(o, out.f, &status, &err);
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
	signal(SIGPIPE, SIG_IGN); /* a capture that ends early */
	if (options.mode == AUDIT_CAPTURE)
		return audit_capture(&options, &stopped);
	return run(&options);
}
