/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.c - RDMA adapters, which a job may use instead of the measured
 * network */
#include "config.h"

#include "probes/protocol/verbs.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PORTS_MAX 8

static const char *const words[] = {
	[PL_VERBS_NONE] = "none",
	[PL_VERBS_EFA] = "efa",
	[PL_VERBS_INFINIBAND] = "infiniband",
	[PL_VERBS_ETHERNET] = "ethernet",
	[PL_VERBS_OTHER] = "other",
};

const char *pl_verbs_word(enum pl_verbs_kind kind)
{
	return words[kind];
}

enum pl_verbs_kind pl_verbs_kind(const char *s, size_t len)
{
	for (size_t k = 1; k < sizeof(words) / sizeof(words[0]); k++)
		if (strlen(words[k]) == len && !memcmp(words[k], s, len))
			return (enum pl_verbs_kind)k;
	return PL_VERBS_NONE;
}

/* A file's first line; false: no such file. */
static bool read_line(const char *path, char *out, int size)
{
	FILE *f = fopen(path, "re");
	bool got;

	if (!f)
		return false;
	got = fgets(out, size, f) != NULL;
	fclose(f);
	if (got)
		out[strcspn(out, "\n")] = '\0';
	return got;
}

/* The link layer of the device's first active port; false: none is. */
static bool active_link(const char *device, char *out, int size)
{
	char path[PATH_MAX], state[64];

	for (int port = 1; port <= PORTS_MAX; port++) {
		snprintf(path, sizeof(path), "%s/ports/%d/state", device, port);
		if (!read_line(path, state, sizeof(state)) || !strstr(state, "ACTIVE"))
			continue;
		snprintf(path, sizeof(path), "%s/ports/%d/link_layer", device, port);
		return read_line(path, out, size);
	}
	return false;
}

static bool is_efa(const char *device)
{
	char path[PATH_MAX], driver[PATH_MAX];
	const char *last;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/device/driver", device);
	len = readlink(path, driver, sizeof(driver) - 1);
	if (len < 0)
		return false;
	driver[len] = '\0';
	last = strrchr(driver, '/');
	return !strcmp(last ? last + 1 : driver, "efa");
}

static enum pl_verbs_kind kind_of(const char *device)
{
	char path[PATH_MAX], link[64];

	snprintf(path, sizeof(path), "%s/device", device);
	if (access(path, F_OK) || !active_link(device, link, sizeof(link)))
		return PL_VERBS_NONE; /* software, or a port without a cable */
	if (is_efa(device))
		return PL_VERBS_EFA;
	if (!strcmp(link, "InfiniBand"))
		return PL_VERBS_INFINIBAND;
	return strcmp(link, "Ethernet") ? PL_VERBS_OTHER : PL_VERBS_ETHERNET;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct pl_verbs *)a)->name, ((const struct pl_verbs *)b)->name);
}

size_t pl_verbs_list(const char *root, struct pl_verbs *out)
{
	char path[PATH_MAX / 2], device[PATH_MAX - 128];
	const struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/infiniband", root);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (n < PL_VERBS_MAX && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= PL_VERBS_CHARS)
			continue;
		snprintf(device, sizeof(device), "%s/%s", path, entry->d_name);
		out[n].kind = kind_of(device);
		if (out[n].kind == PL_VERBS_NONE)
			continue;
		snprintf(out[n++].name, PL_VERBS_CHARS, "%s", entry->d_name);
	}
	closedir(dir);
	qsort(out, n, sizeof(*out), by_name);
	return n;
}
