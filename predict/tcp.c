/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - how a TCP connection takes up a message */
#include "config.h"

#include "predict/play.h"

#include <math.h>

/* RFC 6928: ten segments to begin with; Linux: no timeout below 200 ms. */
#define FIRST_WINDOW_BYTES (10 * 1448.0)
#define TIMEOUT_S 0.2

/* What the slowest link that the pair's data pass leaves them, were they alone. */
static struct pl_take_up path_rate(const struct pl_play *y, size_t src,
				   size_t dst)
{
	const struct pl_network *net = y->net;
	struct pl_take_up t = {.cap = INFINITY, .bound = PL_BY_PAIR};

	if (net->bytes_per_s)
		t.cap = net->bytes_per_s[src * net->n + dst];
	if (net->nic_bytes_per_s > 0 && net->nic_bytes_per_s < t.cap) {
		t.cap = net->nic_bytes_per_s;
		t.bound = PL_BY_NIC;
	}
	if (net->uplink_bytes_per_s > 0 && net->rack[src] != net->rack[dst] &&
	    net->uplink_bytes_per_s < t.cap) {
		t.cap = net->uplink_bytes_per_s;
		t.bound = PL_BY_UPLINK;
	}
	t.cap *= y->protocol->rate_share;
	return t;
}

/* A silence of more than a timeout halves the window for each of them. */
static void cool_down(struct pl_connection *c, double now_s)
{
	double quiet_s = now_s - c->quiet_s;

	for (; quiet_s > TIMEOUT_S && c->window_bytes > FIRST_WINDOW_BYTES;
	     quiet_s -= TIMEOUT_S)
		c->window_bytes /= 2;
	c->window_bytes = fmax(c->window_bytes, FIRST_WINDOW_BYTES);
}

/* Slow start: a window a round trip, each twice the last, until they follow one
 * another without a gap. Gives what all gaps add up to. */
static double slow_start(struct pl_connection *c, double bytes, double rate,
			 double rtt_s)
{
	double sent = 0, gaps_s = 0;

	while (sent + c->window_bytes < bytes &&
	       c->window_bytes < rate * rtt_s) {
		gaps_s += rtt_s - c->window_bytes / rate;
		sent += c->window_bytes;
		c->window_bytes *= 2;
	}
	return gaps_s;
}

/*
 * BBR (Linux, tcp_bbr.c) paces at 2.89 times the best rate it has seen. S bytes
 * that follow a silence arrive over the round trip R and the time they were paced
 * over, S / pace: so its best rate is S / (R + S / pace), and where both hold the
 * pace is 1.89 S / R; S is the most it has sent between two silences. A first
 * window goes at once. Gives what pacing costs.
 */
#define BBR_PACE 1.89

static double pacing(struct pl_connection *c, double bytes, double rate,
		     double rtt_s, double now_s)
{
	const bool was_silent = now_s - c->quiet_s > rtt_s;
	const double rest = bytes - FIRST_WINDOW_BYTES;
	double pace;

	c->burst_bytes = was_silent ? bytes : c->burst_bytes + bytes;
	c->most_bytes = fmax(c->most_bytes, c->burst_bytes);
	pace = BBR_PACE * c->most_bytes / rtt_s;
	return was_silent && rest > 0 && pace < rate ? rest / pace - rest / rate
						     : 0;
}

struct pl_take_up pl_play_take_up(struct pl_play *y, uint32_t connection,
				  const struct pl_parcel *parcel, double now_s)
{
	const struct pl_network *net = y->net;
	struct pl_connection *c = &y->connection[connection];
	const size_t src = y->host_at[c->src], dst = y->host_at[c->dst];
	const double rtt_s = net->latency_s[src * net->n + dst] +
			     net->latency_s[dst * net->n + src];
	struct pl_take_up t = path_rate(y, src, dst);

	if (y->protocol->congestion == PL_CUBIC) {
		cool_down(c, now_s);
		t.wait_s = slow_start(c, parcel->bytes, t.cap, rtt_s);
	}
	if (y->protocol->congestion == PL_BBR)
		t.wait_s = pacing(c, parcel->bytes, t.cap, rtt_s, now_s);
	if (parcel->kind == PL_DATA && y->protocol->rate_spread > 0)
		t.cap *= 1 - y->protocol->rate_spread * pl_rng_double(&y->rng);
	return t;
}
