/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.c - files without a name, to be written and read again */
#include "config.h"

#include "base/text/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

FILE *pl_scratch_memory(void)
{
	const int fd = memfd_create("plink", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* A file in @folder whose name is gone at once. */
static int open_nameless(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *name;

	if (fd >= 0 || asprintf(&name, "%s/plink.XXXXXX", folder) < 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

FILE *pl_scratch_open(void)
{
	const char *folder = getenv("TMPDIR");
	const int fd = open_nameless(folder && *folder ? folder : "/tmp");
	FILE *f = fd < 0 ? pl_scratch_memory() : fdopen(fd, "w+");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

FILE *pl_scratch_named(const char *stem, char **path)
{
	const char *const folders[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};
	FILE *f;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		int fd;

		if (!folders[i] || !*folders[i])
			continue;
		if (asprintf(path, "%s/%s.XXXXXX", folders[i], stem) < 0)
			break;
		fd = mkostemp(*path, O_CLOEXEC);
		f = fd < 0 ? NULL : fdopen(fd, "w");
		if (f)
			return f;
		if (fd >= 0) {
			close(fd);
			unlink(*path);
		}
		free(*path);
	}
	*path = NULL;
	return NULL;
}
