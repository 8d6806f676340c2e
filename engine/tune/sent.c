/* SPDX-License-Identifier: BSD-3-Clause */
/* sent.c - what one rank has sent in an interval */
#include "config.h"

#include "engine/tune/sent.h"

#include "engine/tune/control.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* As a kernel counts it; 0 where it does not. */
static struct pl_sent read_lane(int fd)
{
	struct tcp_info info = {0};
	socklen_t length = sizeof(info);

	getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length);
	return (struct pl_sent){info.tcpi_bytes_acked, info.tcpi_busy_time, info.tcpi_rtt,
				info.tcpi_delivery_rate};
}

void pl_sent_read(const struct pl_mesh *mesh, struct pl_sent *sent)
{
	const struct pl_mesh_options *o = &mesh->options;

	for (size_t p = 0; p < o->n_ranks; p++) {
		sent[p] = (struct pl_sent){0};
		for (size_t k = 0; k < o->n_lanes; k++) {
			const struct pl_lane *lane = &mesh->lane[p * o->n_lanes + k];
			struct pl_sent one;

			if (lane->fd < 0 || lane->shared)
				continue;
			one = read_lane(lane->fd);
			sent[p].bytes += one.bytes;
			sent[p].bytes_per_s += one.bytes_per_s;
			if (one.rtt_us > sent[p].rtt_us)
				sent[p].rtt_us = one.rtt_us;
			if (one.busy_us > sent[p].busy_us)
				sent[p].busy_us = one.busy_us;
		}
	}
}

size_t pl_sent_bytes(size_t n)
{
	return n * 2 * sizeof(uint64_t);
}

void pl_sent_write(unsigned char *to, size_t n, const struct pl_sent *before,
		   const struct pl_sent *now)
{
	for (size_t p = 0; p < n; p++) {
		pl_control_put(to, 2 * p, now[p].bytes - before[p].bytes);
		pl_control_put(to, 2 * p + 1, now[p].busy_us - before[p].busy_us);
	}
}

void pl_sent_parse(const unsigned char *from, size_t n, double *bytes, double *busy_s)
{
	for (size_t p = 0; p < n; p++) {
		bytes[p] = (double)pl_control_get(from, 2 * p);
		busy_s[p] = (double)pl_control_get(from, 2 * p + 1) / 1e6;
	}
}
