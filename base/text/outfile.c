/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.c - output files that are there in full or not at all */
#include "config.h"

#include "base/text/outfile.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/*
 * A device or pipe cannot be replaced by renaming: it is written as it is. Nor
 * can the links that stand for open files: /dev/stdout, /proc/self/fd/1.
 */
static bool is_special(const char *path)
{
	struct stat st;

	if (is_link(path) &&
	    (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0))
		return true;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Any other link stays, and the file that it leads to is replaced. */
static char *copy_target(const char *path)
{
	char *target = is_link(path) ? realpath(path, NULL) : NULL;

	return target ? target : pl_string_copy(path, strlen(path));
}

/* The new file gets the mode that fopen() would have given it. */
static int open_beside(struct pl_outfile *out, struct pl_err *err)
{
	const size_t room = strlen(out->path) + sizeof(".XXXXXX");
	const mode_t mask = umask(0);
	int fd;

	umask(mask);
	out->tmp = malloc(room);
	if (!out->tmp)
		return pl_err_nomem(err);
	snprintf(out->tmp, room, "%s.XXXXXX", out->path);
	fd = mkostemp(out->tmp, O_CLOEXEC);
	if (fd < 0) {
		pl_err_errno(err, "cannot write %s", out->path);
		free(out->tmp);
		out->tmp = NULL;
		return -1;
	}
	if (fchmod(fd, 0666 & ~mask) || !(out->f = fdopen(fd, "w"))) {
		pl_err_errno(err, "cannot write %s", out->tmp);
		close(fd);
		return -1;
	}
	return 0;
}

/* Standard output is gathered in an unnamed file first. */
static int open_stdout(struct pl_outfile *out, struct pl_err *err)
{
	out->f = tmpfile();
	if (out->f && !fcntl(fileno(out->f), F_SETFD, FD_CLOEXEC))
		return 0;
	pl_err_errno(err, "cannot make a temporary file in " P_tmpdir);
	pl_outfile_abort(out);
	return -1;
}

int pl_outfile_open(struct pl_outfile *out, const char *path,
		    struct pl_err *err)
{
	memset(out, 0, sizeof(*out));
	if (!path || strcmp(path, "-") == 0)
		return open_stdout(out, err);
	out->path = is_special(path) ? pl_string_copy(path, strlen(path))
				     : copy_target(path);
	if (!out->path)
		return pl_err_nomem(err);
	if (is_special(path)) {
		out->f = fopen(path, "we");
		if (!out->f)
			pl_err_errno(err, "cannot write %s", path);
	} else {
		open_beside(out, err);
	}
	if (!out->f) {
		pl_outfile_abort(out);
		return -1;
	}
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

int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err)
{
	const char *shown = out->path ? out->path : "standard output";
	int bad = fflush(out->f) || ferror(out->f);

	if (!bad && !out->path)
		bad = copy_to_stdout(out->f);
	if (!bad && out->tmp)
		bad = fsync(fileno(out->f));
	if (fclose(out->f))
		bad = -1;
	out->f = NULL;
	if (!bad && out->tmp)
		bad = rename(out->tmp, out->path);
	if (bad) {
		pl_err_errno(err, "cannot write %s", shown);
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
