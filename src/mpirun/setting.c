/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.c - the files and variables that the job's processes get */
#include "config.h"

#include "src/mpirun/setting.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELPER "plink-mpi-check"

/* "@dir/@name", for the caller to free. */
static char *join(const char *dir, const char *name)
{
	const size_t room = strlen(dir) + strlen(name) + 2;
	char *path = malloc(room);

	if (path)
		snprintf(path, room, "%s/%s", dir, name);
	return path;
}

/* Links are not followed: they may lead elsewhere on other hosts. */
static char *absolute(const char *path, struct pl_err *err)
{
	char here[PATH_MAX], *whole;

	if (path[0] == '/')
		whole = pl_string_copy(path, strlen(path));
	else if (getcwd(here, sizeof(here)))
		whole = join(here, path);
	else
		goto fail;
	if (whole)
		return whole;
	errno = ENOMEM;
fail:
	pl_err_errno(err, "%s", path);
	return NULL;
}

/* The directory of this program, or NULL. */
static char *own_directory(const char *self)
{
	char link[PATH_MAX], *path, *slash;
	ssize_t len;

	if (strchr(self, '/')) {
		path = absolute(self, NULL);
	} else {
		len = readlink("/proc/self/exe", link, sizeof(link));
		path = len > 0 ? pl_string_copy(link, (size_t)len) : NULL;
	}
	slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		*slash = '\0';
	return path;
}

/* The file beside this program or, if there is none, the installed one. */
static char *find(const char *dir, const char *name, const char *installed, struct pl_err *err)
{
	char *path = dir ? join(dir, name) : NULL;

	if (path && access(path, R_OK) == 0)
		return path;
	free(path);
	path = join(installed, name);
	if (!path)
		pl_err_nomem(err);
	return path;
}

/* ld.so splits its list at blanks and colons. */
static int check_library(const char *path, struct pl_err *err)
{
	if (strpbrk(path, " \t:"))
		return pl_err_set(err, PL_EUSAGE,
				  "%s cannot be preloaded: its name has a blank or a colon", path);
	if (access(path, R_OK))
		return pl_err_errno(err, "cannot read %s, see --library", path);
	return 0;
}

static int find_files(struct pl_mpirun_setting *s, const struct pl_mpirun_options *o,
		      const char *library, const char *self, struct pl_err *err)
{
	char *dir = own_directory(self);

	s->plan = absolute(o->plan, err);
	s->library = o->library ? absolute(o->library, err) : find(dir, library, PL_PKGLIBDIR, err);
	s->helper = find(dir, HELPER, PL_PKGLIBEXECDIR, err);
	free(dir);
	if (!s->plan || !s->library || !s->helper)
		return -1;
	return check_library(s->library, err);
}

/* Do the words set the variable of @assignment, "NAME=VALUE"? */
static bool is_set(const struct pl_words *env, const char *entry)
{
	const size_t len = strcspn(entry, "=") + 1;

	for (size_t i = 0; i < env->n; i++)
		if (strncmp(env->v[i], entry, len) == 0)
			return true;
	return false;
}

static void add_inherited(struct pl_words *env)
{
	static const char ours[] = "PLINK_", host[] = "PLINK_HOST=";

	for (char **at = environ; at && *at; at++)
		if (strncmp(*at, ours, sizeof(ours) - 1) == 0 &&
		    strncmp(*at, host, sizeof(host) - 1) != 0 && strchr(*at, '=') &&
		    !is_set(env, *at))
			pl_words_add(env, *at);
}

static int make_env(struct pl_mpirun_setting *s, const struct pl_mpirun_options *o,
		    struct pl_err *err)
{
	char *stats = NULL;

	pl_words_add_pair(&s->env, "PLINK_PLAN", s->plan);
	if (o->has_mode)
		pl_words_add_pair(&s->env, "PLINK_MPI_MODE",
				  o->mode == PL_MPIRUN_SHADOW ? "shadow" : "world");
	if (o->strict)
		pl_words_add_pair(&s->env, "PLINK_STRICT", "1");
	if (o->verbose)
		pl_words_add_pair(&s->env, "PLINK_VERBOSE", "1");
	if (o->stats) {
		stats = absolute(o->stats, err);
		if (!stats)
			return -1;
		pl_words_add_pair(&s->env, "PLINK_STATS", stats);
		free(stats);
	}
	add_inherited(&s->env);
	return s->env.failed ? pl_err_nomem(err) : 0;
}

int pl_mpirun_setting_make(struct pl_mpirun_setting *s, const struct pl_mpirun_options *o,
			   const char *library, const char *self, struct pl_err *err)
{
	if (find_files(s, o, library, self, err) || make_env(s, o, err)) {
		pl_mpirun_setting_fini(s);
		return -1;
	}
	return 0;
}

void pl_mpirun_setting_fini(struct pl_mpirun_setting *s)
{
	free(s->plan);
	free(s->library);
	free(s->helper);
	pl_words_fini(&s->env);
	*s = (struct pl_mpirun_setting){0};
}
