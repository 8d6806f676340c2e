/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - how a TCP connection takes up a message */
#include "config.h"

#include "predict/play.h"

#include <math.h>

/* Linux: a timeout is the round trip and at least 200 ms (tcp_rto_min). */
#define TIMEOUT_LEAST_S 0.2

/* What a pair has of its own, and what the slowest link on its way leaves it. */
static double pair_rate(const struct pl_play *y, size_t src, size_t dst)
{
	const struct pl_network *net = y->net;

	return net->bytes_per_s ? y->protocol->rate_share *
					  net->bytes_per_s[src * net->n + dst]
				: INFINITY;
}

static double path_rate(const struct pl_play *y, size_t src, size_t dst)
{
	const struct pl_network *net = y->net;
	const double share = y->protocol->rate_share;
	double rate = pair_rate(y, src, dst);

	if (net->nic_bytes_per_s > 0)
		rate = fmin(rate, share * net->nic_bytes_per_s);
	if (net->uplink_bytes_per_s > 0 && net->rack[src] != net->rack[dst])
		rate = fmin(rate, share * net->uplink_bytes_per_s);
	return rate;
}

/* A silence of more than a timeout halves the window for each of them. */
static void cool_down(struct pl_connection *c, double first_bytes, double rtt_s,
		      double now_s)
{
	const double timeout_s = rtt_s + TIMEOUT_LEAST_S;
	double quiet_s = now_s - c->quiet_s;

	for (; quiet_s > timeout_s && c->window_bytes > first_bytes;
	     quiet_s -= timeout_s)
		c->window_bytes /= 2;
	c->window_bytes = fmax(c->window_bytes, first_bytes);
}

/* Slow start: a window a round trip, each twice the last, until they follow one
 * another without a gap. Gives what all gaps add up to. As nothing is lost, each
 * byte beyond the window widens it by one. */
static double slow_start(struct pl_connection *c, double bytes,
			 double last_bytes, double rate, double rtt_s)
{
	double window = c->window_bytes, sent = 0, gaps_s = 0;

	while (sent + window < bytes && window < rate * rtt_s) {
		gaps_s += rtt_s - window / rate;
		sent += window;
		window *= 2;
	}
	if (bytes > c->window_bytes)
		c->window_bytes = fmin(c->window_bytes + bytes, last_bytes);
	return gaps_s;
}

struct pl_take_up pl_play_take_up(struct pl_play *y, uint32_t connection,
				  const struct pl_parcel *parcel, double now_s)
{
	const struct pl_network *net = y->net;
	struct pl_connection *c = &y->connection[connection];
	const size_t src = y->host_at[c->src], dst = y->host_at[c->dst];
	const double rtt_s = net->latency_s[src * net->n + dst] +
			     net->latency_s[dst * net->n + src];
	const double first_bytes = y->protocol->first_window_bytes;
	const double last_bytes = y->protocol->last_window_bytes;
	struct pl_take_up t = {.cap = pair_rate(y, src, dst),
			       .bound = PL_BY_PAIR};

	if (first_bytes > 0) {
		cool_down(c, first_bytes, rtt_s, now_s);
		t.wait_s = slow_start(c, parcel->bytes, last_bytes,
				      path_rate(y, src, dst), rtt_s);
		if (last_bytes / rtt_s < t.cap) {
			t.cap = last_bytes / rtt_s;
			t.bound = PL_BY_TCP;
		}
	}
	return t;
}
