/* SPDX-License-Identifier: BSD-3-Clause */
/* self.c - which plink-agent to start if the user names none */
#include "config.h"

#include "probes/run/probe.h"

#include "base/mem.h"
#include "base/text/shell.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "plink-agent";

/* Path of plink-agent in the running program's folder; false: not there. */
static bool find_beside(char path[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));
	char *slash;

	if (len <= 0 || len == (ssize_t)(PATH_MAX - sizeof(name)))
		return false;
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	memcpy(slash + 1, name, sizeof(name));
	return access(path, X_OK) == 0;
}

static char *agent_command(void)
{
	/* one command for any shell: what is not there falls back to PATH */
	static const char form[] =
		"sh -c 'test -x \"$0\" && exec \"$0\" \"$@\"; exec plink-agent \"$@\"' %s";
	char path[PATH_MAX], *quoted, *command;
	size_t size;

	if (!find_beside(path))
		return pl_string_copy(name, strlen(name));
	quoted = pl_shell_quote(path);
	if (!quoted)
		return NULL;
	size = sizeof(form) + strlen(quoted);
	command = pl_array_create(size, 1);
	if (command)
		snprintf(command, size, form, quoted);
	free(quoted);
	return command;
}

/* The first in PATH, as a string of our own; NULL: none. */
static char *find_in_path(void)
{
	const char *dir = getenv("PATH");
	char path[PATH_MAX];

	while (dir && *dir) {
		const int len = (int)strcspn(dir, ":");

		snprintf(path, sizeof(path), "%.*s/%s", len, dir, name);
		if (len > 0 && access(path, X_OK) == 0)
			return pl_string_copy(path, strlen(path));
		dir += len;
		dir += *dir == ':';
	}
	return NULL;
}

static char *agent_file(struct pl_err *err)
{
	char path[PATH_MAX], *found;

	found = find_beside(path) ? pl_string_copy(path, strlen(path)) : find_in_path();
	if (!found)
		pl_err_set(err, PL_EUSAGE,
			   "there is no %s beside this program or in PATH; install it, or name the "
			   "file with --push=FILE",
			   name);
	return found;
}

int pl_probe_agent_choose(struct pl_probe_options *o, bool push, char **own, struct pl_err *err)
{
	if (o->agent || o->push)
		return 0;
	if (push) {
		o->push = *own = agent_file(err);
	} else {
		o->agent = *own = agent_command();
		if (!*own)
			pl_err_nomem(err);
	}
	return *own ? 0 : -1;
}
