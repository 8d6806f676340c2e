/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.c - output files that are there in full or not at all */
#include "config.h"

#include "base/text/outfile.h"

#include "base/mem.h"
#include "base/text/path.h"
#include "base/text/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 100

/* A device, a pipe or an open file cannot be replaced: it is written as it
 * is. @path: resolved. */
static bool is_special(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* A short name in the folder of @path, with the process's number and @k. NULL: no memory. */
static char *name_beside(const char *path, unsigned k)
{
	const char *slash = strrchr(path, '/');
	const int len = slash ? (int)(slash - path) + 1 : 0;
	char *name;

	if (asprintf(&name, "%.*s.plink-%d-%u", len, path, (int)getpid(), k) < 0)
		return NULL;
	return name;
}

/* A file without a name disappears with a process that is killed. -1: the file system has none. The
 * umask is the system's to apply: other threads may make files, too. */
static int open_unnamed(const struct pl_outfile *out, mode_t mode)
{
	char *folder = pl_path_folder(out->path);
	int fd = -1;

	if (folder && access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	free(folder);
	return fd;
}

static int open_named(struct pl_outfile *out, mode_t mode, struct pl_err *err)
{
	int fd = -1;

	for (unsigned k = 0; fd < 0 && k < NAMES_MAX; k++) {
		free(out->tmp);
		out->tmp = name_beside(out->path, k);
		if (!out->tmp)
			return pl_err_nomem(err);
		fd = open(out->tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		return fd;
	pl_err_errno(err, "cannot write %s", out->path);
	free(out->tmp);
	out->tmp = NULL;
	return -1;
}

/* The group and access rights of the file that is replaced. A group that we may not give gets
 * none. */
static int keep_rights(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	if (fchown(fd, (uid_t)-1, old->st_gid))
		mode &= ~(mode_t)S_IRWXG;
	return fchmod(fd, mode);
}

static int open_beside(struct pl_outfile *out, struct pl_err *err)
{
	struct stat old;
	bool ours;
	int fd;

	/* a name that is too long, or none, is told now, not at commit */
	if ((lstat(out->path, &old) && errno != ENOENT) || !*out->path)
		return pl_err_errno(err, "cannot write %s", out->path);
	ours = !lstat(out->path, &old) && S_ISREG(old.st_mode) && old.st_uid == geteuid();
	/* what is private is so from the start */
	fd = open_unnamed(out, ours ? 0600 : 0666);
	if (fd < 0)
		fd = open_named(out, ours ? 0600 : 0666, err);
	if (fd < 0)
		return -1;
	out->replaces = true;
	if (!(ours && keep_rights(fd, &old)) && (out->f = fdopen(fd, "w+")))
		return 0;
	pl_err_errno(err, "cannot write %s", out->path);
	close(fd);
	return -1;
}

/* Standard output is gathered in memory first. */
static int open_stdout(struct pl_outfile *out, struct pl_err *err)
{
	out->f = pl_scratch_memory();
	if (!out->f)
		out->f = pl_scratch_open();
	return out->f ? 0 : pl_err_errno(err, "cannot gather the output");
}

int pl_outfile_open(struct pl_outfile *out, const char *path, struct pl_err *err)
{
	memset(out, 0, sizeof(*out));
	if (!path || strcmp(path, "-") == 0)
		return open_stdout(out, err);
	out->path = pl_path_resolve(path, err);
	if (!out->path)
		return -1;
	if (is_special(out->path)) {
		out->f = fopen(out->path, "we");
		if (!out->f)
			pl_err_errno(err, "cannot write %s", path);
	} else {
		open_beside(out, err);
	}
	if (out->f)
		return 0;
	pl_outfile_abort(out);
	return -1;
}

int pl_outfile_try(const char *path, struct pl_err *err)
{
	struct pl_outfile out = {0};
	struct stat st;
	int rc = 0;

	if (!path || strcmp(path, "-") == 0)
		return 0;
	out.path = pl_path_resolve(path, err);
	if (!out.path)
		return -1;
	if (!is_special(out.path)) {
		rc = open_beside(&out, err);
	} else if (!stat(out.path, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		rc = pl_err_errno(err, "cannot write %s", path);
	}
	pl_outfile_abort(&out);
	return rc;
}

int pl_outfile_open_new(struct pl_outfile *out, const char *path, struct pl_err *err)
{
	memset(out, 0, sizeof(*out));
	out->path = pl_string_copy(path, strlen(path));
	if (!out->path)
		return pl_err_nomem(err);
	if (!open_beside(out, err))
		return 0;
	pl_outfile_abort(out);
	return -1;
}

static int copy_to_stdout(FILE *f)
{
	char buf[65536];
	size_t got;

	rewind(f);
	while ((got = fread(buf, 1, sizeof(buf), f)) > 0)
		if (fwrite(buf, 1, got, stdout) != got)
			return -1;
	return ferror(f) || fflush(stdout) ? -1 : 0;
}

int pl_outfile_sync(struct pl_outfile *out, struct pl_err *err)
{
	if (!out->f || out->synced)
		return 0;
	if (!fflush(out->f) && !ferror(out->f) && (!out->replaces || !fsync(fileno(out->f)))) {
		out->synced = true;
		return 0;
	}
	pl_err_errno(err, "cannot write %s", out->path ? out->path : "standard output");
	pl_outfile_abort(out);
	return -1;
}

/* Gives an unnamed file the name out->path where nothing has it, else one beside it. */
static int name_it(struct pl_outfile *out)
{
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	const char *name = out->path;
	int why;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(out->f));
	for (unsigned k = 0; k <= NAMES_MAX; k++) {
		if (!linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW))
			return 0;
		why = errno;
		free(out->tmp);
		out->tmp = NULL;
		errno = why;
		if (why != EEXIST)
			return -1;
		name = out->tmp = name_beside(out->path, k);
		if (!name)
			return -1;
	}
	free(out->tmp);
	out->tmp = NULL;
	return -1;
}

/* For file systems that make unnamed files but give them no name (some of FUSE): the same file
 * under a name beside out->path. */
static int copy_beside(struct pl_outfile *out)
{
	struct stat st;
	FILE *copy;
	int fd;

	if (fstat(fileno(out->f), &st))
		return -1;
	fd = open_named(out, 0600, NULL);
	if (fd < 0)
		return -1;
	copy = pl_scratch_copy(out->f, fd) || keep_rights(fd, &st) || fsync(fd) ? NULL
										: fdopen(fd, "w+");
	if (!copy) {
		close(fd); /* and its name is removed by abort */
		return -1;
	}
	fclose(out->f);
	out->f = copy;
	return 0;
}

int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err)
{
	int bad, why;

	if (pl_outfile_sync(out, err))
		return -1;
	bad = !out->path && copy_to_stdout(out->f);
	if (!bad && out->replaces && !out->tmp)
		bad = name_it(out) && copy_beside(out);
	if (!bad && out->tmp)
		bad = rename(out->tmp, out->path);
	why = errno;
	if (fclose(out->f) && !bad) {
		bad = -1;
		why = errno;
	}
	out->f = NULL;
	if (bad) {
		errno = why;
		pl_err_errno(err, "cannot write %s", out->path ? out->path : "standard output");
		pl_outfile_abort(out);
		return -1;
	}
	free(out->tmp);
	free(out->path);
	memset(out, 0, sizeof(*out));
	return 0;
}

void pl_outfile_abort(struct pl_outfile *out)
{
	if (out->f)
		fclose(out->f);
	if (out->tmp)
		unlink(out->tmp);
	free(out->tmp);
	free(out->path);
	memset(out, 0, sizeof(*out));
}

int pl_outfile_write(const char *path, int (*write)(const void *arg, FILE *out, struct pl_err *err),
		     const void *arg, struct pl_err *err)
{
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, path, err);

	if (rc == 0)
		rc = write(arg, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}
