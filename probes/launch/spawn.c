/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c - a command becomes a process with pipes */
#include "config.h"

#include "probes/launch/spawn.h"

#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define N_PIPES 3 /* of a child */
#define SPARE_DESCRIPTORS 64

enum { IN_READ, IN_WRITE, OUT_READ, OUT_WRITE, ERR_READ, ERR_WRITE, N_ENDS };

static void close_ends(int ends[N_ENDS])
{
	for (size_t i = 0; i < N_ENDS; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

/* All close-on-exec; our three ends without blocking. */
static int open_ends(int ends[N_ENDS])
{
	static const size_t ours[] = {IN_WRITE, OUT_READ, ERR_READ};

	for (size_t i = 0; i < N_ENDS; i++)
		ends[i] = -1;
	for (size_t i = 0; i < N_ENDS; i += 2)
		if (pipe2(ends + i, O_CLOEXEC))
			return -1;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (fcntl(ends[ours[i]], F_SETFL, O_NONBLOCK))
			return -1;
	return 0;
}

void pl_child_allow(size_t n)
{
	const rlim_t need = N_PIPES * n + SPARE_DESCRIPTORS;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= need)
		return;
	files.rlim_cur = need < files.rlim_max ? need : files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

int pl_launch_spawn(struct pl_child *child, char *const argv[], struct pl_err *err)
{
	int ends[N_ENDS];

	if (open_ends(ends)) {
		pl_err_errno(err, "cannot create a pipe%s",
			     errno == EMFILE ? " beyond ulimit -Hn" : "");
		close_ends(ends);
		return -1;
	}
	errno = pl_spawn(&(struct pl_spawn){.argv = argv,
					    .fd = {ends[IN_READ], ends[OUT_WRITE], ends[ERR_WRITE]},
					    .own_group = true},
			 &child->pid);
	if (errno) {
		pl_err_errno(err, "cannot start %s (--launch sets the command that reaches hosts)",
			     argv[0]);
		close_ends(ends);
		return -1;
	}
	child->in = ends[IN_WRITE];
	child->out = ends[OUT_READ];
	child->err = ends[ERR_READ];
	close(ends[IN_READ]);
	close(ends[OUT_WRITE]);
	close(ends[ERR_WRITE]);
	return 0;
}

void pl_child_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int pl_child_push(int fd, const uint8_t **data, size_t *len)
{
	while (*len > 0) {
		const ssize_t put = write(fd, *data, *len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
		*data += put;
		*len -= (size_t)put;
	}
	return 0;
}
