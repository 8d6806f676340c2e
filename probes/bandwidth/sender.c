/* SPDX-License-Identifier: BSD-3-Clause */
/* sender.c - the end of a flow that connects, and sends until it is told to stop */
#include "config.h"

#include "probes/bandwidth/flow-parts.h"
#include "probes/bandwidth/tcp.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static void join_by(struct pl_flow *f, uint32_t k)
{
	struct pl_stream *s = &f->stream[k];
	int why;
	const int status = pl_tcp_is_connected(s->fd, &why);

	if (status < 0)
		pl_flow_fail(f, "cannot connect: %s", strerror(why));
	else if (status > 0 && pl_flow_greet(f, s->fd, PL_JOIN, k))
		pl_flow_fail(f, "its peer closed the connection");
	else
		s->connected = status > 0;
}

static void join(struct pl_flow *f, int64_t now_ns)
{
	bool all = true;

	for (unsigned k = 0; k < f->ask.n_streams; k++) {
		if (!f->stream[k].connected)
			join_by(f, k);
		all = all && f->stream[k].connected;
	}
	if (all)
		f->stage = PL_FLOW_WAITING;
	else if (now_ns >= f->deadline_ns)
		pl_flow_fail(f, "no answer to a TCP connection within %g s", pl_flow_silence_s(f));
}

/* The receiver has ended the flow, or is gone: its own report tells which. */
static void leave(struct pl_flow *f, struct pl_stream *s)
{
	f->figures.resent += pl_tcp_resent(s->fd);
	pl_flow_close(s);
}

/* Is the stream let go now? */
static void hear(struct pl_flow *f, struct pl_stream *s, int64_t now_ns)
{
	struct pl_packet packet;
	const int heard = pl_flow_greeting(f, s, PL_GO, &packet);

	if (heard < 0 && f->stage == PL_FLOW_WAITING) {
		pl_flow_fail(f, "its peer closed the connection");
	} else if (heard < 0) {
		leave(f, s);
	} else if (heard > 0) {
		s->let_go = true;
		if (f->stage == PL_FLOW_WAITING)
			f->deadline_ns = now_ns + f->ask.limit_ns + 3 * f->ask.silence_ns;
		f->stage = PL_FLOW_RUNNING;
	}
}

/* The receiver sends nothing after the go: whatever arrives is the end. */
static bool has_ended(const struct pl_stream *s)
{
	uint8_t byte;
	const ssize_t got = recv(s->fd, &byte, 1, 0);

	return got > 0 || pl_flow_is_broken(got);
}

static void send_some(struct pl_flow *f, struct pl_stream *s)
{
	for (int i = 0; i < PL_FLOW_CHUNKS; i++) {
		const uint64_t left = f->ask.bytes_max - f->figures.bytes;
		const size_t len = left < PL_FLOW_CHUNK ? left : PL_FLOW_CHUNK;
		ssize_t put;

		if (len == 0) {
			s->shut = true;
			shutdown(s->fd, SHUT_WR);
			return;
		}
		put = send(s->fd, f->bytes, len, MSG_NOSIGNAL);
		if (put <= 0)
			return; /* has_ended() will see the error */
		f->figures.bytes += (uint64_t)put;
	}
}

static void run(struct pl_flow *f, int64_t now_ns)
{
	for (unsigned k = 0; k < f->ask.n_streams; k++) {
		struct pl_stream *s = &f->stream[k];

		if (s->fd < 0)
			continue;
		if (!s->let_go) {
			hear(f, s, now_ns);
		} else if (has_ended(s)) {
			leave(f, s);
			continue;
		}
		if (s->fd >= 0 && s->let_go && !s->shut)
			send_some(f, s);
	}
	if (pl_flow_all_closed(f))
		f->stage = PL_FLOW_NONE;
	else if (f->stage == PL_FLOW_RUNNING && now_ns >= f->deadline_ns)
		pl_flow_fail(f, "its peer did not end the flow");
}

void pl_flow_step_sender(struct pl_flow *f, int64_t now_ns)
{
	if (f->stage == PL_FLOW_JOINING)
		join(f, now_ns);
	else
		run(f, now_ns);
}
