/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - the directory by which commands find a running testbed */
#include "config.h"

#include "tests/testbed/state.h"

#include "tests/testbed/cpu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Claims race with other claims, removals and the blink of an eye in which somebody asks whether
 * the daemon lives. */
#define CLAIM_TRIES 50
#define CLAIM_PAUSE_NS 10000000
#define LOCK_TRIES 500

#define END_TIMEOUT_MS 10000

bool tb_prefix_is_good(const char *prefix)
{
	const size_t len = strlen(prefix);

	return len > 0 && len <= TB_PREFIX_MAX && prefix[0] != '-' &&
	       strspn(prefix, "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
		       len;
}

const char *tb_state_prefix(const struct tb_state *state)
{
	return strrchr(state->path, '/') + 1;
}

static void set_path(struct tb_state *state, const char *prefix)
{
	snprintf(state->path, sizeof(state->path), TB_ROOT "/%s", prefix);
}

/* Is the directory we hold still the one at the path? */
static bool is_current(const struct tb_state *state)
{
	struct stat held, named;

	return !fstat(state->dirfd, &held) && !stat(state->path, &named) &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* 1: locked; 0: somebody has it or it went away, try again; -1: @err. */
static int try_claim(struct tb_state *state, struct pl_err *err)
{
	if ((mkdir(TB_ROOT, 0755) && errno != EEXIST) ||
	    (mkdir(state->path, 0700) && errno != EEXIST && errno != ENOENT))
		return pl_err_errno(err, "cannot make %s", state->path);
	state->dirfd = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (state->dirfd < 0 && errno == ENOENT)
		return 0;
	if (state->dirfd < 0)
		return pl_err_errno(err, "cannot open %s", state->path);
	if (flock(state->dirfd, LOCK_EX | LOCK_NB) == 0 && is_current(state))
		return 1;
	tb_state_close(state);
	return 0;
}

static int empty(const struct tb_state *state)
{
	const int copy = openat(state->dirfd, ".", O_RDONLY | O_CLOEXEC);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	struct dirent *e;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			unlinkat(state->dirfd, e->d_name, 0);
	closedir(dir);
	return 0;
}

/* Is there a process that is known to be the daemon, and not on its way out? */
static bool has_daemon(const char *prefix)
{
	struct tb_proc daemon;
	struct tb_state state;
	bool found = false;
	int pidfd;

	if (tb_state_open(&state, prefix, NULL))
		return false;
	if (!tb_state_get_daemon(&state, &daemon, NULL)) {
		pidfd = tb_proc_open(daemon);
		found = pidfd >= 0 && tb_proc_wait(pidfd, 0);
		if (pidfd >= 0)
			close(pidfd);
	}
	tb_state_close(&state);
	return found;
}

int tb_state_claim(struct tb_state *state, const char *prefix, struct pl_err *err)
{
	const struct timespec pause = {.tv_nsec = CLAIM_PAUSE_NS};
	int claimed = 0;

	set_path(state, prefix);
	for (int i = 0; i < LOCK_TRIES && !claimed; i++) {
		if (i >= CLAIM_TRIES && has_daemon(prefix))
			break;
		claimed = try_claim(state, err);
		if (!claimed)
			nanosleep(&pause, NULL);
	}
	if (claimed < 0)
		return -1;
	if (!claimed)
		return pl_err_set(err, PL_EPARTIAL, "a testbed with the prefix \"%s\" is up",
				  prefix);
	if (tb_state_end_hosts(state, err)) {
		tb_state_close(state);
		return -1;
	}
	tb_cpu_release(prefix);
	empty(state);
	return 0;
}

int tb_state_open(struct tb_state *state, const char *prefix, struct pl_err *err)
{
	set_path(state, prefix);
	state->dirfd = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (state->dirfd >= 0)
		return 0;
	if (errno == ENOENT)
		return pl_err_set(err, PL_EPARTIAL, "no testbed with the prefix \"%s\" is up",
				  prefix);
	return pl_err_errno(err, "cannot open %s", state->path);
}

bool tb_state_is_alive(const struct tb_state *state)
{
	/* a lock belongs to one opening: ours must not be one that holds it */
	int fd = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool alive;

	if (fd < 0)
		return false;
	alive = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return alive;
}

int tb_state_lock(const struct tb_state *state, struct pl_err *err)
{
	const struct timespec pause = {.tv_nsec = CLAIM_PAUSE_NS};

	for (int i = 0; i < LOCK_TRIES && is_current(state); i++) {
		if (flock(state->dirfd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	if (is_current(state))
		pl_err_set(err, PL_ESYSTEM,
			   "its daemon cannot be seen from here; call this outside");
	return -1;
}

void tb_state_close(struct tb_state *state)
{
	if (state->dirfd >= 0)
		close(state->dirfd);
	state->dirfd = -1;
}

void tb_state_remove(const struct tb_state *state)
{
	tb_cpu_release(tb_state_prefix(state));
	empty(state);
	rmdir(state->path);
	rmdir(TB_ROOT); /* stays while there are others */
}

int tb_state_share(const struct tb_state *state, struct pl_err *err)
{
	return fchmod(state->dirfd, 0755) ? pl_err_errno(err, "cannot share %s", state->path) : 0;
}

int tb_state_put(const struct tb_state *state, const char *name, const char *text,
		 struct pl_err *err)
{
	const size_t len = strlen(text);
	char tmp[64];
	int fd;

	snprintf(tmp, sizeof(tmp), "%s.new", name);
	fd = openat(state->dirfd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len) {
		pl_err_errno(err, "cannot write %s/%s", state->path, name);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	close(fd);
	if (renameat(state->dirfd, tmp, state->dirfd, name))
		return pl_err_errno(err, "cannot write %s/%s", state->path, name);
	return 0;
}

const char *tb_state_socket(const struct tb_state *state, size_t host, char buf[TB_SOCKET_PATH_MAX])
{
	snprintf(buf, TB_SOCKET_PATH_MAX, "%s/exec.%zu", state->path, host);
	return buf;
}

int tb_state_end_hosts(const struct tb_state *state, struct pl_err *err)
{
	struct tb_host *host = NULL;
	size_t n;
	int ret = 0;

	/* a testbed that died young has no such file, and no hosts */
	if (tb_state_get_hosts(state, &host, &n, NULL))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const int fd = tb_proc_open(host[i].init);

		if (fd < 0)
			continue;
		tb_proc_signal(fd, SIGKILL);
		if (tb_proc_wait(fd, END_TIMEOUT_MS))
			ret = pl_err_set(err, PL_ESYSTEM, "host %s does not end", host[i].name);
		close(fd);
	}
	free(host);
	return ret;
}
