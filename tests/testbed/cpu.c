/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c - hosts get a share of a processor each, by control groups */
#include "config.h"

#include "tests/testbed/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define V1 "/sys/fs/cgroup/cpu"
#define V2 "/sys/fs/cgroup"

/* A host computes for this long in each period, so that it seems slow and not
 * stopped; it is the least that the kernel takes. */
#define QUOTA_US 1000
#define PERIOD_MAX_US 1000000

/* Processes that have been killed leave their group a moment later. */
#define RELEASE_TRIES 200
#define RELEASE_PAUSE_MS 10

static bool is_v1(void)
{
	return access(V1 "/cpu.cfs_quota_us", F_OK) == 0 ||
	       access(V1 "/cgroup.procs", F_OK) == 0;
}

int tb_cpu_check(struct pl_err *err)
{
	char list[256];
	ssize_t len = -1;
	int fd;

	if (is_v1())
		return 0;
	fd = open(V2 "/cgroup.subtree_control", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, list, sizeof(list) - 1);
		close(fd);
	}
	if (len < 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "no control groups at " V2
				  " give shares of a processor");
	list[len] = '\0';
	for (char *word = strtok(list, " \n"); word; word = strtok(NULL, " \n"))
		if (!strcmp(word, "cpu"))
			return 0;
	return pl_err_set(err, PL_ESYSTEM,
			  V2 "/cgroup.subtree_control lacks \"cpu\", which "
			     "shares of a processor need");
}

#define PATH_MAX_LEN 160

static void group_path(char path[PATH_MAX_LEN], const char *prefix, size_t host)
{
	snprintf(path, PATH_MAX_LEN, "%s/plink-testbed.%s.%zu",
		 is_v1() ? V1 : V2, prefix, host);
}

static int put(const char *group, const char *file, const char *text,
	       struct pl_err *err)
{
	char path[PATH_MAX_LEN + 32];
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

	if (!is_v1()) {
		snprintf(text, sizeof(text), "%d %.0f", QUOTA_US, period_us);
		return put(group, "cpu.max", text, err);
	}
	snprintf(text, sizeof(text), "%.0f", period_us);
	if (put(group, "cpu.cfs_period_us", text, err))
		return -1;
	snprintf(text, sizeof(text), "%d", QUOTA_US);
	return put(group, "cpu.cfs_quota_us", text, err);
}

int tb_cpu_hold(const char *prefix, size_t host, pid_t pid, double share,
		struct pl_err *err)
{
	char group[PATH_MAX_LEN], text[32];

	group_path(group, prefix, host);
	if (mkdir(group, 0755))
		return pl_err_errno(err, "cannot make %s", group);
	snprintf(text, sizeof(text), "%ld", (long)pid);
	if (set_quota(group, share, err))
		return -1;
	return put(group, "cgroup.procs", text, err);
}

void tb_cpu_release(const char *prefix)
{
	char group[PATH_MAX_LEN];

	for (size_t host = 0;; host++) {
		group_path(group, prefix, host);
		for (int i = 0; rmdir(group); i++) {
			if (errno != EBUSY || i == RELEASE_TRIES)
				return;
			poll(NULL, 0, RELEASE_PAUSE_MS);
		}
	}
}
