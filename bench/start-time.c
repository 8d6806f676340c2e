/* SPDX-License-Identifier: BSD-3-Clause */
/* start-time.c - how long a program takes to start and end */
/* start-time TIMES [NAME=VALUE]... COMMAND...: with these in the environment; prints the ns of each
 * time. */
#include "config.h"

#include "base/clock.h"
#include "base/text/number.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMES_MAX 1000000

/* The command's environment; NULL when memory runs out. */
static char **environment(char **extra, size_t n_extra)
{
	size_t n = 0;
	char **all;

	while (environ[n])
		n++;
	all = calloc(n + n_extra + 1, sizeof(*all));
	if (!all)
		return NULL;
	/* of two the first counts */
	memcpy(all, extra, n_extra * sizeof(*all));
	memcpy(all + n_extra, environ, n * sizeof(*all));
	return all;
}

/* 0, or what the command ended with. */
static int run(char **command, char **env)
{
	const int64_t start_ns = pl_clock_ns();
	int64_t end_ns;
	int status = 0;
	pid_t pid;

	errno = posix_spawnp(&pid, command[0], NULL, NULL, command, env);
	if (errno) {
		perror(command[0]);
		return 127;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	end_ns = pl_clock_ns();
	printf("%" PRId64 "\n", end_ns - start_ns);
	return status;
}

int main(int argc, char **argv)
{
	int at = 2, status = 0;
	int64_t times;
	char **env;

	while (at < argc && strchr(argv[at], '='))
		at++;
	if (at >= argc || pl_int_parse(argv[1], strlen(argv[1]), 1, TIMES_MAX, &times)) {
		fputs("usage: start-time TIMES [NAME=VALUE]... COMMAND...\n", stderr);
		return 2;
	}
	env = environment(argv + 2, (size_t)at - 2);
	if (!env)
		return 4;
	for (int64_t i = 0; i < times && status == 0; i++)
		status = run(argv + at, env);
	free(env);
	return status ? 1 : 0;
}
