/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c - hosts get a share of a processor each, by control groups */
#include "config.h"

#include "tests/testbed/cpu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define V1 "/sys/fs/cgroup/cpu"
#define V2 "/sys/fs/cgroup"

/* A host computes for this long in each period, so that it seems slow and not stopped; it is the
 * least that the kernel takes. */
#define QUOTA_US 1000

/* Processes that have been killed leave their group a moment later. */
#define RELEASE_TRIES 200
#define RELEASE_PAUSE_MS 10

#define PATH_ROOM 160

/* Where version 1 and 2 stand beside each other, processors belong to 1. */
static const char *root(void)
{
	return access(V2 "/cgroup.controllers", F_OK) ? V1 : V2;
}

static int put(const char *group, const char *file, const char *text, struct pl_err *err)
{
	char path[PATH_ROOM + 32];
	const size_t len = strlen(text);
	int fd, rc = 0;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return pl_err_errno(err, "cannot open %s", path);
	if (write(fd, text, len) != (ssize_t)len)
		rc = pl_err_errno(err, "cannot write \"%s\" to %s", text, path);
	close(fd);
	return rc;
}

static int set_quota(const char *group, double share, struct pl_err *err)
{
	const double period_us = QUOTA_US / share;
	char text[64];

	if (!strcmp(root(), V2)) {
		snprintf(text, sizeof(text), "%d %.0f", QUOTA_US, period_us);
		return put(group, "cpu.max", text, err);
	}
	snprintf(text, sizeof(text), "%.0f", period_us);
	if (put(group, "cpu.cfs_period_us", text, err))
		return -1;
	snprintf(text, sizeof(text), "%d", QUOTA_US);
	return put(group, "cpu.cfs_quota_us", text, err);
}

static int make(const char *group, double share, struct pl_err *err)
{
	if (mkdir(group, 0755))
		return pl_err_errno(err, "cannot make %s", group);
	return set_quota(group, share, err);
}

/* Makes a group and removes it: the only test that tells. */
int tb_cpu_check(struct pl_err *err)
{
	char group[PATH_ROOM];
	struct pl_err fault = {0};
	int rc;

	snprintf(group, sizeof(group), "%s/plink-testbed.check.%ld", root(), (long)getpid());
	rc = make(group, 0.5, &fault);
	rmdir(group);
	return rc ? pl_err_set(err, PL_ESYSTEM,
			       "control groups give no shares of a processor here: %s", fault.text)
		  : 0;
}

int tb_cpu_hold(const char *prefix, size_t host, pid_t pid, double share, struct pl_err *err)
{
	char group[PATH_ROOM], text[32];

	snprintf(group, sizeof(group), "%s/plink-testbed.%s.%zu", root(), prefix, host);
	snprintf(text, sizeof(text), "%ld", (long)pid);
	return make(group, share, err) || put(group, "cgroup.procs", text, err) ? -1 : 0;
}

void tb_cpu_release(const char *prefix)
{
	char start[PATH_ROOM];
	DIR *dir = opendir(root());
	struct dirent *e;

	snprintf(start, sizeof(start), "plink-testbed.%s.", prefix);
	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, start, strlen(start)) != 0)
			continue;
		for (int i = 0; unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR) && errno == EBUSY &&
				i < RELEASE_TRIES;
		     i++)
			poll(NULL, 0, RELEASE_PAUSE_MS);
	}
	if (dir)
		closedir(dir);
}
