/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-job.c - any bytes as a job: one that is written back alike, or an
 * error */
#include "config.h"

#include "job/job.h"

#include <stdlib.h>
#include <string.h>

#define WRITTEN_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct pl_job *job, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	int rc;

	*job = (struct pl_job){0};
	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return -1;
	rc = pl_job_parse(job, &text, &err);
	if (rc && (err.code != PL_EINPUT || job->kind || job->n_ranks))
		abort();
	pl_text_fini(&text);
	return rc;
}

static char *written(const struct pl_job *job)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f || pl_job_write(job, f, NULL) || fclose(f))
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_job job, again;
	char *once, *twice;

	if (parse(&job, data, size))
		return 0;
	once = written(&job);
	if (strlen(once) <= WRITTEN_MAX) {
		if (parse(&again, once, strlen(once)))
			abort();
		twice = written(&again);
		if (strcmp(once, twice) != 0)
			abort();
		free(twice);
		pl_job_fini(&again);
	}
	free(once);
	pl_job_fini(&job);
	return 0;
}
