/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-outfile.c - outputs are there in full or not at all */
#include "config.h"

#include "base/text/outfile.h"
#include "base/text/path.h"
#include "tests/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything happens in a folder of its own, which is the current one. */
static char folder[] = "unit-outfile.XXXXXX";

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* What a file holds (up to 99 bytes); "" where there is none. */
static const char *get(const char *path, char buf[100])
{
	FILE *f = fopen(path, "r");
	const size_t len = f ? fread(buf, 1, 99, f) : 0;

	buf[len] = '\0';
	if (f)
		fclose(f);
	return buf;
}

static int count_files(void)
{
	DIR *dir = opendir(".");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n - 2; /* . and .. */
}

/* A file system that gives an unnamed file no name, while @why is not 0. */
static int why_no_name;
int __real_linkat(int, const char *, int, const char *, int);
int __wrap_linkat(int from_at, const char *from, int to_at, const char *to, int flags);
int __wrap_linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	if (!why_no_name)
		return __real_linkat(from_at, from, to_at, to, flags);
	errno = why_no_name;
	return -1;
}

/* Root may write anywhere: it becomes somebody else for the while. */
static void test_no_right(void)
{
	const bool root = geteuid() == 0;
	struct pl_outfile out;
	struct pl_err err = {0};
	int rc;

	if (mkdir("locked", 0500))
		abort();
	if (root && seteuid(65534)) {
		ok(true, "no right to write # SKIP nobody else to be");
	} else {
		rc = pl_outfile_open(&out, "locked/x", &err);
		if (root && seteuid(0))
			abort();
		ok(rc == -1 && err.code == PL_ESYSTEM, "no right to write");
		has_str(err.text, "locked/x: Permission denied", "says so");
	}
	rmdir("locked");
}

static void test_refused(void)
{
	struct pl_outfile out;
	struct pl_err err = {0};

	ok(pl_outfile_open(&out, "none/x", &err) == -1 && err.code == PL_ESYSTEM && !out.f &&
		   !out.path,
	   "a folder that is not there");
	has_str(err.text, "none/x: No such file", "says which and why");
	pl_outfile_abort(&out);
	ok(pl_outfile_open(&out, ".", &err) == -1 && err.code == PL_ESYSTEM,
	   "a folder instead of a file");
	test_no_right();
	is_int(count_files(), 0, "nothing is left");
}

static void test_commit(void)
{
	struct pl_outfile out;
	struct pl_err err = {0};
	struct stat st;
	char buf[100];
	const mode_t mask = umask(027);

	put("a", "old");
	chmod("a", 0604);
	is_int(pl_outfile_open(&out, "a", &err), 0, "opened");
	is_int(count_files(), 1, "under no name");
	fputs("new", out.f);
	fflush(out.f);
	is_str(get("a", buf), "old", "the old file until commit");
	is_int(pl_outfile_commit(&out, &err), 0, "committed");
	is_str(get("a", buf), "new", "the new one from then on");
	ok(stat("a", &st) == 0 && (st.st_mode & 0777) == 0604, "with the old one's mode");
	ok(!out.f && !out.path && !out.tmp, "which ends it");
	pl_outfile_abort(&out);
	is_int(count_files(), 1, "nothing else is left");
	unlink("a");
	ok(pl_outfile_open(&out, "a", &err) == 0 && pl_outfile_commit(&out, &err) == 0 &&
		   stat("a", &st) == 0 && (st.st_mode & 0777) == 0640,
	   "a new one has the mode that the mask gives");
	umask(mask);
	unlink("a");
}

/* What was computed is not lost for the name. */
static void test_no_name(void)
{
	static const int whys[] = {EPERM, EOPNOTSUPP, ENOENT};
	struct pl_outfile out;
	struct stat st;
	char buf[100];

	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++) {
		put("a", "old");
		chmod("a", 0604);
		pl_outfile_open(&out, "a", NULL);
		fputs("new", out.f);
		why_no_name = whys[i];
		ok(!pl_outfile_commit(&out, NULL), "no name for an unnamed file (%s)",
		   strerror(whys[i]));
		why_no_name = 0;
		is_str(get("a", buf), "new", "committed all the same");
		ok(stat("a", &st) == 0 && (st.st_mode & 0777) == 0604, "with the old one's mode");
		is_int(count_files(), 1, "nothing else is left");
		unlink("a");
	}
}

/* Synced, and the disk is not asked again: the other one may be full. */
static void test_sync(void)
{
	struct pl_outfile one, full;
	char buf[100];

	put("a", "old");
	pl_outfile_open(&one, "a", NULL);
	fputs("new", one.f);
	is_int(pl_outfile_sync(&one, NULL), 0, "synced");
	is_str(get("a", buf), "old", "the old file still");
	if (access("/dev/full", W_OK) == 0) {
		pl_outfile_open(&full, "/dev/full", NULL);
		fputs("new", full.f);
		ok(pl_outfile_sync(&full, NULL) == -1 && !full.f,
		   "what cannot be written fails there");
	}
	pl_outfile_abort(&one);
	is_str(get("a", buf), "old", "and the others can be left as they were");
	unlink("a");
}

/* Told before the work whose result goes there, not after it. */
static void test_try(void)
{
	char name[301];
	struct pl_outfile out;
	struct pl_err err = {0};

	memset(name, 'n', 300);
	name[300] = '\0';
	ok(pl_outfile_try(name, &err) == -1 && strstr(err.text, "File name too long"),
	   "too long a name");
	ok(pl_outfile_try("", NULL) == -1 && pl_outfile_open(&out, "", NULL) == -1,
	   "no name at all");
	ok(pl_outfile_try(".", &err) == -1 && strstr(err.text, "Is a directory"), "a folder");
	if (symlink("none/x", "l"))
		abort();
	is_int(pl_outfile_try("l", NULL), -1, "a link into no folder");
	unlink("l");
	is_int(pl_outfile_try("new", NULL), 0, "a new file");
	is_int(count_files(), 0, "which is not made");
	is_int(pl_outfile_try("/dev/null", NULL), 0, "a device");
}

/* The longest name there can be, twice: none beside it may be longer. */
static void test_long_name(void)
{
	struct pl_outfile out;
	char name[256], buf[100];

	memset(name, 'n', 255);
	name[255] = '\0';
	for (int i = 0; i < 2; i++)
		ok(!pl_outfile_open(&out, name, NULL) && fprintf(out.f, "%d", i) > 0 &&
			   !pl_outfile_commit(&out, NULL),
		   "a long name: written");
	is_str(get(name, buf), "1", "and replaced");
	unlink(name);
	is_int(count_files(), 0, "nothing else is left");
}

static void test_same(void)
{
	put("in", "x");
	if (symlink("in", "l") || link("in", "hard"))
		abort();
	ok(pl_same_file("l", "in"), "a link to a file is that file");
	ok(pl_same_file("hard", "./in"), "another name, too");
	ok(pl_same_file("new", "./new"), "one that is still to be made");
	if (symlink("new", "dangling"))
		abort();
	ok(pl_same_file("dangling", "new"), "a link to that one");
	unlink("dangling");
	ok(!pl_same_file("new", "in"), "another file is not");
	ok(!pl_same_file("-", "-"), "nor a pipe's other end");
	ok(!pl_same_file(NULL, "in"), "nor none");
	ok(!pl_same_file("/dev/null", "/dev/null"), "nor a device");
	unlink("in");
	unlink("l");
	unlink("hard");
}

static int write_arg(const void *arg, FILE *out, struct pl_err *err)
{
	fputs(arg, out);
	return strcmp(arg, "bad") ? 0 : pl_err_set(err, PL_EINPUT, "no");
}

static void test_write(void)
{
	struct pl_err err = {0};
	char buf[100];

	is_int(pl_outfile_write("a", write_arg, "good", &err), 0, "written");
	is_int(pl_outfile_write("a", write_arg, "bad", &err), -1, "the writer fails");
	is_str(err.text, "no", "its fault is told");
	is_str(get("a", buf), "good", "the old file stays");
	is_int(count_files(), 1, "nothing else is left");
	unlink("a");
}

static void test_abort(void)
{
	struct pl_outfile out = {0};
	char buf[100];

	pl_outfile_abort(&out);
	put("a", "old");
	is_int(pl_outfile_open(&out, "a", NULL), 0, "opened");
	fputs("new", out.f);
	pl_outfile_abort(&out);
	is_str(get("a", buf), "old", "abort: the old file stays");
	is_int(count_files(), 1, "nothing else is left");
	unlink("a");
	is_int(pl_outfile_open(&out, "b", NULL), 0, "opened");
	pl_outfile_abort(&out);
	is_int(count_files(), 0, "abort: no new file");
}

/* The place is taken by a folder while the file is being written. */
static void test_rename_fails(void)
{
	struct pl_outfile out;
	struct pl_err err = {0};

	is_int(pl_outfile_open(&out, "a", &err), 0, "opened");
	fputs("new", out.f);
	if (mkdir("a", 0700))
		abort();
	ok(pl_outfile_commit(&out, &err) == -1 && err.code == PL_ESYSTEM, "a rename that fails");
	is_int(count_files(), 1, "leaves nothing behind");
	rmdir("a");
}

static void test_full(void)
{
	struct pl_outfile out;
	struct pl_err err = {0};

	if (access("/dev/full", W_OK)) {
		ok(true, "a full device # SKIP no /dev/full");
		return;
	}
	is_int(pl_outfile_open(&out, "/dev/full", &err), 0, "a full device");
	fputs("new", out.f);
	ok(pl_outfile_commit(&out, &err) == -1 && err.code == PL_ESYSTEM && !out.f,
	   "is noticed at commit");
	has_str(err.text, "/dev/full: No space left", "says which and why");
}

static void test_special(void)
{
	struct pl_outfile out;
	struct stat st;
	char buf[100];
	ssize_t got;
	int fd;

	is_int(pl_outfile_open(&out, "/dev/null", NULL), 0, "/dev/null");
	fputs("x", out.f);
	is_int(pl_outfile_commit(&out, NULL), 0, "is written");
	ok(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "and remains what it is");
	if (mkfifo("p", 0600))
		abort();
	fd = open("p", O_RDONLY | O_NONBLOCK);
	ok(pl_outfile_open(&out, "p", NULL) == 0 && fputs("piped", out.f) > 0 &&
		   pl_outfile_commit(&out, NULL) == 0,
	   "a pipe");
	got = read(fd, buf, sizeof(buf));
	ok(got == 5 && memcmp(buf, "piped", 5) == 0, "is written as it is");
	close(fd);
	is_int(count_files(), 1, "nothing else is left");
	unlink("p");
}

static void test_links(void)
{
	struct pl_outfile out;
	struct stat st;
	char buf[100];

	put("a", "old");
	if (symlink("a", "l") || symlink("none", "dangling"))
		abort();
	ok(pl_outfile_open(&out, "l", NULL) == 0 && fputs("new", out.f) > 0 &&
		   pl_outfile_commit(&out, NULL) == 0,
	   "a link");
	ok(lstat("l", &st) == 0 && S_ISLNK(st.st_mode), "stays a link");
	is_str(get("a", buf), "new", "and its target is replaced");
	ok(pl_outfile_open(&out, "dangling", NULL) == 0 && fputs("new", out.f) > 0 &&
		   pl_outfile_commit(&out, NULL) == 0,
	   "a link to nowhere");
	ok(lstat("dangling", &st) == 0 && S_ISLNK(st.st_mode), "stays a link as well");
	is_str(get("none", buf), "new", "and its target is made");
	ok(pl_outfile_open_new(&out, "l", NULL) == 0 && fputs("mine", out.f) > 0 &&
		   pl_outfile_commit(&out, NULL) == 0,
	   "a link that is not to be followed");
	ok(lstat("l", &st) == 0 && S_ISREG(st.st_mode), "is replaced");
	is_str(get("a", buf), "new", "its target is left alone");
	ok(pl_outfile_open_new(&out, "none/x", NULL) == -1 && !out.path,
	   "nor a folder that is not there");
	unlink("a");
	unlink("l");
	unlink("dangling");
	unlink("none");
	if (symlink("b", "c") || symlink("c", "b"))
		abort();
	is_int(pl_outfile_open(&out, "b", NULL), -1, "links in a circle");
	unlink("b");
	unlink("c");
	is_int(count_files(), 0, "nothing else is left");
}

/* As in /tmp, where anybody may have left a link. */
static void test_strangers_link(void)
{
	struct pl_outfile out;
	struct pl_err err = {0};
	char buf[100];

	if (geteuid() != 0) {
		ok(true, "another user's link # SKIP cannot be made");
		return;
	}
	put("mine", "old");
	if (mkdir("tmp", 0700) || chmod("tmp", 01777) || symlink("../mine", "tmp/theirs") ||
	    symlink("../mine", "tmp/own") || lchown("tmp/theirs", 65534, 65534))
		abort();
	ok(pl_outfile_open(&out, "tmp/theirs", &err) == -1 && err.code == PL_ESYSTEM,
	   "another user's link where all may write");
	has_str(err.text, "tmp/theirs: another user's link", "says so");
	is_str(get("mine", buf), "old", "its target stays as it is");
	ok(pl_outfile_open(&out, "tmp/own", NULL) == 0 && pl_outfile_commit(&out, NULL) == 0,
	   "our own is followed");
	chmod("tmp", 0755);
	ok(pl_outfile_open(&out, "tmp/theirs", NULL) == 0 && pl_outfile_commit(&out, NULL) == 0,
	   "and theirs, where others may not write");
	unlink("tmp/theirs");
	unlink("tmp/own");
	rmdir("tmp");
	unlink("mine");
}

enum ending { COMMIT, ABORT };

/* In a child whose standard output is @stdout_path: its exit status is 0 where commit succeeds, 1
 * where it fails, 2 where opening does. */
static int write_stdout(const char *stdout_path, const char *path, enum ending ending)
{
	int status = -1;
	const pid_t pid = fork();

	if (pid == 0) {
		const int fd = open(stdout_path, O_WRONLY | O_CREAT, 0600);
		struct pl_outfile out;

		if (fd < 0 || dup2(fd, 1) < 0)
			_exit(3);
		if (pl_outfile_open(&out, path, NULL))
			_exit(2);
		fputs("new", out.f);
		fflush(out.f);
		if (ending == ABORT) {
			pl_outfile_abort(&out);
			_exit(0);
		}
		_exit(pl_outfile_commit(&out, NULL) ? 1 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void test_stdout(void)
{
	struct stat before, after;
	char buf[100];

	is_int(write_stdout("a", NULL, ABORT), 0, "standard output, aborted");
	is_str(get("a", buf), "", "nothing of it is seen");
	is_int(write_stdout("a", NULL, COMMIT), 0, "standard output");
	is_str(get("a", buf), "new", "all of it is seen");
	unlink("a");
	is_int(write_stdout("a", "-", COMMIT), 0, "\"-\"");
	is_str(get("a", buf), "new", "is standard output");
	unlink("a");
	if (access("/dev/full", W_OK) == 0)
		is_int(write_stdout("/dev/full", NULL, COMMIT), 1, "standard output is full");
	put("a", "");
	ok(stat("a", &before) == 0 && write_stdout("a", "/proc/self/fd/1", COMMIT) == 0 &&
		   stat("a", &after) == 0 && before.st_ino == after.st_ino,
	   "an open file's link is written, not replaced");
	is_str(get("a", buf), "new", "what was written");
	unlink("a");
	is_int(count_files(), 0, "nothing else is left");
}

int main(void)
{
	if (!mkdtemp(folder) || chdir(folder)) {
		perror(folder);
		return 99;
	}
	test_refused();
	test_commit();
	test_no_name();
	test_sync();
	test_try();
	test_long_name();
	test_same();
	test_abort();
	test_write();
	test_rename_fails();
	test_full();
	test_special();
	test_links();
	test_strangers_link();
	test_stdout();
	if (chdir("..") || rmdir(folder))
		ok(false, "the folder is empty: %s", strerror(errno));
	return done_testing();
}
