/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.c - files for a while: without a name, or for other programs */
#include "config.h"

#include "base/text/scratch.h"

#include <errno.h>
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

int pl_scratch_copy(FILE *from, int fd)
{
	char buf[65536];
	size_t got;

	rewind(from);
	while ((got = fread(buf, 1, sizeof(buf), from)) > 0)
		for (size_t at = 0; at < got;) {
			const ssize_t n = write(fd, buf + at, got - at);

			if (n < 0 && errno != EINTR)
				return -1;
			at += n < 0 ? 0 : (size_t)n;
		}
	return ferror(from) ? -1 : 0;
}

/* A file in @folder with all of @text; NULL: not there. */
static char *put_into(const char *folder, const char *stem, FILE *text)
{
	char *path;
	int fd, bad;

	if (asprintf(&path, "%s/%s.XXXXXX", folder, stem) < 0)
		return NULL;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0) {
		bad = pl_scratch_copy(text, fd);
		if (!close(fd) && !bad)
			return path;
		unlink(path);
	}
	free(path);
	return NULL;
}

int pl_scratch_share(struct pl_scratch_shared *shared, const char *stem, FILE *text)
{
	const char *const folders[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};

	*shared = (struct pl_scratch_shared){0};
	if (fflush(text) || ferror(text)) {
		fclose(text);
		return -1;
	}
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (folders[i] && *folders[i])
			shared->path = put_into(folders[i], stem, text);
		if (shared->path) {
			fclose(text);
			return 0;
		}
	}
	shared->memory = text;
	if (asprintf(&shared->path, "/proc/%d/fd/%d", (int)getpid(), fileno(text)) >= 0)
		return 0;
	shared->path = NULL;
	pl_scratch_unshare(shared);
	errno = ENOMEM;
	return -1;
}

void pl_scratch_unshare(struct pl_scratch_shared *shared)
{
	if (shared->memory)
		fclose(shared->memory);
	else if (shared->path)
		unlink(shared->path);
	free(shared->path);
	*shared = (struct pl_scratch_shared){0};
}
