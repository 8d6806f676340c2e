/* SPDX-License-Identifier: BSD-3-Clause */
/* name.c - a file of its own for each process */
#include "config.h"

#include "shim/nccl/stats/own.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define JSON ".json"
#define NUMBER_CHARS 16

static bool is_special(const char *name)
{
	struct stat st;

	return strcmp(name, "-") == 0 || (stat(name, &st) == 0 && !S_ISREG(st.st_mode));
}

/* The name in which hosts and numbers are put. */
static int make_pattern(char pattern[PATH_MAX], const char *name)
{
	size_t len = strlen(name);
	const char *end = "";
	int n;

	if (strchr(name, '%') || is_special(name)) {
		n = snprintf(pattern, PATH_MAX, "%s", name);
	} else {
		if (len > strlen(JSON) && strcmp(name + len - strlen(JSON), JSON) == 0) {
			len -= strlen(JSON);
			end = JSON;
		}
		n = snprintf(pattern, PATH_MAX, "%.*s.%%h.%%p%s", (int)len, name, end);
	}
	return n >= 0 && n < PATH_MAX ? 0 : -1;
}

/* What is put for %@c, or NULL: nothing, it stays. */
static const char *value_of(char c, const struct pl_stats_who *who, char number[NUMBER_CHARS])
{
	if (c == '%')
		return "%";
	if (c == 'h')
		return who->host;
	if (c != 'p')
		return NULL;
	snprintf(number, NUMBER_CHARS, "%d", who->pid);
	return number;
}

int pl_stats_name(char file[PATH_MAX], const char *name, const struct pl_stats_who *who)
{
	char pattern[PATH_MAX], number[NUMBER_CHARS];
	size_t n = 0;

	if (make_pattern(pattern, name))
		return -1;
	for (const char *at = pattern; *at; at++) {
		const char *value = *at == '%' ? value_of(at[1], who, number) : NULL;
		const size_t len = value ? strlen(value) : 1;

		if (n + len >= PATH_MAX)
			return -1;
		memcpy(file + n, value ? value : at, len);
		for (size_t i = n; value && i < n + len; i++)
			if (file[i] == '/')
				file[i] = '_';
		n += len;
		at += value != NULL;
	}
	file[n] = '\0';
	return 0;
}
