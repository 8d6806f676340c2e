/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-report.c - shows a matrix, and orders over it: a page, a picture,
 * text */
#include "config.h"

#include "base/text/outfile.h"
#include "report/text.h"
#include "src/common/tool.h"
#include "src/report/options.h"
#include "src/report/work.h"

#include <unistd.h>

static int write_file(const struct report_work *w, const char *path,
		      struct pl_err *err)
{
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, path, err);

	if (rc == 0)
		rc = pl_report_writer(path)(&w->r, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

static int write_text(const struct report_work *w,
		      const struct report_options *o, struct pl_err *err)
{
	const struct pl_terminal terminal =
		pl_terminal_of(STDOUT_FILENO, o->color);

	return pl_report_write_text(&w->r, &terminal, stdout, err);
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct report_work w = {0};
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = report_options_parse(&o, argc, argv);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	if (report_find(&w, &o, &err) ||
	    (o.output ? write_file(&w, o.output, &err)
		      : write_text(&w, &o, &err)))
		status = pl_tool_fail(REPORT_TOOL, &err);
	else
		status = pl_tool_end_output(REPORT_TOOL);
	report_fini(&w);
	return status;
}
