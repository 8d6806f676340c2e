/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.c - runs a command and notes the processor time that it took */
/* usage FILE COMMAND...: appends to FILE a line: seconds in the program, in the kernel, and from
 * start to end; then times it gave the processor up, and times it was taken. Ends as the command
 * does. */
#include "config.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* One write, so that lines of several do not mix. */
static int note(const char *path, const struct rusage *used, int64_t wall_ns)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	char line[128];
	const int len = snprintf(line, sizeof(line), "%.6f %.6f %.6f %ld %ld\n",
				 seconds(used->ru_utime), seconds(used->ru_stime),
				 (double)wall_ns / 1e9, used->ru_nvcsw, used->ru_nivcsw);

	if (fd < 0 || write(fd, line, (size_t)len) != len) {
		perror(path);
		return -1;
	}
	return close(fd);
}

int main(int argc, char **argv)
{
	struct rusage used;
	int64_t start_ns;
	int status;
	pid_t pid;

	if (argc < 3) {
		fputs("usage: usage FILE COMMAND...\n", stderr);
		return 2;
	}
	start_ns = pl_clock_ns();
	errno = posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ);
	if (errno) {
		perror(argv[2]);
		return 127;
	}
	while (wait4(pid, &status, 0, &used) < 0)
		if (errno != EINTR)
			return 4;
	if (note(argv[1], &used, pl_clock_ns() - start_ns))
		return 4;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
