/* SPDX-License-Identifier: BSD-3-Clause */
/* relay.c - starts agents on other hosts for a head node and carries their
 * messages */
#include "config.h"

#include "probes/relay/relay.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stop.h"
#include "probes/protocol/control.h"
#include "probes/protocol/frames.h"
#include "probes/protocol/silence.h"
#include "probes/relay/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define S INT64_C(1000000000)
#define WRITE_BYTES 4096 /* what a pipe that can be written takes at once */
#define OUT_MOST ((size_t)16 << 20)
#define OUT_FULL ((size_t)64 << 10) /* no more is read while so much waits */

enum { FD_IN, FD_OUT, FD_FIRST }; /* then three for each channel */

/* The file of the running program, to be sent on. */
struct program {
	const uint8_t *data; /* [len]; NULL: not mapped yet */
	size_t len;
};

struct relay {
	const struct pl_relay_options *options;
	struct pl_frames frames;
	struct pl_outbox out;
	struct pl_channel *v; /* [n], by number */
	size_t n, room;
	struct pollfd *fds; /* [FD_FIRST + 3 room] */
	size_t turn;        /* the channel that is read first */
	struct program own;
	struct pl_silence silence; /* the coordinator's */
	bool ended;                /* nothing is asked any more */
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int no_room(struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM, "out of memory, or nobody reads the output");
}

/* Channels up to @number are there. */
static int reach(struct relay *r, uint16_t number, struct pl_err *err)
{
	struct pollfd *fds;

	if (number >= PL_RELAY_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "more than %d commands", PL_RELAY_HOSTS_MAX);
	while (r->n <= number) {
		if (pl_array_grow((void **)&r->v, &r->room, r->n, sizeof(*r->v)))
			return pl_err_nomem(err);
		pl_channel_init(&r->v[r->n], (uint16_t)r->n);
		r->n++;
	}
	fds = realloc(r->fds, (FD_FIRST + 3 * r->room) * sizeof(*fds));
	if (!fds)
		return pl_err_nomem(err);
	r->fds = fds;
	pl_child_allow(r->n);
	return 0;
}

/* Maps the running program's own file, even if it has no name any more. */
static int map_program(struct program *program, struct pl_err *err)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;

	if (fd < 0)
		return pl_err_errno(err, "cannot read the file of the running program");
	data = fstat(fd, &st) ? MAP_FAILED
			      : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return pl_err_errno(err, "cannot read the file of the running program");
	program->data = data;
	program->len = (size_t)st.st_size;
	return 0;
}

static int start(struct relay *r, const struct pl_frame *frame, struct pl_err *err)
{
	struct pl_frame_start what;
	int status;

	if (frame->channel < r->n && r->v[frame->channel].state != PL_CHANNEL_NEW)
		return pl_err_set(err, PL_EINPUT, "a command started twice");
	if (reach(r, frame->channel, err))
		return -1;
	if (pl_frame_take_start(frame, &what))
		return pl_err_set(err, PL_EINPUT, "not a command");
	if (what.push && !r->own.data && map_program(&r->own, err)) {
		free(what.text);
		return -1;
	}
	status = pl_channel_start(&r->v[frame->channel], what.argv, what.push ? r->own.data : NULL,
				  what.push ? r->own.len : 0, &r->out);
	free(what.text);
	return status ? no_room(err) : 0;
}

static int send_signal(struct pl_channel *c, const struct pl_frame *frame, struct pl_err *err)
{
	if (frame->len != 1 || (frame->data[0] != SIGTERM && frame->data[0] != SIGKILL))
		return pl_err_set(err, PL_EINPUT, "not a signal to be sent");
	pl_channel_signal(c, frame->data[0]);
	return 0;
}

static int obey(struct relay *r, const struct pl_frame *frame, int64_t now_ns, struct pl_err *err)
{
	struct pl_channel *c;

	if (frame->kind == PL_FRAME_START)
		return start(r, frame, err);
	if (frame->channel >= r->n || r->v[frame->channel].state == PL_CHANNEL_NEW)
		return pl_err_set(err, PL_EINPUT, "a frame for a command that was not started");
	c = &r->v[frame->channel];
	switch (frame->kind) {
	case PL_FRAME_INPUT:
		return pl_channel_put(c, frame->data, frame->len, now_ns, &r->out) ? no_room(err)
										   : 0;
	case PL_FRAME_CLOSE:
		pl_channel_close(c, now_ns);
		return 0;
	case PL_FRAME_SIGNAL:
		return send_signal(c, frame, err);
	default:
		return pl_err_set(err, PL_EINPUT, "not for a relay");
	}
}

static int take_frames(struct relay *r, int64_t now_ns, struct pl_err *err)
{
	const enum pl_frames_got got = pl_frames_fill(&r->frames, r->options->in);
	struct pl_frame frame;
	int have;

	if (got == PL_FRAMES_END)
		r->ended = true;
	if (got == PL_FRAMES_DATA)
		pl_silence_break(&r->silence, now_ns);
	while ((have = pl_frames_next(&r->frames, &frame)) > 0)
		if (obey(r, &frame, now_ns, err))
			return -1;
	return have < 0 ? pl_err_set(err, PL_EINPUT, "not a frame") : 0;
}

static bool is_full(const struct relay *r)
{
	return pl_outbox_waiting(&r->out) >= OUT_FULL;
}

/* One channel's pipes, of those that poll() has found ready. */
static int serve_channel(struct relay *r, size_t k, int64_t now_ns)
{
	const struct pollfd *fd = r->fds + FD_FIRST + 3 * k;
	struct pl_channel *c = &r->v[k];

	if (fd[0].revents)
		pl_channel_write(c);
	if (is_full(r))
		return 0;
	if (fd[1].revents && pl_channel_read(c, now_ns, &r->out))
		return -1;
	return fd[2].revents ? pl_channel_read_errors(c, &r->out) : 0;
}

/* Each channel comes first in its turn, so that none waits for ever behind one
 * that never falls silent. */
static int serve_channels(struct relay *r, size_t n, int64_t now_ns, struct pl_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (serve_channel(r, (r->turn + i) % n, now_ns))
			return no_room(err);
	r->turn = n > 0 ? (r->turn + 1) % n : 0;
	for (size_t k = 0; k < r->n; k++) {
		/* last words wait, too; one that is closed has none */
		if (is_full(r) && !r->v[k].closed)
			continue;
		if (pl_channel_step(&r->v[k], now_ns, &r->out))
			return no_room(err);
	}
	return 0;
}

/* What to wait for, and until when; the number of channels in it. */
static size_t list(struct relay *r, int64_t now_ns, struct timespec *wait)
{
	const bool full = is_full(r);
	const bool waiting = pl_outbox_waiting(&r->out) > 0;
	int64_t wake = now_ns + PL_SILENCE_LOOK_NS;

	r->fds[FD_IN] = (struct pollfd){r->ended ? -1 : r->options->in, POLLIN, 0};
	r->fds[FD_OUT] = (struct pollfd){waiting ? r->options->out : -1, POLLOUT, 0};
	for (size_t k = 0; k < r->n; k++) {
		const struct pl_channel *c = &r->v[k];
		struct pollfd *fd = r->fds + FD_FIRST + 3 * k;
		const int64_t look = pl_channel_wake(c, now_ns);

		fd[0] = (struct pollfd){pl_channel_has_input(c) ? c->child.in : -1, POLLOUT, 0};
		fd[1] = (struct pollfd){full ? -1 : c->child.out, POLLIN, 0};
		fd[2] = (struct pollfd){full ? -1 : c->child.err, POLLIN, 0};
		if (look < wake)
			wake = look;
	}
	*wait = (struct timespec){
		.tv_sec = (time_t)((wake - now_ns) / S),
		.tv_nsec = (long)((wake - now_ns) % S),
	};
	return r->n;
}

/* Waits once and serves what came. */
static int serve(struct relay *r, const sigset_t *open, struct pl_err *err)
{
	int64_t now = pl_clock_ns();
	struct timespec wait;
	const size_t n = list(r, now, &wait);

	if (ppoll(r->fds, (nfds_t)(FD_FIRST + 3 * n), &wait, open) < 0) {
		if (errno != EINTR)
			return pl_err_errno(err, "ppoll");
		return 0;
	}
	now = pl_clock_ns();
	if (r->fds[FD_OUT].revents &&
	    pl_outbox_flush(&r->out, r->options->out, WRITE_BYTES, true) < 0)
		r->ended = true;
	if (serve_channels(r, n, now, err))
		return -1;
	return r->fds[FD_IN].revents ? take_frames(r, now, err) : 0;
}

static bool is_any_live(const struct relay *r)
{
	for (size_t k = 0; k < r->n; k++)
		if (r->v[k].state == PL_CHANNEL_LIVE)
			return true;
	return false;
}

/* Says what it is; a launcher may have written before, without an end of
 * line. */
static int greet(struct relay *r)
{
	struct pl_msg msg = {.kind = PL_MSG_HELLO, .protocol = PL_PROTOCOL};
	char line[PL_LINE_CHARS];
	size_t len;

	snprintf(msg.text, sizeof(msg.text), "%s", PACKAGE_VERSION);
	len = pl_msg_format(&msg, line);
	if (pl_outbox_put(&r->out, "\n", 1) || pl_outbox_put(&r->out, line, len))
		return -1;
	msg.kind = PL_MSG_RELAY;
	len = pl_msg_format(&msg, line);
	return pl_outbox_put(&r->out, line, len);
}

static int loop(struct relay *r, const sigset_t *open, struct pl_err *err)
{
	pl_silence_break(&r->silence, pl_clock_ns());
	if (reach(r, 0, err))
		return -1;
	if (greet(r))
		return no_room(err);
	while (!r->ended && !stopped) {
		if (pl_silence_look(&r->silence, pl_clock_ns()) >= r->options->patience_ns)
			return pl_err_set(err, PL_ESYSTEM, "no word from the coordinator for %g s",
					  (double)r->options->patience_ns / (double)S);
		if (serve(r, open, err))
			return -1;
	}
	/* a coordinator that still listens must learn the reason */
	return r->ended ? 0 : pl_err_set(err, PL_ESYSTEM, "ended by a signal");
}

/* Ends all that was started: at once after a signal. */
static void finish(struct relay *r)
{
	const int64_t now = pl_clock_ns();
	const struct timespec nap = {.tv_nsec = 5000000};

	for (size_t k = 0; k < r->n; k++)
		pl_channel_close(&r->v[k], stopped ? now - PL_CHANNEL_TERM_NS : now);
	while (is_any_live(r)) {
		/* who might have read of their ends does not */
		pl_outbox_fini(&r->out);
		for (size_t k = 0; k < r->n; k++)
			pl_channel_step(&r->v[k], pl_clock_ns(), &r->out);
		if (is_any_live(r))
			nanosleep(&nap, NULL);
	}
}

/* They come only while we wait. */
static void hear_signals(sigset_t *open)
{
	sigset_t shut;

	sigemptyset(&shut);
	sigaddset(&shut, SIGTERM);
	sigaddset(&shut, SIGINT);
	sigaddset(&shut, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &shut, open);
	stopped = 0;
	pl_stop_on_signals(stop);
}

int pl_relay_run(const struct pl_relay_options *options, struct pl_err *err)
{
	struct relay *r = pl_array_create(1, sizeof(*r));
	sigset_t open;
	int status;

	if (!r)
		return pl_err_nomem(err);
	r->options = options;
	r->out.most = OUT_MOST;
	hear_signals(&open);
	status = loop(r, &open, err);
	finish(r);
	for (size_t k = 0; k < r->n; k++)
		pl_channel_fini(&r->v[k]);
	pthread_sigmask(SIG_SETMASK, &open, NULL);
	pl_frames_fini(&r->frames);
	pl_outbox_fini(&r->out);
	if (r->own.data)
		munmap((void *)r->own.data, r->own.len);
	free(r->fds);
	free(r->v);
	free(r);
	return status;
}
