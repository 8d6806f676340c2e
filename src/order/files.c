/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - the files that an answer is written to */
#include "config.h"

#include "src/order/files.h"

#include "base/text/outfile.h"

#include <string.h>

const char *pl_reorder_output_name(const struct pl_reorder_options *o)
{
	return o->output && strcmp(o->output, "-") != 0 ? o->output : NULL;
}

int pl_reorder_files_try(const struct pl_reorder_options *o, struct pl_err *err)
{
	return pl_outfile_try(o->output, err) || pl_outfile_try(o->plan, err) ||
			       pl_outfile_try(o->rules, err) || pl_outfile_try(o->report, err) ||
			       pl_outfile_try(o->save_matrix, err)
		       ? -1
		       : 0;
}

/* One of several outputs; @path NULL: it was not asked for. */
static int fill_file(struct pl_outfile *out, const char *path, const struct pl_reorder_answer *a,
		     enum pl_reorder_format format, struct pl_err *err)
{
	if (!path)
		return 0;
	if (pl_outfile_open(out, path, err))
		return -1;
	return pl_reorder_write(a, format, out->f, err);
}

static int fill_report(struct pl_outfile *out, const struct pl_reorder_picture *p,
		       struct pl_err *err)
{
	if (!p->a->o->report)
		return 0;
	if (pl_outfile_open(out, p->a->o->report, err))
		return -1;
	return pl_reorder_picture_write(p, NULL, out->f, err);
}

int pl_reorder_files_write(const struct pl_reorder_picture *picture, struct pl_err *err)
{
	const struct pl_reorder_answer *a = picture->a;
	const struct pl_reorder_options *o = a->o;
	const char *output = o->output ? o->output : "-";
	struct pl_outfile out = {0}, plan = {0}, rules = {0}, report = {0};

	if (fill_file(&plan, o->plan, a, PL_FORMAT_PLAN, err) ||
	    fill_file(&rules, o->rules, a, PL_FORMAT_OMPI_RULES, err) ||
	    fill_file(&out, output, a, o->format, err) || fill_report(&report, picture, err))
		goto fail;
	if (pl_outfile_sync(&out, err) || pl_outfile_sync(&plan, err) ||
	    pl_outfile_sync(&rules, err) || pl_outfile_sync(&report, err))
		goto fail;
	/* standard output comes first: it cannot be taken back */
	if (pl_outfile_commit(&out, err) || (o->plan && pl_outfile_commit(&plan, err)) ||
	    (o->rules && pl_outfile_commit(&rules, err)) ||
	    (o->report && pl_outfile_commit(&report, err)))
		goto fail;
	return 0;
fail:
	pl_outfile_abort(&plan);
	pl_outfile_abort(&rules);
	pl_outfile_abort(&report);
	pl_outfile_abort(&out);
	return -1;
}
