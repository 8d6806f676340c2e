/* SPDX-License-Identifier: BSD-3-Clause */
/* png-none.c - in place of png.c where librsvg is not built in */
#include "config.h"

#include "report/report.h"

int pl_report_check_png(struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM,
			  "PNG pictures are not built in: plink was built "
			  "without librsvg; .svg and .html are");
}

int pl_report_write_png(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	(void)r;
	(void)out;
	return pl_report_check_png(err);
}
