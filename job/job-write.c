/* SPDX-License-Identifier: BSD-3-Clause */
/* job-write.c - the writer of jobs (plink-job(5)) */
#include "config.h"

#include "job/job.h"

#include "base/text/number.h"
#include "base/text/size.h"

#include <inttypes.h>

static void write_number(const char *key, double value, FILE *out)
{
	char text[PL_DOUBLE_CHARS];

	if (value != 1)
		fprintf(out, " %s=%s", key, pl_double_format(text, value));
}

static void write_time(const char *key, double ns, FILE *out)
{
	char text[PL_DOUBLE_CHARS];

	if (ns > 0)
		fprintf(out, " %s=%sns", key, pl_double_format(text, ns));
}

static void write_kind(const struct pl_job_kind *kind, FILE *out)
{
	char size[PL_SIZE_CHARS];

	fprintf(out, "kind %s %s", kind->name, pl_job_calls_name(kind));
	if (kind->form == PL_JOB_PIPELINE ||
	    (kind->form == PL_JOB_COLLECTIVE && kind->collective != PL_BARRIER))
		fprintf(out, " %s", pl_size_format(size, kind->bytes));
	write_number("calls", kind->calls, out);
	write_number("exposed", kind->exposed, out);
	if (kind->microbatches != 1)
		fprintf(out, " microbatches=%" PRIu64, kind->microbatches);
	if (kind->vpp > 1)
		fprintf(out, " vpp=%" PRIu64, kind->vpp);
	write_time("forward", kind->forward_ns, out);
	write_time("backward", kind->backward_ns, out);
	if (kind->library)
		fprintf(out, " library=%s", kind->library);
	if (kind->algorithm)
		fprintf(out, " algorithm=%s", kind->algorithm);
	fputc('\n', out);
}

static void write_groups(const struct pl_job_kind *kind, FILE *out)
{
	for (size_t g = 0; g < kind->n_groups; g++) {
		fputs("group", out);
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++)
			fprintf(out, " %" PRIu32, kind->member[i]);
		fputc('\n', out);
	}
}

static void write_sends(const struct pl_job_kind *kind, FILE *out)
{
	char size[PL_SIZE_CHARS];

	for (size_t i = 0; i < kind->n_sends; i++) {
		const struct pl_job_send *send = &kind->send[i];

		fprintf(out, "send %" PRIu32 " %" PRIu32 " %s", send->src, send->dst,
			pl_size_format(size, send->bytes));
		if (send->messages != 1)
			fprintf(out, " messages=%" PRIu64, send->messages);
		fputc('\n', out);
	}
}

int pl_job_write(const struct pl_job *job, FILE *out, struct pl_err *err)
{
	fprintf(out, "# plink-job 1\nranks %zu\n", job->n_ranks);
	if (job->cards)
		fprintf(out, "cards %zu\n", job->cards);
	if (job->library)
		fprintf(out, "library %s\n", job->library);
	for (size_t i = 0; i < job->n_kinds; i++) {
		write_kind(&job->kind[i], out);
		write_groups(&job->kind[i], out);
		write_sends(&job->kind[i], out);
	}
	if (ferror(out))
		return pl_err_errno(err, "cannot write the job");
	return 0;
}
