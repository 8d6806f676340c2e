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
#define NAMES_MAX 100

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
	return (strncmp(path, "/dev/", 5) == 0 &&
		strncmp(path, "/dev/shm/", 9) != 0) ||
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

/* A short name in the folder of @path, with the process's number and @k. NULL:
 * no memory. */
static char *name_beside(const char *path, unsigned k)
{
	const char *slash = strrchr(path, '/');
	const int len = slash ? (int)(slash - path) + 1 : 0;
	char *name;

	if (asprintf(&name, "%.*s.plink-%d-%u", len, path, (int)getpid(), k) <
	    0)
		return NULL;
	return name;
}

/* A file without a name disappears with a process that is killed. -1: the file
 * system has none. The umask is the system's to apply: other threads may make
 * files, too. */
static int open_unnamed(const struct pl_outfile *out, mode_t mode)
{
	char *folder = folder_of(out->path);
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
		fd = open(out->tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			  mode);
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

/* The group and access rights of the file that is replaced. A group that we may
 * not give gets none. */
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

	/* a name that is too long is told now, not at commit */
	if (lstat(out->path, &old) && errno != ENOENT)
		return pl_err_errno(err, "cannot write %s", out->path);
	ours = !lstat(out->path, &old) && S_ISREG(old.st_mode) &&
	       old.st_uid == geteuid();
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

static FILE *open_memory(void)
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
	FILE *f = fd < 0 ? open_memory() : fdopen(fd, "w+");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* Standard output is gathered in memory first. */
static int open_stdout(struct pl_outfile *out, struct pl_err *err)
{
	out->f = open_memory();
	if (!out->f)
		out->f = pl_scratch_open();
	return out->f ? 0 : pl_err_errno(err, "cannot gather the output");
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
	struct pl_outfile out = {0};
	struct stat st;
	int rc = 0;

	if (!path || strcmp(path, "-") == 0)
		return 0;
	out.path = resolve(path, err);
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

int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err)
{
	int bad, why;

	if (pl_outfile_sync(out, err))
		return -1;
	bad = !out->path && copy_to_stdout(out->f);
	if (!bad && out->replaces && !out->tmp)
		bad = name_it(out);
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

static bool are_one(const char *a, const char *b)
{
	const char *name_a, *name_b;
	struct stat s, t;

	if (stat(a, &s) == 0 && stat(b, &t) == 0)
		return S_ISREG(s.st_mode) && are_same(&s, &t);
	name_a = split(a, &s);
	name_b = split(b, &t);
	return name_a && name_b && !strcmp(name_a, name_b) && are_same(&s, &t);
}

bool pl_same_file(const char *a, const char *b)
{
	char *to_a, *to_b;
	bool same;

	if (!a || !b || !strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	to_a = resolve(a, NULL);
	to_b = resolve(b, NULL);
	same = are_one(to_a ? to_a : a, to_b ? to_b : b);
	free(to_a);
	free(to_b);
	return same;
}
