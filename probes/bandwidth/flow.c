/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c - an agent's end of a flow: from the first connection to its
 * figures */
#include "config.h"

#include "probes/bandwidth/flow.h"

#include "probes/bandwidth/flow-parts.h"
#include "probes/bandwidth/tcp.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool pl_flow_is_broken(ssize_t got)
{
	return got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void pl_flow_fail(struct pl_flow *f, const char *fmt, ...)
{
	va_list ap;

	if (f->why[0])
		return;
	va_start(ap, fmt);
	vsnprintf(f->why, sizeof(f->why), fmt, ap);
	va_end(ap);
}

int pl_flow_greeting(const struct pl_flow *f, struct pl_stream *s, enum pl_direction wanted,
		     struct pl_packet *packet)
{
	const ssize_t got = recv(s->fd, s->said + s->n_said, sizeof(s->said) - s->n_said, 0);

	if (got <= 0)
		return pl_flow_is_broken(got) ? -1 : 0;
	s->n_said += (size_t)got;
	if (s->n_said < sizeof(s->said))
		return 0;
	if (pl_packet_parse_stream(packet, s->said, sizeof(s->said), f->run->key) ||
	    packet->direction != wanted || packet->run != f->run->run ||
	    packet->round != f->round || packet->src != f->peer || packet->dst != f->run->self ||
	    packet->seq >= f->ask.n_streams)
		return -1;
	return 1;
}

int pl_flow_greet(const struct pl_flow *f, int fd, enum pl_direction what, uint32_t seq)
{
	const struct pl_packet packet = {
		.direction = what,
		.round = f->round,
		.seq = seq,
		.run = f->run->run,
		.src = f->run->self,
		.dst = f->peer,
	};
	uint8_t out[PL_PACKET_BYTES];

	pl_packet_format(out, &packet, f->run->key);
	/* a new connection has room for it */
	return send(fd, out, sizeof(out), MSG_NOSIGNAL) == (ssize_t)sizeof(out) ? 0 : -1;
}

void pl_flow_close(struct pl_stream *s)
{
	if (s->fd >= 0)
		pl_tcp_abort(s->fd);
	s->fd = -1;
}

bool pl_flow_all_closed(const struct pl_flow *f)
{
	for (unsigned k = 0; k < f->ask.n_streams; k++)
		if (f->stream[k].fd >= 0)
			return false;
	return true;
}

void pl_flow_end(struct pl_flow *f)
{
	if (f->stage == PL_FLOW_NONE)
		return;
	for (unsigned k = 0; k < PL_STREAMS_MAX; k++)
		pl_flow_close(&f->stream[k]);
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		pl_flow_close(&f->guest[k]);
	if (f->listener >= 0)
		close(f->listener);
	free(f->bytes);
	*f = (struct pl_flow){.refused = f->refused};
}

static void begin(struct pl_flow *f, const struct pl_flow_run *run, const struct pl_msg *msg,
		  int64_t now_ns)
{
	pl_flow_end(f);
	*f = (struct pl_flow){
		.stage = PL_FLOW_JOINING,
		.sends = msg->kind == PL_MSG_SEND,
		.run = run,
		.round = msg->round,
		.peer = msg->peer,
		.addr = msg->addr,
		.ask = msg->ask,
		.listener = -1,
		.deadline_ns = now_ns + msg->ask.silence_ns,
		.refused = f->refused,
	};
	for (unsigned k = 0; k < PL_STREAMS_MAX; k++)
		f->stream[k].fd = -1;
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		f->guest[k].fd = -1;
	f->bytes = malloc(PL_FLOW_CHUNK);
	if (!f->bytes)
		pl_flow_fail(f, "out of memory");
	else if (f->sends) /* bytes that cannot be compressed on the way */
		randombytes_buf(f->bytes, PL_FLOW_CHUNK);
}

static void answer(const struct pl_flow *f, enum pl_msg_kind kind, struct pl_msg *msg)
{
	*msg = (struct pl_msg){
		.kind = kind,
		.round = f->round,
		.peer = f->peer,
		.flow = f->figures,
		.refused = f->refused,
	};
	memcpy(msg->text, f->why, sizeof(msg->text));
}

void pl_flow_receive(struct pl_flow *f, const struct pl_flow_run *run, const struct pl_msg *msg,
		     int64_t now_ns, struct pl_msg *to_tell)
{
	struct pl_err err = {0};
	int port = 0;

	begin(f, run, msg, now_ns);
	if (!f->why[0])
		f->listener =
			pl_tcp_listen(&run->addr, run->ports.min, run->ports.max, &port, &err);
	if (!f->why[0] && f->listener < 0)
		pl_flow_fail(f, "%.120s", err.text);
	answer(f, f->why[0] ? PL_MSG_JOINED : PL_MSG_LISTENING, to_tell);
	to_tell->port[0] = port;
	to_tell->n_ports = 1;
	if (f->why[0])
		pl_flow_end(f);
}

void pl_flow_send(struct pl_flow *f, const struct pl_flow_run *run, const struct pl_msg *msg,
		  int64_t now_ns)
{
	struct pl_err err = {0};

	begin(f, run, msg, now_ns);
	for (unsigned k = 0; k < f->ask.n_streams && !f->why[0]; k++) {
		f->stream[k].fd = pl_tcp_connect(&run->addr, run->ports.min, run->ports.max,
						 &msg->addr, msg->port[0], &err);
		if (f->stream[k].fd < 0)
			pl_flow_fail(f, "%.120s", err.text);
	}
}

int pl_flow_go(struct pl_flow *f, uint16_t round, int64_t now_ns)
{
	if (f->stage != PL_FLOW_WAITING || f->sends || f->round != round)
		return -1;
	f->stage = PL_FLOW_RUNNING;
	f->go_ns = now_ns;
	f->deadline_ns = now_ns + f->ask.silence_ns;
	pl_meter_init(&f->meter, f->ask.limit_ns, pl_tcp_rtt_ns(f->stream[0].fd));
	for (uint32_t k = 0; k < f->ask.n_streams; k++)
		if (pl_flow_greet(f, f->stream[k].fd, PL_GO, k))
			pl_flow_fail(f, "its peer closed the connection");
	return 0;
}

/* Has the flow reached a state that the coordinator must know? */
static bool tell(struct pl_flow *f, enum pl_flow_stage before, struct pl_msg *msg)
{
	if (f->why[0] || f->stage == PL_FLOW_NONE) {
		const bool joining = before == PL_FLOW_JOINING;

		answer(f, joining ? PL_MSG_JOINED : PL_MSG_FLOWED, msg);
		f->stage = before; /* so that all is closed */
		pl_flow_end(f);
		return true;
	}
	if (before != PL_FLOW_JOINING || f->stage != PL_FLOW_WAITING)
		return false;
	answer(f, PL_MSG_JOINED, msg);
	return true;
}

bool pl_flow_step(struct pl_flow *f, int64_t now_ns, struct pl_msg *msg)
{
	const enum pl_flow_stage before = f->stage;

	if (before == PL_FLOW_NONE)
		return false;
	if (!f->why[0] && f->sends)
		pl_flow_step_sender(f, now_ns);
	else if (!f->why[0])
		pl_flow_step_receiver(f, now_ns);
	return tell(f, before, msg);
}

static short events_of(const struct pl_flow *f, const struct pl_stream *s)
{
	if (f->sends && f->stage == PL_FLOW_JOINING)
		return s->connected ? 0 : POLLOUT;
	if (f->sends && f->stage == PL_FLOW_RUNNING && s->let_go && !s->shut)
		return POLLIN | POLLOUT;
	return POLLIN;
}

unsigned pl_flow_poll(const struct pl_flow *f, struct pollfd *fds)
{
	unsigned n = 0;

	if (f->stage == PL_FLOW_NONE)
		return 0;
	if (f->listener >= 0)
		fds[n++] = (struct pollfd){f->listener, POLLIN, 0};
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		if (f->guest[k].fd >= 0)
			fds[n++] = (struct pollfd){f->guest[k].fd, POLLIN, 0};
	/* a receiver that waits leaves what comes where it is */
	if (!f->sends && f->stage == PL_FLOW_WAITING)
		return n;
	for (unsigned k = 0; k < f->ask.n_streams; k++)
		if (f->stream[k].fd >= 0 && events_of(f, &f->stream[k]))
			fds[n++] = (struct pollfd){f->stream[k].fd, events_of(f, &f->stream[k]), 0};
	return n;
}

int64_t pl_flow_wake(const struct pl_flow *f)
{
	if (f->stage == PL_FLOW_NONE)
		return INT64_MAX;
	if (f->why[0])
		return 0;
	if (f->stage == PL_FLOW_WAITING)
		return INT64_MAX; /* the coordinator has the word */
	return f->deadline_ns;
}
