/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - the file that PLINK_STATS names */
#include "config.h"

#include "shim/stats/path.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool pl_stats_is_wanted(void)
{
	const char *path = getenv("PLINK_STATS");

	return path && *path;
}

int pl_stats_path(char path[PATH_MAX], const char *name)
{
	size_t len = 0;

	if (strcmp(name, "-") != 0 && name[0] != '/') {
		if (!getcwd(path, PATH_MAX - 1))
			return -1;
		len = strlen(path);
		path[len++] = '/';
	}
	if (strlen(name) >= PATH_MAX - len)
		return -1;
	strcpy(path + len, name);
	return 0;
}
