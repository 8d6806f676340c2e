/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - kernel filters that drop unwanted packets before they wake the
 * agent */
#ifndef PLINK_PROBES_AGENT_FILTER_H
#define PLINK_PROBES_AGENT_FILTER_H

#include "probes/agent/bpf.h"
#include "probes/agent/exchange.h"

#include <stdint.h>

/* A request of another round with this number or a higher one is not early: its
 * sender takes longer to send that many than an early request is kept
 * (early.h). */
#define PL_FILTER_EARLY 16

/*
 * Four filters for socket @fd; each replaces the one before. A filter drops
 * only packets that pl_exchange_judge would count as refused or stale anyway.
 * Where the kernel takes no filter, all packets arrive and the exchange judges
 * them.
 *
 * The first lets through the packets of this run for this host; a sender who
 * has seen none of them cannot know the number of the run. It holds for the
 * whole run. Not for the thesis' packet, which has no such number.
 */
void pl_filter_attach_run(int fd, const struct pl_probe_exchange *x);

/* The second, for the socket of @flow, lets through of these only packets of
 * the present round from the peer's address and port, and from other rounds
 * replies and the first requests. */
void pl_filter_attach(int fd, const struct pl_probe_exchange *x, unsigned flow);

/*
 * The third, within a round, drops only packets that are not new: requests that
 * were answered, as @x remembers, and replies to requests of ours that are not
 * in @replies. So only replays of packets heard since then get through.
 * Attaching it takes as long as reading some twenty packets. Not for the
 * thesis' packet.
 */
void pl_filter_attach_news(int fd, const struct pl_probe_exchange *x,
			   const struct pl_bpf_news *replies);

/*
 * The fourth lets through only packets with the right tag: those of the present
 * round that the second and the third let through, and the first requests of
 * later rounds. Attaching it takes as long as reading some hundred packets. Not
 * for the thesis' packet, which has no tag.
 */
void pl_filter_attach_tags(int fd, const struct pl_probe_exchange *x, unsigned flow,
			   const struct pl_bpf_news *replies);

/* Number of packets that the kernel has dropped at @fd since it was created,
 * modulo 2^32: by the filter and for lack of buffer space. 0 where the kernel
 * does not tell. */
uint32_t pl_filter_dropped(int fd);

#endif
