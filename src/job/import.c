/* SPDX-License-Identifier: BSD-3-Clause */
/* import.c - plink-job layout and import: a job from a layout or from files of other programs */
#include "config.h"

#include "src/job/job.h"

#include "job/import/import.h"
#include "job/import/kinds.h"
#include "job/layout.h"
#include "src/common/tool.h"

static int parse_layout(struct pl_layout *layout, const struct job_options *o, struct pl_err *err)
{
	if (o->mesh)
		return pl_layout_device_mesh(layout, o->mesh, err);
	return pl_layout_megatron(layout, o->layout, o->order ? o->order : PL_LAYOUT_ORDER, err);
}

static void say_etp(const struct pl_layout *layout)
{
	if (layout->etp_assumed)
		pl_tool_say(JOB_TOOL, "etp=1 is assumed; without --expert-tensor-parallel-size, "
				      "Megatron takes tp");
}

int job_layout(const struct job_options *o, FILE *out, struct pl_err *err)
{
	struct pl_layout layout;

	if (parse_layout(&layout, o, err) ||
	    pl_layout_write(&layout, o->argument, o->n_arguments, out, err))
		return -1;
	say_etp(&layout);
	return 0;
}

static void say_losses(const struct pl_recording *r)
{
	for (size_t i = 0; i < r->n_losses; i++) {
		const struct pl_recorded_loss *loss = &r->loss[i];

		if (loss->times == 1)
			pl_tool_say(JOB_TOOL, "%s", loss->what);
		else
			pl_tool_say(JOB_TOOL, "%s (%zu times)", loss->what, loss->times);
	}
}

/* Kinds with ranks in none of their groups; if no layout is given, which mesh would tell. */
static void say_missing(const struct pl_job *job, bool given)
{
	char mesh[PL_GUESS_CHARS];

	for (size_t i = 0; i < job->n_kinds; i++) {
		const struct pl_job_kind *kind = &job->kind[i];

		if (kind->n_groups > 0 && kind->n_members < job->n_ranks)
			pl_tool_say(JOB_TOOL, "kind \"%s\": %zu of %zu ranks are in no known group",
				    kind->name, job->n_ranks - kind->n_members, job->n_ranks);
	}
	if (!given && pl_job_guess_mesh(job, mesh))
		pl_tool_say(JOB_TOOL,
			    "the known groups are those of a mesh: if the missing ones are, too, "
			    "--mesh=%s adds them",
			    mesh);
}

static int read_files(const struct job_options *o, struct pl_recording *r, struct pl_err *err)
{
	for (size_t i = 0; i < o->n_arguments; i++)
		if (pl_import(r, o->argument[i], o->n_steps, err))
			return -1;
	return pl_import_end(r, err);
}

static int check_ranks(const struct pl_recording *r, const struct pl_layout *layout,
		       struct pl_err *err)
{
	const size_t n = pl_rank_mesh_ranks(&layout->mesh[0]);

	if (n == r->n_ranks)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the layout has %zu ranks, the job %zu", n, r->n_ranks);
}

static int import_files(const struct job_options *o, struct pl_recording *r, FILE *out,
			struct pl_err *err)
{
	const struct pl_place first = {.file = o->argument[0]};
	const bool given = o->mesh || o->layout;
	struct pl_layout layout;
	struct pl_job job = {0};
	int rc = given ? parse_layout(&layout, o, err) : 0;

	if (rc == 0)
		rc = read_files(o, r, err);
	if (rc == 0 && given)
		rc = check_ranks(r, &layout, err);
	if (rc == 0)
		rc = pl_recording_job(r, first, given ? &layout : NULL, &job, err);
	say_losses(r);
	if (rc == 0)
		rc = pl_job_write(&job, out, err);
	if (rc == 0)
		say_missing(&job, given);
	if (rc == 0 && given)
		say_etp(&layout);
	pl_job_fini(&job);
	return rc;
}

int job_import(const struct job_options *o, FILE *out, struct pl_err *err)
{
	struct pl_recording r = {0};
	const int rc = import_files(o, &r, out, err);

	pl_recording_fini(&r);
	return rc;
}
