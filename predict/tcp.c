/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - how much a TCP connection has under way at once */
#include "config.h"

#include "predict/play.h"

#include <math.h>

/* Linux: a timeout is the round trip and at least 200 ms (tcp_rto_min). */
#define TIMEOUT_LEAST_S 0.2

bool pl_tcp_has_window(const struct pl_play *y)
{
	return y->protocol->first_window_bytes > 0;
}

/* A silence of more than a timeout halves the window for each of them. */
void pl_tcp_wake(struct pl_play *y, uint32_t connection, double now_s)
{
	struct pl_connection *c = &y->connection[connection];
	const size_t src = y->host_at[c->src], dst = y->host_at[c->dst];
	const double *latency_s = y->net->latency_s;
	const double timeout_s = latency_s[src * y->net->n + dst] +
				 latency_s[dst * y->net->n + src] +
				 TIMEOUT_LEAST_S;
	const double first = y->protocol->first_window_bytes;
	double quiet_s = now_s - c->quiet_s;

	if (c->under_way_bytes > 0)
		return;
	for (; quiet_s > timeout_s && c->window_bytes > first;
	     quiet_s -= timeout_s)
		c->window_bytes /= 2;
	c->window_bytes = fmax(c->window_bytes, first);
}

/* Slow start: as nothing is lost, each byte acknowledged widens the window by one,
 * as long as it is made use of. */
void pl_tcp_acknowledged(struct pl_play *y, uint32_t connection, double bytes,
			 double now_s)
{
	struct pl_connection *c = &y->connection[connection];

	if (2 * c->under_way_bytes >= c->window_bytes)
		c->window_bytes = fmin(c->window_bytes + bytes,
				       y->protocol->last_window_bytes);
	c->under_way_bytes = fmax(c->under_way_bytes - bytes, 0);
	c->quiet_s = now_s;
}
