/* SPDX-License-Identifier: BSD-3-Clause */
/* relay-scene.h - a live plink-agent --relay, and what its coordinator says and
 * hears */
#ifndef PLINK_TESTS_PROBES_RELAY_SCENE_H
#define PLINK_TESTS_PROBES_RELAY_SCENE_H

#include "probes/launch/spawn.h"
#include "probes/protocol/control.h"
#include "probes/protocol/frames.h"
#include "tests/tap.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000 /* a hung relay fails the test instead of hanging it */
#define CHANNELS 8

/* What was heard of a command. */
struct heard {
	char out[4096], err[4096], failed[512]; /* the first of it */
	size_t n_out, n_err;                    /* bytes that were heard */
	bool out_ended, err_ended;
	bool has_status;
	int status; /* as waitpid() gives it */
	bool late;  /* something came after its status */
};

struct scene {
	struct pl_child relay;
	struct pl_frames frames;
	struct pl_outbox to;
	struct heard heard[CHANNELS];
	size_t n_over; /* commands that have sent a status */
	bool nonsense; /* something came that is no frame, or not for us */
	bool over;     /* nothing comes any more */
	char *said;    /* the relay's own errors; free() it */
	int exit;      /* its exit status, or 128 + the signal that ended it */
};

static struct scene scene; /* large */

static inline void keep(char *to, size_t size, size_t *n, const struct pl_frame *f)
{
	for (size_t i = 0; i < f->len; i++, (*n)++)
		if (*n + 1 < size)
			to[*n] = (char)f->data[i];
}

static inline void take(struct scene *s, const struct pl_frame *f)
{
	struct heard *h = &s->heard[f->channel % CHANNELS];
	size_t n = 0;

	s->n_over += f->kind == PL_FRAME_EXIT;
	if (f->channel >= CHANNELS)
		return;
	h->late = h->late || h->has_status;
	switch (f->kind) {
	case PL_FRAME_OUTPUT:
		keep(h->out, sizeof(h->out), &h->n_out, f);
		s->nonsense = s->nonsense || h->out_ended;
		h->out_ended = f->len == 0;
		break;
	case PL_FRAME_ERRORS:
		keep(h->err, sizeof(h->err), &h->n_err, f);
		s->nonsense = s->nonsense || h->err_ended;
		h->err_ended = f->len == 0;
		break;
	case PL_FRAME_FAILED:
		keep(h->failed, sizeof(h->failed), &n, f);
		break;
	default:
		h->has_status = !pl_frame_take_status(f, &h->status);
		s->nonsense = s->nonsense || !h->has_status;
	}
}

/* Sends what is queued and hears what there is, or what comes in time. False:
 * all is over, or nothing came. */
static inline bool hear(struct scene *s)
{
	struct pollfd p[2] = {{s->relay.out, POLLIN, 0}, {s->relay.in, POLLOUT, 0}};
	struct pl_frame frame;
	int have;

	if (s->over)
		return false;
	if (!pl_outbox_waiting(&s->to))
		p[1].fd = -1;
	if (poll(p, 2, PATIENCE_MS) <= 0)
		return ok(false, "the relay says something");
	if (p[1].revents && pl_outbox_flush(&s->to, s->relay.in, SIZE_MAX, false) < 0)
		pl_outbox_fini(&s->to); /* it takes no more */
	if (p[0].revents && pl_frames_fill(&s->frames, s->relay.out) == PL_FRAMES_END)
		s->over = true;
	while ((have = pl_frames_next(&s->frames, &frame)) > 0)
		take(s, &frame);
	s->nonsense = s->nonsense || have < 0;
	return true;
}

/* Hears until @what, an expression on what was heard, is true. */
#define HEAR_UNTIL(s, what)                                                                        \
	while (!(what) && hear(s))                                                                 \
		;

static inline void tell(struct scene *s, enum pl_frame_kind kind, uint16_t channel,
			const void *data, size_t len)
{
	if (pl_frame_put(&s->to, kind, channel, data, len))
		ok(false, "a frame has room");
}

/* Sends a command that runs @script; the script may use @arg as "$0". */
static inline void tell_script(struct scene *s, uint16_t channel, bool push, const char *script,
			       const char *arg)
{
	char *const argv[] = {(char *)"sh", (char *)"-c", (char *)script, (char *)arg, NULL};

	if (pl_frame_put_start(&s->to, channel, push, argv))
		ok(false, "a command has room");
}

/* Starts a relay and hears its greeting. This process becomes the parent of
 * processes whose parents end. */
static inline bool begin_with(struct scene *s, const char *option)
{
	const char *dir = getenv("builddir");
	char path[4096], line[PL_LINE_CHARS];
	char *argv[] = {path, (char *)"--relay", (char *)option, NULL};
	struct pl_lines lines = {0};
	struct pl_err err = {0};
	struct pl_msg msg = {.kind = PL_MSG_REST};
	char c;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	memset(s, 0, sizeof(*s));
	s->to.most = 64 << 20;
	s->exit = -1;
	snprintf(path, sizeof(path), "%s/plink-agent", dir ? dir : ".");
	if (pl_launch_spawn(&s->relay, argv, &err))
		return ok(false, "%s", err.text);
	/* a byte at a time, so that no frame is taken for a line */
	while (msg.kind != PL_MSG_RELAY) {
		struct pollfd p = {s->relay.out, POLLIN, 0};

		if (poll(&p, 1, PATIENCE_MS) <= 0 || read(s->relay.out, &c, 1) != 1)
			return ok(false, "the relay greets");
		pl_lines_put(&lines, &c, 1);
		if (pl_lines_next(&lines, line) <= 0 || !line[0])
			continue;
		if (pl_msg_parse(line, strlen(line), &msg) ||
		    (msg.kind == PL_MSG_HELLO && msg.protocol != PL_PROTOCOL))
			return ok(false, "a greeting: %s", line);
	}
	return true;
}

static inline bool begin(struct scene *s)
{
	return begin_with(s, NULL);
}

/* Closes one of the relay's pipes. */
static inline void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* What comes from @fd until its end, at most 4095 bytes. The caller frees
 * it. */
static inline char *hear_errors(int fd)
{
	char *text = calloc(1, 4096);
	size_t n = 0;
	ssize_t got = 1;

	while (text && n < 4095 && got > 0) {
		struct pollfd p = {fd, POLLIN, 0};

		if (poll(&p, 1, PATIENCE_MS) <= 0)
			break;
		got = read(fd, text + n, 4095 - n);
		n += got > 0 ? (size_t)got : 0;
	}
	return text;
}

/* Waits until no process is left, and tells whether that comes in time. All
 * processes that remain are our children by now. */
static inline bool is_alone(void)
{
	const struct timespec nap = {.tv_nsec = 10000000};
	pid_t pid = 0;

	for (int ms = 0; pid >= 0 && ms < PATIENCE_MS; ms += 10) {
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid == 0)
			nanosleep(&nap, NULL);
	}
	return pid < 0;
}

/* Hears the relay to its end and waits for it. Was all right, and is no process
 * left? */
static inline bool finish(struct scene *s)
{
	bool good = true;
	int status = 0;

	while (hear(s))
		;
	s->said = hear_errors(s->relay.err);
	alarm(PATIENCE_MS / 1000); /* should it not end */
	if (waitpid(s->relay.pid, &status, 0) == s->relay.pid)
		s->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	alarm(0);
	shut(&s->relay.in);
	shut(&s->relay.out);
	shut(&s->relay.err);
	for (size_t i = 0; i < CHANNELS; i++)
		good = good && !s->heard[i].late;
	pl_outbox_fini(&s->to);
	return is_alone() && good && !s->nonsense;
}

/* Closes the relay's input; the relay must then end with that status and leave
 * no process. */
static inline void end(struct scene *s, int status, const char *what)
{
	HEAR_UNTIL(s, pl_outbox_waiting(&s->to) == 0);
	shut(&s->relay.in);
	ok(finish(s), "%s: it ends, and nothing is left", what);
	is_int(s->exit, status, "with that status");
	free(s->said);
	s->said = NULL;
}

#endif
