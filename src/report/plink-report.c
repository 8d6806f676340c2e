/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-report.c - shows a matrix, and orders over it, or statistics: a page, a picture, text */
#include "config.h"

#include "base/text/outfile.h"
#include "report/text.h"
#include "src/common/tool.h"
#include "src/report/live.h"
#include "src/report/options.h"
#include "src/report/traffic.h"
#include "src/report/work.h"

#include <unistd.h>

static int write_file(const struct pl_report *r, const char *path, struct pl_err *err)
{
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, path, err);

	if (rc == 0)
		rc = pl_report_writer(path)(r, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

static int write_report(const struct pl_report *r, const struct report_options *o,
			struct pl_err *err)
{
	const struct pl_terminal terminal = pl_terminal_of(STDOUT_FILENO, o->color);

	return o->output ? write_file(r, o->output, err)
			 : pl_report_write_text(r, &terminal, stdout, err);
}

/* Of statistics. */
static int show_traffic(struct pl_text *text, const struct report_options *o, struct pl_err *err)
{
	struct traffic t = {0};
	int rc = traffic_find(&t, text, o, err);

	if (rc == 0)
		rc = write_report(&t.r, o, err);
	traffic_fini(&t);
	return rc;
}

static int show_live(struct pl_text *text, const struct report_options *o, struct pl_err *err)
{
	struct live live = {0};
	int rc = live_find(&live, text, o, err);

	if (rc == 0)
		rc = write_report(&live.r, o, err);
	live_fini(&live);
	return rc;
}

static int show(const struct report_options *o, struct pl_err *err)
{
	struct report_work w = {0};
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, o->matrix, PL_MATRIX_BYTES_MAX, err))
		return -1;
	if (pl_stats_is(&text)) {
		rc = show_traffic(&text, o, err);
	} else if (live_is(&text)) {
		rc = show_live(&text, o, err);
	} else {
		rc = report_find(&w, &text, o, err);
		if (rc == 0)
			rc = write_report(&w.r, o, err);
		report_fini(&w);
	}
	pl_text_fini(&text);
	return rc;
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = report_options_parse(&o, argc, argv);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	return show(&o, &err) ? pl_tool_fail(REPORT_TOOL, &err) : pl_tool_end_output(REPORT_TOOL);
}
