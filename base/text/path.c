/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - which file a path names, there or still to be made */
#include "config.h"

#include "base/text/path.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel follows */

char *pl_path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return pl_string_copy(".", 1);
	return pl_string_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

/*
 * In a folder where all may write and only owners may remove, as /tmp, anyone can have left a link
 * to anywhere. It is followed only if it is our own or the folder's owner's: what Linux does with
 * fs.protected_symlinks.
 */
static int check_link(const char *path, const struct stat *link, struct pl_err *err)
{
	char *folder = pl_path_folder(path);
	struct stat st;
	int rc = 0;

	if (!folder)
		return pl_err_nomem(err);
	if (!stat(folder, &st) && (st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH) &&
	    link->st_uid != geteuid() && link->st_uid != st.st_uid)
		rc = pl_err_set(
			err, PL_ESYSTEM,
			"cannot write %s: another user's link in a folder that all can write to",
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
		folder = pl_path_folder(path);
	room = folder ? strlen(folder) + (size_t)len + 2 : 0;
	full = folder ? malloc(room) : NULL;
	if (full)
		snprintf(full, room, "%s%s%s", folder, *folder ? "/" : "", target);
	else
		pl_err_nomem(err);
	free(folder);
	return full;
}

bool pl_path_is_open(const char *path)
{
	return (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) ||
	       strncmp(path, "/proc/", 6) == 0;
}

char *pl_path_resolve(const char *path, struct pl_err *err)
{
	char *at = pl_string_copy(path, strlen(path)), *next;
	struct stat st;

	for (int links = 0; at; at = next) {
		if (pl_path_is_open(at) || lstat(at, &st) || !S_ISLNK(st.st_mode))
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

/* The name without its folder, whose status is in *folder; NULL: no folder. */
static const char *split(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/');
	char *name = pl_path_folder(path);
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
	to_a = pl_path_resolve(a, NULL);
	to_b = pl_path_resolve(b, NULL);
	same = are_one(to_a ? to_a : a, to_b ? to_b : b);
	free(to_a);
	free(to_b);
	return same;
}
