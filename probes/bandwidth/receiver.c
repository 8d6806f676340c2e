/* SPDX-License-Identifier: BSD-3-Clause */
/* receiver.c - the end of a flow that listens, and reports its rate */
#include "config.h"

#include "base/clock.h"
#include "probes/bandwidth/flow-parts.h"
#include "probes/bandwidth/tcp.h"

#include <math.h>
#include <sys/socket.h>
#include <unistd.h>

/* A flow with a fixed duration is one of several that run together. Its rate is taken from the
 * middle of that time, when all flows have begun and none has ended: then the rates of the flows on
 * a shared link add up to the rate of the link, whichever of them began first. */
#define MIDDLE_FROM 0.5
#define MIDDLE_TO 0.9
#define LATER_HALF 0.5

/* A guest that has said who it is becomes a stream, any other one is sent
 * away. */
static void hear_guest(struct pl_flow *f, struct pl_stream *guest)
{
	struct pl_packet packet;
	const int heard = pl_flow_greeting(f, guest, PL_JOIN, &packet);

	if (heard == 0)
		return;
	if (heard > 0 && f->stream[packet.seq].fd < 0) {
		f->stream[packet.seq] = *guest;
		guest->fd = -1;
		return;
	}
	f->refused++;
	pl_flow_close(guest);
}

/* The connection that has been silent for longest has a last chance to identify itself. */
static void send_away_oldest(struct pl_flow *f)
{
	struct pl_stream *oldest = &f->guest[0];

	for (unsigned k = 1; k < PL_FLOW_GUESTS; k++)
		if (f->guest[k].number < oldest->number)
			oldest = &f->guest[k];
	hear_guest(f, oldest);
	if (oldest->fd < 0)
		return;
	f->refused++;
	pl_flow_close(oldest);
}

static struct pl_stream *find_place(struct pl_flow *f)
{
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		if (f->guest[k].fd < 0)
			return &f->guest[k];
	return NULL;
}

/* If all places are taken, a new connection replaces the one that has been silent for longest:
 * otherwise a few silent ones would keep the peer out. */
static void take_guests(struct pl_flow *f)
{
	for (unsigned i = 0; i < PL_FLOW_GUESTS; i++) {
		const int fd = pl_tcp_accept(f->listener, &f->addr, &f->refused);

		if (fd < 0)
			return;
		if (!find_place(f))
			send_away_oldest(f);
		*find_place(f) = (struct pl_stream){.fd = fd, .number = ++f->n_guests};
	}
}

static unsigned n_joined(const struct pl_flow *f)
{
	unsigned n = 0;

	for (unsigned k = 0; k < f->ask.n_streams; k++)
		n += f->stream[k].fd >= 0;
	return n;
}

static void join(struct pl_flow *f, int64_t now_ns)
{
	const unsigned want = f->ask.n_streams;

	take_guests(f);
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		if (f->guest[k].fd >= 0)
			hear_guest(f, &f->guest[k]);
	if (n_joined(f) < want) {
		if (now_ns >= f->deadline_ns)
			pl_flow_fail(f, "%u of %u TCP connections came within %g s", n_joined(f),
				     want, pl_flow_silence_s(f));
		return;
	}
	for (unsigned k = 0; k < PL_FLOW_GUESTS; k++)
		pl_flow_close(&f->guest[k]);
	close(f->listener);
	f->listener = -1;
	f->stage = PL_FLOW_WAITING;
}

/* Reads and drops what a stream has brought; its end closes it. */
static uint64_t drop(struct pl_flow *f, struct pl_stream *s)
{
	uint64_t bytes = 0;

	for (int i = 0; i < PL_FLOW_CHUNKS; i++) {
		const ssize_t got = recv(s->fd, f->bytes, PL_FLOW_CHUNK, MSG_TRUNC);

		if (got > 0) {
			bytes += (uint64_t)got;
			continue;
		}
		if (pl_flow_is_broken(got))
			pl_flow_close(s);
		break;
	}
	return bytes;
}

static uint64_t drop_all(struct pl_flow *f)
{
	uint64_t bytes = 0;

	for (unsigned k = 0; k < f->ask.n_streams; k++)
		if (f->stream[k].fd >= 0)
			bytes += drop(f, &f->stream[k]);
	return bytes;
}

static double shared_rate(const struct pl_flow *f, int64_t now_ns)
{
	const double limit = (double)f->ask.limit_ns;
	const int64_t from_ns = f->go_ns + (int64_t)(MIDDLE_FROM * limit);
	const int64_t to_ns = f->go_ns + (int64_t)(MIDDLE_TO * limit);

	if (now_ns < to_ns) /* it came to the end of its bytes */
		return pl_meter_rate(&f->meter, MIDDLE_FROM, MIDDLE_TO);
	return pl_meter_between(&f->meter, from_ns, to_ns);
}

/* The rate is known: closing our own, empty, direction tells the sender to stop. Bytes on their way
 * are waited for, so that they do not meet the next flow. */
static void finish(struct pl_flow *f, int64_t now_ns)
{
	const struct pl_meter *m = &f->meter;
	double rate;

	if (f->figures.settled)
		rate = pl_meter_settled_rate(m);
	else if (f->ask.settle_ppm > 0)
		rate = pl_meter_rate(m, LATER_HALF, 1);
	else
		rate = shared_rate(f, now_ns);
	/* nothing came then, for the others' sake, or all of it at once */
	if (rate < 1)
		rate = (double)m->bytes * 1e9 / (double)(now_ns - f->go_ns);
	f->figures.bytes = m->bytes;
	f->figures.ns = pl_meter_elapsed(m);
	f->figures.bytes_per_s = (uint64_t)llround(rate);
	if (f->figures.bytes_per_s == 0)
		pl_flow_fail(f, "too few bytes to measure a rate");
	for (unsigned k = 0; k < f->ask.n_streams; k++)
		if (f->stream[k].fd >= 0)
			shutdown(f->stream[k].fd, SHUT_WR);
	f->stage = PL_FLOW_DRAINING;
	f->deadline_ns = now_ns + f->ask.silence_ns;
}

static int64_t end_of_time(const struct pl_flow *f)
{
	return f->ask.limit_ns + (f->ask.settle_ppm > 0 ? f->meter.mark[0].at_ns : f->go_ns);
}

/* Has it had its time, or has nothing arrived for too long? */
static int64_t deadline(const struct pl_flow *f)
{
	const struct pl_meter *m = &f->meter;
	const int64_t limit = end_of_time(f);
	const int64_t silence = m->last_ns + f->ask.silence_ns;

	return limit < silence ? limit : silence;
}

static bool is_over(struct pl_flow *f, int64_t now_ns)
{
	const struct pl_meter *m = &f->meter;

	f->figures.settled = f->ask.settle_ppm > 0 &&
			     pl_meter_is_settled(m, f->ask.settle_ppm / (double)PL_FLOW_MILLION);
	return f->figures.settled || m->bytes >= f->ask.bytes_max ||
	       (m->n > 0 && now_ns >= end_of_time(f));
}

static void receive(struct pl_flow *f)
{
	const uint64_t bytes = drop_all(f);
	const int64_t now_ns = pl_clock_ns();

	if (bytes > 0) {
		pl_meter_add(&f->meter, now_ns, bytes);
		f->deadline_ns = deadline(f);
	}
	if (is_over(f, now_ns))
		finish(f, now_ns);
	else if (pl_flow_all_closed(f))
		pl_flow_fail(f, "the connection broke off");
	else if (now_ns >= f->deadline_ns)
		pl_flow_fail(f, "nothing came for %g s", pl_flow_silence_s(f));
}

static void drain(struct pl_flow *f, int64_t now_ns)
{
	drop_all(f);
	if (pl_flow_all_closed(f) || now_ns >= f->deadline_ns)
		f->stage = PL_FLOW_NONE;
}

void pl_flow_step_receiver(struct pl_flow *f, int64_t now_ns)
{
	if (f->stage == PL_FLOW_JOINING)
		join(f, now_ns);
	else if (f->stage == PL_FLOW_RUNNING)
		receive(f);
	/* the last bytes and the end may have come together */
	if (f->stage == PL_FLOW_DRAINING)
		drain(f, now_ns);
}
