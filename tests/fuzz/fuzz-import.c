/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-import.c - any bytes as what another program recorded of a job: a job that reads back, or an
 * error with its place */
#include "config.h"

#include "job/import/import.h"
#include "job/import/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define WRITTEN_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_job *job)
{
	struct pl_job again = {0};
	struct pl_err err = {0};
	struct pl_text text;
	char *lines = NULL, mesh[PL_GUESS_CHARS];
	size_t len;
	FILE *f = open_memstream(&lines, &len);

	if (!f || pl_job_write(job, f, NULL) || fclose(f))
		abort();
	pl_job_guess_mesh(job, mesh);
	if (len <= WRITTEN_MAX) {
		if (pl_text_copy(&text, "job", lines, len, &err) ||
		    pl_job_parse(&again, &text, &err))
			abort();
		pl_text_fini(&text);
		pl_job_fini(&again);
	}
	free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	struct pl_recording r = {0};
	struct pl_job job = {0};
	struct pl_err err = {0};
	int rc;

	if (fd < 0) {
		fd = memfd_create("recorded", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	rc = pl_import(&r, path, 0, &err);
	if (rc == 0)
		rc = pl_import_end(&r, &err);
	if (rc == 0)
		rc = pl_recording_job(&r, (struct pl_place){.file = path}, NULL, &job, &err);
	if (rc == 0)
		check(&job);
	else if ((err.code != PL_EINPUT && err.code != PL_ESYSTEM) || job.kind)
		abort();
	pl_recording_fini(&r);
	pl_job_fini(&job);
	return 0;
}
