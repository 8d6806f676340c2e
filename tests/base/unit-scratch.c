/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-scratch.c - files for other programs: in the first folder that can */
#include "config.h"

#include "base/text/scratch.h"
#include "tests/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* No file can be made below these; of the others, @last is where one was. */
static const char *refused[4];
static char last[256];

int __real_mkostemp(char *name, int flags);
int __wrap_mkostemp(char *name, int flags);
int __wrap_mkostemp(char *name, int flags)
{
	for (size_t i = 0; refused[i]; i++)
		if (!strncmp(name, refused[i], strlen(refused[i]))) {
			errno = EROFS;
			return -1;
		}
	snprintf(last, sizeof(last), "%s", name);
	return __real_mkostemp(name, flags);
}

static FILE *text(const char *s)
{
	FILE *f = pl_scratch_memory();

	if (!f || fputs(s, f) < 0)
		abort();
	return f;
}

/* As a child sees it, by cat(1). */
static const char *seen(const char *path, char buf[100])
{
	char command[300];
	size_t len = 0;
	FILE *p;

	snprintf(command, sizeof(command), "cat '%s'", path);
	p = popen(command, "r");
	if (p)
		len = fread(buf, 1, 99, p);
	buf[len] = '\0';
	if (p)
		pclose(p);
	return buf;
}

/* Shares a text; it must be in @folder, whole, and gone afterwards. */
static void check(const char *folder, const char *what)
{
	struct pl_scratch_shared shared = {0};
	char buf[100], path[300] = "";

	is_int(pl_scratch_share(&shared, "unit", text("two\nlines\n")), 0, what);
	if (shared.path)
		snprintf(path, sizeof(path), "%s", shared.path);
	ok(!strncmp(path, folder, strlen(folder)), "in %s (%s)", folder, path);
	is_str(seen(path, buf), "two\nlines\n", "a child reads all of it");
	pl_scratch_unshare(&shared);
	ok(!shared.path && access(path, F_OK), "and it is gone");
}

/* As where the disk is full: a file is made and takes nothing. */
static void test_full(void)
{
	struct rlimit limit, none = {0};
	struct pl_scratch_shared shared = {0};
	FILE *f = text("x");
	char buf[100];
	int rc;

	signal(SIGXFSZ, SIG_IGN);
	if (fflush(f) || getrlimit(RLIMIT_FSIZE, &limit))
		abort();
	none.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &none); /* not while a result is printed */
	rc = pl_scratch_share(&shared, "unit", f);
	setrlimit(RLIMIT_FSIZE, &limit);
	is_int(rc, 0, "nothing can be written");
	ok(access(last, F_OK), "what was begun is removed");
	is_str(seen(shared.path, buf), "x", "and it stays in memory");
	pl_scratch_unshare(&shared);
}

int main(void)
{
	struct pl_scratch_shared none = {0};

	setenv("TMPDIR", ".", 1);
	check("./unit.", "TMPDIR");
	setenv("TMPDIR", "/proc/nowhere", 1);
	check("/tmp/unit.", "no TMPDIR");
	refused[0] = "/tmp/";
	if (access("/dev/shm", W_OK))
		ok(true, "# SKIP no /dev/shm");
	else
		check("/dev/shm/unit.", "nor /tmp");
	refused[1] = "/dev/shm/";
	check("/proc/", "nor /dev/shm");
	unsetenv("TMPDIR");
	check("/proc/", "TMPDIR is not set");
	refused[0] = NULL;
	test_full();
	pl_scratch_unshare(&none);
	return done_testing();
}
