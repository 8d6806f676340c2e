/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - how much a TCP connection has under way at once */
#include "config.h"

#include "predict/play.h"

#include "base/mem.h"

#include <math.h>

/* Linux: a timeout is the round trip and at least 200 ms (tcp_rto_min). */
#define TIMEOUT_LEAST_S 0.2

/* Linux: what a card takes at once (gso_max_size), how long a burst is meant to last
 * (sk_pacing_shift), windows in a round trip (tcp_pacing_ss_ratio), and by how much longer a round
 * trip halves what its being short adds (tcp_tso_rtt_log). */
#define BURST_MAX_BYTES 65536.0
#define BURST_S (1.0 / 1024)
#define PACING_GAIN 2
#define NEAR_S 512e-6

bool pl_tcp_has_window(const struct pl_play *y)
{
	return y->protocol->first_window_bytes > 0;
}

static double base_round_trip_s(const struct pl_connection *c)
{
	return c->there.latency_s + c->back.latency_s;
}

/* Linux: what goes out in a millisecond at the pace of two windows in a round trip, more where
 * round trips are short; two segments at least, at most what a card takes (tcp_tso_autosize). */
double pl_tcp_burst(const struct pl_play *y, const struct pl_connection *c)
{
	const double base_s = base_round_trip_s(c);
	const double round_trip_s = c->round_trip_s > 0 ? c->round_trip_s : base_s;
	double bytes = c->near_bytes;

	if (!pl_tcp_has_window(y) || !(round_trip_s > 0))
		return BURST_MAX_BYTES;
	bytes += BURST_S * (y->bbr ? y->bbr[c - y->connection].pace_bytes_per_s
				   : PACING_GAIN * c->window_bytes / round_trip_s);
	return fmin(fmax(bytes, 2 * PL_TCP_SEGMENT_BYTES), BURST_MAX_BYTES);
}

/* A silence of more than a timeout halves the window for each of them. */
void pl_tcp_wake(struct pl_play *y, uint32_t connection, double now_s)
{
	struct pl_connection *c = &y->connection[connection];
	const double timeout_s = base_round_trip_s(c) + TIMEOUT_LEAST_S;
	const double first = y->protocol->first_window_bytes;
	double quiet_s = now_s - c->quiet_s;

	if (c->under_way_bytes > 0)
		return;
	for (; quiet_s > timeout_s && c->window_bytes > first; quiet_s -= timeout_s)
		c->window_bytes /= 2;
	c->window_bytes = fmax(c->window_bytes, first);
}

static void widen_by_rate(struct pl_play *y, struct pl_connection *c,
			  const struct pl_played_packet *packet)
{
	const struct pl_bbr_ack ack = {
		.sent = &packet->bbr,
		.bytes = packet->bytes,
		.sent_s = packet->sent_s,
		.known_s = packet->known_s,
		.under_way_bytes = c->under_way_bytes,
		.burst_bytes = pl_tcp_burst(y, c),
	};

	c->window_bytes = fmin(
		pl_bbr_acknowledged(&y->bbr[c - y->connection], &ack, c->window_bytes, &y->rng),
		y->protocol->last_window_bytes);
}

/* Slow start: as nothing is lost, each byte acknowledged widens the window by one, as long as it is
 * made use of. */
void pl_tcp_acknowledged(struct pl_play *y, const struct pl_played_packet *packet)
{
	struct pl_connection *c = &y->connection[packet->connection];
	const double round_trip_s = packet->known_s - packet->sent_s;

	if (!y->bbr && 2 * c->under_way_bytes >= c->window_bytes)
		c->window_bytes =
			fmin(c->window_bytes + packet->bytes, y->protocol->last_window_bytes);
	c->under_way_bytes = fmax(c->under_way_bytes - packet->bytes, 0);
	if (y->bbr)
		widen_by_rate(y, c, packet);
	c->quiet_s = packet->known_s;
	c->round_trip_s = c->round_trip_s > 0
				  ? c->round_trip_s + (round_trip_s - c->round_trip_s) / 8
				  : round_trip_s;
}

/* What a burst has in addition where the round trip is short. */
static double near_bytes(const struct pl_connection *c)
{
	return BURST_MAX_BYTES * exp2(-floor(base_round_trip_s(c) / NEAR_S));
}

int pl_tcp_init(struct pl_play *y)
{
	for (size_t i = 0; i < y->n_connections; i++)
		y->connection[i].near_bytes = near_bytes(&y->connection[i]);
	if (!pl_tcp_has_window(y) || y->net->congestion != PL_CONGESTION_BBR)
		return 0;
	y->bbr = pl_array_create(y->n_connections, sizeof(*y->bbr));
	for (size_t i = 0; y->bbr && i < y->n_connections; i++)
		pl_bbr_init(&y->bbr[i], y->protocol->first_window_bytes,
			    base_round_trip_s(&y->connection[i]));
	return y->bbr ? 0 : -1;
}
