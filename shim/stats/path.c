/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - the file that PLINK_STATS names */
#include "config.h"

#include "shim/stats/path.h"

#include "base/text/number.h"
#include "shim/say.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOISE ",noise"
#define CALLS ",calls"
#define EVERY 10 /* iterations, if no number is given */
#define COUNT_MAX 1000000000

bool pl_stats_is_wanted(void)
{
	const char *path = getenv("PLINK_STATS");

	return path && *path;
}

/* "=N" at *s, which moves behind it. */
static bool take_count(const char **s, uint64_t *n)
{
	const size_t len = strcspn(*s, ",");

	if (**s != '=' || pl_uint_parse(*s + 1, len - 1, COUNT_MAX, n) || *n == 0)
		return false;
	*s += len;
	return true;
}

/* ",noise[=N][,calls=M]" */
static bool take_options(const char *s, struct pl_stats_options *o)
{
	o->every = EVERY;
	s += strlen(NOISE);
	if (*s == '=' && !take_count(&s, &o->every))
		return false;
	if (strncmp(s, CALLS, strlen(CALLS)) == 0) {
		s += strlen(CALLS);
		if (!take_count(&s, &o->calls))
			return false;
	}
	return *s == '\0';
}

int pl_stats_setting_parse(char name[PATH_MAX], const char *value, struct pl_stats_options *o)
{
	const char *noise = strstr(value, NOISE);
	const size_t len = noise ? (size_t)(noise - value) : strlen(value);

	*o = (struct pl_stats_options){.calls = 1};
	if (len >= PATH_MAX)
		return -1;
	memcpy(name, value, len);
	name[len] = '\0';
	if (noise && !take_options(noise, o)) {
		pl_shim_say("PLINK_STATS: \"%s\" is no \"" NOISE "=N" CALLS
			    "=M\" with numbers above 0; no noise",
			    noise);
		o->every = 0;
	}
	return 0;
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
