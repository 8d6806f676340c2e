/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.c - output files that are there in full or not at all */
#include "config.h"

#include "base/text/outfile.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel follows */

/* The folder that @path is in, for the caller to free; NULL: no memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return pl_string_copy(".", 1);
	return pl_string_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

/*
 * In a folder where all may write and only owners may remove, as /tmp, anyone
 * can have left a link to anywhere. It is followed only if it is our own or the
 * folder's owner's: what Linux does with fs.protected_symlinks.
 */
static int check_link(const char *path, const struct stat *link,
		      struct pl_err *err)
{
	char *folder = folder_of(path);
	struct stat st;
	int rc = 0;

	if (!folder)
		return pl_err_nomem(err);
	if (!stat(folder, &st) && (st.st_mode & S_ISVTX) &&
	    (st.st_mode & S_IWOTH) && link->st_uid != geteuid() &&
	    link->st_uid != st.st_uid)
		rc = pl_err_set(err, PL_ESYSTEM,
				"cannot write %s: another user's link in a "
				"folder that all can write to",
				path);
	free(folder);
	return rc;
}

/* Where the link @path leads, one step; NULL with @err set. */
static char *follow(const char *path, struct pl_err *err)
{
	char target[PATH_MAX], *folder, *full;
	const ssize_t len = readlink(path, target, sizeof(target) - 1);
	size_t room;

	if (len < 0) {
		pl_err_errno(err, "cannot write %s", path);
		return NULL;
	}
	target[len] = '\0';
	if (target[0] == '/')
		folder = pl_string_copy("", 0);
	else
		folder = folder_of(path);
	room = folder ? strlen(folder) + (size_t)len + 2 : 0;
	full = folder ? malloc(room) : NULL;
	if (full)
		snprintf(full, room, "%s%s%s", folder, *folder ? "/" : "",
			 target);
	else
		pl_err_nomem(err);
	free(folder);
	return full;
}

/* What stands for an open file, as /dev/stdout and /proc/self/fd/1 do, leads to
 * no name. */
static bool is_open_file(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

/* The file that @path names in the end, there or not; NULL with @err set. */
static char *resolve(const char *path, struct pl_err *err)
{
	char *at = pl_string_copy(path, strlen(path)), *next;
	struct stat st;

	for (int links = 0; at; at = next) {
		if (is_open_file(at) || lstat(at, &st) || !S_ISLNK(st.st_mode))
			return at;
		if (links++ == LINKS_MAX) {
			errno = ELOOP;
			pl_err_errno(err, "cannot write %s", path);
			free(at);
			return NULL;
		}
		next = check_link(at, &st, err) ? NULL : follow(at, err);
		free(at);
		if (!next)
			return NULL;
	}
	pl_err_nomem(err);
	return NULL;
}

/* A device, a pipe or an open file cannot be replaced: it is written as it
 * is. @path: resolved. */
static bool is_special(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Access to the new file: that of the one it replaces, if that is ours; else as
 * fopen() would give it. */
static mode_t mode_for(const char *path)
{
	const mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	if (!lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid())
		return st.st_mode & 0777;
	return 0666 & ~mask;
}

/* A name beside @path that no file has: "PATH.", and six characters that
 * mkostemp() replaces. NULL: no memory. */
static char *name_beside(const char *path)
{
	const size_t room = strlen(path) + sizeof(".XXXXXX");
	char *name = malloc(room);

	if (name)
		snprintf(name, room, "%s.XXXXXX", path);
	return name;
}

/* A file without a name disappears with a process that is killed. -1: the file
 * system has none. */
static int open_unnamed(const struct pl_outfile *out)
{
	char *folder = folder_of(out->path);
	int fd = -1;

	if (folder && access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

static int open_named(struct pl_outfile *out, struct pl_err *err)
{
	int fd;

	out->tmp = name_beside(out->path);
	if (!out->tmp)
		return pl_err_nomem(err);
	fd = mkostemp(out->tmp, O_CLOEXEC);
	if (fd >= 0)
		return fd;
	pl_err_errno(err, "cannot write %s", out->path);
	free(out->tmp);
	out->tmp = NULL;
	return -1;
}

static int open_beside(struct pl_outfile *out, struct pl_err *err)
{
	const mode_t mode = mode_for(out->path);
	int fd = open_unnamed(out);

	if (fd < 0)
		fd = open_named(out, err);
	if (fd < 0)
		return -1;
	out->replaces = true;
	if (!fchmod(fd, mode) && (out->f = fdopen(fd, "w+")))
		return 0;
	pl_err_errno(err, "cannot write %s", out->path);
	close(fd);
	return -1;
}

/* Standard output is gathered in memory first. */
static int open_stdout(struct pl_outfile *out, struct pl_err *err)
{
	const int fd = memfd_create("plink", MFD_CLOEXEC);

	if (fd >= 0 && (out->f = fdopen(fd, "w+")))
		return 0;
	pl_err_errno(err, "cannot gather the output");
	if (fd >= 0)
		close(fd);
	return -1;
}

int pl_outfile_open(struct pl_outfile *out, const char *path,
		    struct pl_err *err)
{
	memset(out, 0, sizeof(*out));
	if (!path || strcmp(path, "-") == 0)
		return open_stdout(out, err);
	out->path = resolve(path, err);
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
	struct pl_outfile out;

	if (!path || strcmp(path, "-") == 0 || is_special(path))
		return 0;
	if (pl_outfile_open(&out, path, err))
		return -1;
	pl_outfile_abort(&out);
	return 0;
}

int pl_outfile_open_new(struct pl_outfile *out, const char *path,
			struct pl_err *err)
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
	if (!fflush(out->f) && !ferror(out->f) &&
	    (!out->replaces || !fsync(fileno(out->f)))) {
		out->synced = true;
		return 0;
	}
	pl_err_errno(err, "cannot write %s",
		     out->path ? out->path : "standard output");
	pl_outfile_abort(out);
	return -1;
}

/* Gives an unnamed file the name out->path where nothing has it, else one
 * beside it. */
static int name_it(struct pl_outfile *out)
{
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(out->f));
	if (!linkat(AT_FDCWD, link, AT_FDCWD, out->path, AT_SYMLINK_FOLLOW))
		return 0;
	if (errno != EEXIST)
		return -1;
	for (int tries = 0; tries < 100; tries++) {
		out->tmp = name_beside(out->path);
		/* takes a name that is free, and makes it free again */
		fd = out->tmp ? mkostemp(out->tmp, O_CLOEXEC) : -1;
		if (fd >= 0) {
			close(fd);
			unlink(out->tmp);
			if (!linkat(AT_FDCWD, link, AT_FDCWD, out->tmp,
				    AT_SYMLINK_FOLLOW))
				return 0;
		}
		free(out->tmp);
		out->tmp = NULL;
		if (fd < 0 || errno != EEXIST)
			return -1;
	}
	return -1;
}

int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err)
{
	int bad;

	if (pl_outfile_sync(out, err))
		return -1;
	bad = !out->path && copy_to_stdout(out->f);
	if (!bad && out->replaces && !out->tmp)
		bad = name_it(out);
	if (!bad && out->tmp)
		bad = rename(out->tmp, out->path);
	if (fclose(out->f))
		bad = -1;
	out->f = NULL;
	if (bad) {
		pl_err_errno(err, "cannot write %s",
			     out->path ? out->path : "standard output");
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

FILE *pl_scratch_open(void)
{
	const char *folder = getenv("TMPDIR");
	int fd = open(folder && *folder ? folder : "/tmp",
		      O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *f;

	if (fd < 0)
		fd = memfd_create("plink", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	f = fdopen(fd, "w+");
	if (!f)
		close(fd);
	return f;
}

/* The name without its folder, whose status is in *folder; NULL: no folder. */
static const char *split(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/');
	char *name = folder_of(path);
	const bool found = name && stat(name, folder) == 0;

	free(name);
	if (!found)
		return NULL;
	return slash ? slash + 1 : path;
}

static bool are_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool pl_same_file(const char *a, const char *b)
{
	const char *name_a, *name_b;
	struct stat s, t;

	if (!a || !b || !strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	if (stat(a, &s) == 0 && stat(b, &t) == 0)
		return S_ISREG(s.st_mode) && are_same(&s, &t);
	name_a = split(a, &s);
	name_b = split(b, &t);
	return name_a && name_b && !strcmp(name_a, name_b) && are_same(&s, &t);
}
