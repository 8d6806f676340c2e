/* SPDX-License-Identifier: BSD-3-Clause */
/* head-use.c - runs a command; notes what it takes, and what the processes it starts do */
/* head-use [--sample] FILE COMMAND...: appends a line to FILE: seconds from start to end; of the
 * processor in the command itself; in its children, and in those that they have waited for. With
 * --sample also the most that it had at any time of: processes, its children and itself; open
 * descriptors of its own; KiB of memory of its own; KiB of it and its children, pages that several
 * share being shared out. "-": not ours to read. Ends as the command does. */
#include "config.h"

#include "base/clock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)
#define NAP_NS (50 * MS)
/* looking at children takes no more than this part of a processor */
#define NAPS 20

/* Of one look, or the most of all. -1: unknown. */
struct look {
	long processes, descriptors, own_kib, all_kib;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* The parent of a process, by what follows its name, which may hold anything; 0: it is gone. */
static long parent(long pid)
{
	char path[64], text[512];
	const char *end;
	long ppid = 0;
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end, ") %*c %ld", &ppid) != 1)
		return 0;
	return ppid;
}

/* 0 for who is gone, -1 for who may not be asked. */
static long memory_kib(long pid)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/smaps_rollup", pid);
	f = fopen(path, "re");
	if (!f)
		return errno == EACCES || errno == EPERM ? -1 : 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss: %ld", &kib) == 1)
			break;
	fclose(f);
	return kib;
}

static long n_descriptors(long pid)
{
	const struct dirent *entry;
	char path[64];
	long n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%ld/fd", pid);
	dir = opendir(path);
	if (!dir)
		return errno == EACCES || errno == EPERM ? -1 : 0;
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void add_child(struct look *look, long pid)
{
	const long kib = memory_kib(pid);

	look->processes++;
	look->all_kib = kib < 0 || look->all_kib < 0 ? -1 : look->all_kib + kib;
}

static void look_at_children(struct look *look, long pid)
{
	const struct dirent *entry;
	DIR *dir = opendir("/proc");

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		const long other = isdigit((unsigned char)entry->d_name[0])
					   ? strtol(entry->d_name, NULL, 10)
					   : 0;

		if (other > 0 && parent(other) == pid)
			add_child(look, other);
	}
	closedir(dir);
}

static long more(long a, long b)
{
	return a > b ? a : b;
}

/* With its children, if so. */
static void take_most(struct look *most, long pid, bool children)
{
	struct look look = {
		.processes = 1,
		.descriptors = n_descriptors(pid),
		.own_kib = memory_kib(pid),
	};

	look.all_kib = look.own_kib;
	if (children)
		look_at_children(&look, pid);
	most->processes = more(most->processes, look.processes);
	most->descriptors = more(most->descriptors, look.descriptors);
	most->own_kib = more(most->own_kib, look.own_kib);
	most->all_kib = more(most->all_kib, look.all_kib);
}

/* Waits so long for a child to end: true, and it is left to be waited for. */
static bool has_ended(const sigset_t *signals, pid_t pid, int64_t ns)
{
	const struct timespec nap = {.tv_sec = ns / S, .tv_nsec = ns % S};
	siginfo_t info = {0};

	if (ns < 0)
		sigwaitinfo(signals, NULL);
	else
		sigtimedwait(signals, NULL, &nap);
	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) && info.si_pid == pid;
}

/* Ours. */
static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return S * t.tv_sec + t.tv_nsec;
}

/* Looks now and then; at its children when their time has come. */
static void look_until_it_ends(const sigset_t *signals, pid_t pid, bool sample, struct look *most)
{
	int64_t due_ns = 0;

	while (!has_ended(signals, pid, sample ? NAP_NS : -1)) {
		const int64_t begun_ns = cpu_ns();
		const bool is_due = pl_clock_ns() >= due_ns;

		take_most(most, pid, is_due);
		if (is_due)
			due_ns = pl_clock_ns() + NAPS * (cpu_ns() - begun_ns);
	}
}

/* Of a process that has ended and was not waited for. */
static int own_cpu(pid_t pid, double *s)
{
	struct timespec t;
	clockid_t id;

	errno = clock_getcpuclockid(pid, &id);
	if (errno || clock_gettime(id, &t))
		return -1;
	*s = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	return 0;
}

static void print_known(FILE *f, long value)
{
	if (value < 0)
		fputs(" -", f);
	else
		fprintf(f, " %ld", value);
}

static int note(const char *path, double wall, double own, double children, const struct look *most)
{
	FILE *f = fopen(path, "ae");

	if (!f) {
		perror(path);
		return -1;
	}
	fprintf(f, "%.6f %.6f %.6f", wall, own, children > 0 ? children : 0);
	if (most) {
		print_known(f, most->processes);
		print_known(f, most->descriptors);
		print_known(f, most->own_kib);
		print_known(f, most->all_kib);
	}
	fputc('\n', f);
	if (fclose(f)) {
		perror(path);
		return -1;
	}
	return 0;
}

/* As the command ended; 4 when something is wrong here. */
static int watch(const char *path, const sigset_t *signals, pid_t pid, bool sample,
		 int64_t start_ns)
{
	struct look most = {-1, -1, -1, -1};
	struct rusage used;
	double own, wall;
	int status;

	if (sample)
		take_most(&most, pid, true);
	look_until_it_ends(signals, pid, sample, &most);
	wall = (double)(pl_clock_ns() - start_ns) / 1e9;
	if (own_cpu(pid, &own)) {
		perror("head-use: processor time");
		return 4;
	}
	if (wait4(pid, &status, 0, &used) != pid)
		return 4;
	if (note(path, wall, own, seconds(used.ru_utime) + seconds(used.ru_stime) - own,
		 sample ? &most : NULL))
		return 4;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int spawn(pid_t *pid, char **command, const sigset_t *mask)
{
	posix_spawnattr_t attr;
	int error = posix_spawnattr_init(&attr);

	if (error)
		return error;
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, mask);
	error = posix_spawnp(pid, command[0], NULL, &attr, command, environ);
	posix_spawnattr_destroy(&attr);
	return error;
}

int main(int argc, char **argv)
{
	const bool sample = argc > 1 && !strcmp(argv[1], "--sample");
	char **rest = argv + 1 + sample;
	sigset_t child, before;
	int64_t start_ns;
	pid_t pid;

	if (argc < 3 + sample) {
		fputs("usage: head-use [--sample] FILE COMMAND...\n", stderr);
		return 2;
	}
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	start_ns = pl_clock_ns();
	errno = spawn(&pid, rest + 1, &before);
	if (errno) {
		perror(rest[1]);
		return 127;
	}
	return watch(rest[0], &child, pid, sample, start_ns);
}
