/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.c - lines of a file that grows, or of a pipe, as they come */
#include "config.h"

#include "planner/srift/watch/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void pl_follow_init(struct pl_follow *f, const char *path, const struct pl_journal_place *place)
{
	*f = (struct pl_follow){
		.path = path,
		.fd = -1,
		.place = *place,
		.lines = {.file = path && strcmp(path, "-") ? path : "stdin"},
	};
}

static void close_it(struct pl_follow *f)
{
	if (f->fd > STDIN_FILENO)
		close(f->fd);
	f->fd = -1;
	f->len = f->used = 0;
	f->lines = (struct pl_progress_lines){.file = f->lines.file};
}

void pl_follow_fini(struct pl_follow *f)
{
	close_it(f);
	f->path = NULL;
}

/* Goes on where a former watch stopped, if it is the same file. */
static int begin_file(struct pl_follow *f, const struct stat *st, struct pl_err *err)
{
	if (f->place.inode != (uint64_t)st->st_ino || f->place.offset > (uint64_t)st->st_size)
		f->place.offset = 0;
	f->place.inode = (uint64_t)st->st_ino;
	f->offset = f->place.offset;
	if (lseek(f->fd, (off_t)f->offset, SEEK_SET) < 0)
		return pl_err_errno(err, "cannot read %s", f->path);
	return 0;
}

static int open_it(struct pl_follow *f, struct pl_err *err)
{
	struct stat st;

	if (strcmp(f->path, "-") == 0) {
		f->fd = STDIN_FILENO;
		f->pipe = true;
		return 0;
	}
	if (stat(f->path, &st)) {
		if (errno == ENOENT)
			return 0;
		return pl_err_errno(err, "cannot read %s", f->path);
	}
	f->pipe = S_ISFIFO(st.st_mode);
	if (!f->pipe && !S_ISREG(st.st_mode))
		return pl_err_set(err, PL_EUSAGE, "%s: neither a file nor a named pipe", f->path);
	/* a pipe that we could write to has no end when its writers go */
	f->fd = open(f->path, (f->pipe ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (f->fd < 0 || fstat(f->fd, &st))
		return pl_err_errno(err, "cannot read %s", f->path);
	if (f->pipe != S_ISFIFO(st.st_mode))
		return pl_err_set(err, PL_ESYSTEM, "%s: it was replaced", f->path);
	return f->pipe ? 0 : begin_file(f, &st, err);
}

/* At the end of the file: is it still the file of that name, and as long? */
static void look_for_another(struct pl_follow *f)
{
	struct stat st;

	if (f->pipe || stat(f->path, &st))
		return;
	if ((uint64_t)st.st_ino == f->place.inode && (uint64_t)st.st_size >= f->offset)
		return;
	close_it(f);
	f->place = (struct pl_journal_place){0};
}

/* Other processes may have our standard input open, too: it is not made non-blocking, which would
 * affect them. */
static bool would_wait(const struct pl_follow *f)
{
	struct pollfd p = {.fd = f->fd, .events = POLLIN};

	return f->fd == STDIN_FILENO && poll(&p, 1, 0) <= 0;
}

/* 1: there is something in buf; 0: nothing now; -1 */
static int fill(struct pl_follow *f, struct pl_err *err)
{
	ssize_t got;

	if (f->fd < 0 && (f->ended || open_it(f, err)))
		return f->ended ? 0 : -1;
	if (f->fd < 0 || would_wait(f))
		return 0;
	got = read(f->fd, f->buf, sizeof(f->buf));
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (got < 0)
		return pl_err_errno(err, "cannot read %s", f->lines.file);
	f->used = 0;
	f->len = (size_t)got;
	f->offset += (uint64_t)got;
	if (got > 0)
		return 1;
	if (f->fd == STDIN_FILENO) {
		f->ended = true;
		close_it(f);
	} else {
		look_for_another(f);
	}
	return 0;
}

int pl_follow_next(struct pl_follow *f, struct pl_said *p, struct pl_err *err)
{
	int status = 0, rc;

	if (!f->path)
		return 0;
	while (status == 0) {
		if (f->used == f->len && (rc = fill(f, err)) <= 0)
			return rc;
		f->used += pl_progress_feed(&f->lines, f->buf + f->used, f->len - f->used, p,
					    &status, err);
		if (status && !f->pipe)
			f->place.offset = f->offset - (f->len - f->used);
	}
	return status;
}

int pl_beats_look(struct pl_beats *beats, const char *dir, struct pl_nodes *nodes, double now_s)
{
	char path[4096];
	struct stat st;

	if (beats->n < nodes->n) {
		struct timespec *more = realloc(beats->seen, nodes->n * sizeof(*more));

		if (!more)
			return -1;
		memset(more + beats->n, 0, (nodes->n - beats->n) * sizeof(*more));
		beats->seen = more;
		beats->n = nodes->n;
	}
	for (size_t i = 0; i < nodes->n; i++) {
		struct pl_node *node = &nodes->node[i];
		struct timespec *seen = &beats->seen[i];

		if (node->state != PL_NODE_UP ||
		    snprintf(path, sizeof(path), "%s/%s", dir, node->name) >= (int)sizeof(path) ||
		    stat(path, &st) ||
		    (st.st_mtim.tv_sec == seen->tv_sec && st.st_mtim.tv_nsec == seen->tv_nsec))
			continue;
		*seen = st.st_mtim;
		node->beat_s = now_s;
	}
	return 0;
}

void pl_beats_fini(struct pl_beats *beats)
{
	free(beats->seen);
	*beats = (struct pl_beats){0};
}
