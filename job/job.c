/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - what a job sends in one step */
#include "config.h"

#include "job/job.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"

#include <stdlib.h>
#include <string.h>

static void kind_fini(struct pl_job_kind *kind)
{
	free(kind->name);
	free(kind->library);
	free(kind->algorithm);
	free(kind->member);
	free(kind->first);
	free(kind->send);
}

void pl_job_fini(struct pl_job *job)
{
	for (size_t i = 0; i < job->n_kinds; i++)
		kind_fini(&job->kind[i]);
	free(job->kind);
	free(job->library);
	free(job->file);
	memset(job, 0, sizeof(*job));
}

const char *pl_job_calls_name(const struct pl_job_kind *kind)
{
	if (kind->form == PL_JOB_PIPELINE)
		return "pipeline";
	if (kind->form == PL_JOB_ALLTOALLV)
		return "alltoallv";
	if (kind->form == PL_JOB_TRAFFIC)
		return "traffic";
	return pl_collective_name(kind->collective);
}

bool pl_job_has_sends(const struct pl_job_kind *kind)
{
	return kind->form == PL_JOB_ALLTOALLV || kind->form == PL_JOB_TRAFFIC;
}

/* Replaces *s by a copy of itself; NULL stays. */
static int own(char **s)
{
	if (!*s)
		return 0;
	*s = pl_string_copy(*s, strlen(*s));
	return *s ? 0 : -1;
}

struct pl_job_kind *pl_job_add(struct pl_job *job, const struct pl_job_kind *like)
{
	struct pl_job_kind kind = {.name = like->name,
				   .form = like->form,
				   .collective = like->collective,
				   .bytes = like->bytes,
				   .calls = like->calls,
				   .exposed = like->exposed,
				   .microbatches = like->microbatches,
				   .vpp = like->vpp,
				   .forward_ns = like->forward_ns,
				   .backward_ns = like->backward_ns,
				   .library = like->library,
				   .algorithm = like->algorithm,
				   .line = like->line,
				   .col = like->col};
	void *array = job->kind;
	const int lost = own(&kind.name) | own(&kind.library) | own(&kind.algorithm);

	if (lost || pl_array_grow(&array, &job->kinds_room, job->n_kinds, sizeof(*job->kind))) {
		kind_fini(&kind);
		return NULL;
	}
	job->kind = array;
	job->kind[job->n_kinds] = kind;
	return &job->kind[job->n_kinds++];
}

int pl_job_begin_group(struct pl_job_kind *kind)
{
	void *array = kind->first;

	if (pl_array_grow(&array, &kind->first_room, kind->n_groups + 1, sizeof(*kind->first)))
		return -1;
	kind->first = array;
	if (kind->n_groups == 0)
		kind->first[0] = 0;
	kind->first[++kind->n_groups] = kind->n_members;
	return 0;
}

int pl_job_add_member(struct pl_job_kind *kind, uint32_t rank)
{
	void *array = kind->member;

	if (pl_array_grow(&array, &kind->member_room, kind->n_members, sizeof(*kind->member)))
		return -1;
	kind->member = array;
	kind->member[kind->n_members++] = rank;
	kind->first[kind->n_groups] = kind->n_members;
	return 0;
}

int pl_job_add_send(struct pl_job_kind *kind, struct pl_job_send send)
{
	void *array = kind->send;

	if (pl_array_grow(&array, &kind->send_room, kind->n_sends, sizeof(*kind->send)))
		return -1;
	kind->send = array;
	kind->send[kind->n_sends++] = send;
	return 0;
}

int pl_job_sent(const struct pl_job_kind *kind, uint64_t *bytes)
{
	*bytes = 0;
	for (size_t i = 0; i < kind->n_sends; i++) {
		if (kind->send[i].bytes > INT64_MAX - *bytes)
			return -1;
		*bytes += kind->send[i].bytes;
	}
	return 0;
}
