/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - what cannot be ours is dropped by the kernel and wakes nobody */
#ifndef PLINK_PROBES_AGENT_FILTER_H
#define PLINK_PROBES_AGENT_FILTER_H

#include "probes/agent/bpf.h"
#include "probes/agent/exchange.h"

#include <stdint.h>

/* A request of another round that is its sender's this-many-th or later is not
 * an early one: the seven before it take as long as one is kept (early.h). */
#define PL_FILTER_EARLY 16

/*
 * Four filters for socket @fd, each in place of the one that was there. None
 * drops what pl_exchange_judge would find to be more than refused or out of its
 * round. Where the kernel has none, all goes through: the exchange judges in
 * any case.
 *
 * The first lets through packets of this run for this host: whoever has not
 * seen any cannot know its number. It holds for the whole run. Not for the
 * thesis' packet, which has no such number.
 */
void pl_filter_attach_run(int fd, const struct pl_probe_exchange *x);

/* The second, for a socket that is of @flow, only those of them that are, in
 * the present round, of its peer, from its address and port; or replies of
 * another round, or the first requests. */
void pl_filter_attach(int fd, const struct pl_probe_exchange *x, unsigned flow);

/*
 * The third, in a round, drops what is no news, and nothing else: requests that
 * were answered, by what @x remembers, and replies to requests of ours that are
 * not among those that @replies tells. What is left of what is recorded came
 * since then. To attach it takes as long as to read some twenty packets. Not
 * for the thesis' packet.
 */
void pl_filter_attach_news(int fd, const struct pl_probe_exchange *x,
			   const struct pl_bpf_news *replies);

/*
 * The fourth lets through only those of the present round that the second and
 * the third let through and that have the right tag. Of other rounds, only the
 * first requests of higher ones, rightly tagged. To attach it takes as long as
 * to read some hundred packets. Not for the thesis' packet, which has no tag.
 */
void pl_filter_attach_tags(int fd, const struct pl_probe_exchange *x,
			   unsigned flow, const struct pl_bpf_news *replies);

/* How many packets the kernel dropped at @fd since it was created, modulo 2^32:
 * by the filter, and for want of room. 0 where it does not tell. */
uint32_t pl_filter_dropped(int fd);

#endif
