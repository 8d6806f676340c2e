/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.c - processes known by number and start time, so never by mistake */
#include "config.h"

#include "tests/testbed/proc.h"

#include "base/text/number.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define START_FIELD 22

int64_t tb_proc_start(pid_t pid)
{
	char path[64], stat[2048];
	const char *s;
	int64_t start;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	len = read(fd, stat, sizeof(stat) - 1);
	close(fd);
	if (len <= 0)
		return -1;
	stat[len] = '\0';
	/* the second field is a name in brackets and may hold anything */
	s = strrchr(stat, ')');
	for (int field = 2; s && field < START_FIELD; field++)
		s = strchr(s + 1, ' ');
	if (!s || pl_int_parse(s + 1, strcspn(s + 1, " "), 0, INT64_MAX, &start))
		return -1;
	return start;
}

int tb_proc_open(struct tb_proc proc)
{
	int fd = (int)syscall(SYS_pidfd_open, proc.pid, 0);

	if (fd < 0)
		return -1;
	/* had the number been reused before the open, this tells */
	if (tb_proc_start(proc.pid) != proc.start) {
		close(fd);
		return -1;
	}
	return fd;
}

int tb_proc_signal(int pidfd, int sig)
{
	return (int)syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0);
}

int tb_proc_wait(int pidfd, int timeout_ms)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	int n;

	do {
		n = poll(&p, 1, timeout_ms);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : -1;
}
