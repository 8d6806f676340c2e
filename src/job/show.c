/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - plink-job show: the communicators of a job, as a table */
#include "config.h"

#include "src/job/job.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "job/job.h"

#include <stdint.h>
#include <stdlib.h>

#define CELL_CHARS 64

/* The least and the largest group. */
static void find_sizes(const struct pl_job_kind *kind, size_t *least, size_t *most)
{
	*least = SIZE_MAX;
	*most = 0;
	for (size_t g = 0; g < kind->n_groups; g++) {
		const size_t n = kind->first[g + 1] - kind->first[g];

		*least = n < *least ? n : *least;
		*most = n > *most ? n : *most;
	}
}

/* Of a call; the reader has checked the sum. */
static uint64_t bytes_of(const struct pl_job_kind *kind)
{
	uint64_t bytes = kind->bytes;

	if (pl_job_has_sends(kind))
		pl_job_sent(kind, &bytes);
	return bytes;
}

/* Adds to *none the ranks in no group; of traffic, those that neither send nor receive. */
static int count_none(const struct pl_job *job, const struct pl_job_kind *kind, size_t *none,
		      struct pl_err *err)
{
	bool *has = pl_array_create(job->n_ranks, sizeof(*has));

	if (!has)
		return pl_err_nomem(err);
	for (size_t i = 0; i < kind->n_members; i++)
		has[kind->member[i]] = true;
	for (size_t i = 0; i < kind->n_sends; i++)
		has[kind->send[i].src] = has[kind->send[i].dst] = true;
	for (size_t i = 0; i < job->n_ranks; i++)
		*none += !has[i];
	free(has);
	return 0;
}

static int show_kind(const struct pl_job *job, const struct pl_job_kind *kind, FILE *out,
		     struct pl_err *err)
{
	char calls[PL_DOUBLE_CHARS], bytes[PL_SIZE_CHARS];
	char sizes[CELL_CHARS] = "-", groups[CELL_CHARS] = "-";
	size_t least, most, none = 0;

	if (count_none(job, kind, &none, err))
		return -1;
	find_sizes(kind, &least, &most);
	if (kind->n_groups > 0)
		snprintf(groups, sizeof(groups), "%zu", kind->n_groups);
	if (kind->n_groups > 0 && least == most)
		snprintf(sizes, sizeof(sizes), "%zu", most);
	else if (kind->n_groups > 0)
		snprintf(sizes, sizeof(sizes), "%zu-%zu", least, most);
	fprintf(out, "%-20s %-14s %8s %8s %7s %9s %7zu\n", kind->name, pl_job_calls_name(kind),
		pl_double_format(calls, kind->calls), pl_size_format(bytes, bytes_of(kind)), groups,
		sizes, none);
	return 0;
}

/* How long stages wait that take the same time: one forward, one backward. The parts of the model
 * at a stage divide that time. */
static void show_bubble(const struct pl_job_kind *kind, FILE *out)
{
	size_t least, most;

	if (kind->form != PL_JOB_PIPELINE)
		return;
	find_sizes(kind, &least, &most);
	fprintf(out, "%s: a bubble of %.4g %% of the computing\n", kind->name,
		100 * (double)(most - 1) / (double)(kind->microbatches * kind->vpp));
}

static int show(const struct pl_job *job, FILE *out, struct pl_err *err)
{
	fprintf(out, "%zu ranks", job->n_ranks);
	if (job->cards)
		fprintf(out, ", %zu cards in a host", job->cards);
	if (job->library)
		fprintf(out, ", library %s", job->library);
	fprintf(out, "\n%-20s %-14s %8s %8s %7s %9s %7s\n", "kind", "what", "calls", "bytes",
		"groups", "size", "in none");
	for (size_t i = 0; i < job->n_kinds; i++)
		if (show_kind(job, &job->kind[i], out, err))
			return -1;
	for (size_t i = 0; i < job->n_kinds; i++)
		show_bubble(&job->kind[i], out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

int job_show(const struct job_options *o, FILE *out, struct pl_err *err)
{
	struct pl_job job = {0};
	int rc = pl_job_read(&job, o->argument[0], err);

	if (rc == 0)
		rc = show(&job, out, err);
	pl_job_fini(&job);
	return rc;
}
