/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-jobs.c - any bytes as a hub's file of jobs: names and secrets that are words, or an error */
#include "config.h"

#include "src/hub/jobs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("jobs", MFD_CLOEXEC);
	struct pl_err err = {0};
	char path[64], *secret;
	int n;

	if (fd < 0 || fchmod(fd, 0600) || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = hub_jobs_count(path, &err);
	if (n < 0 && err.code != PL_EINPUT)
		abort();
	secret = hub_jobs_secret(path, "red", &err);
	if (secret && (n < 1 || !*secret || *secret == '#' || strpbrk(secret, " \t\n") ||
		       !memmem(data, size, "red", 3)))
		abort();
	free(secret);
	if ((secret = hub_jobs_secret(path, "#", &err)))
		abort();
	close(fd);
	return 0;
}
