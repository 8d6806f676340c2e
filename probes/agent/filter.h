/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - what cannot be ours is dropped by the kernel and wakes nobody */
#ifndef PLINK_PROBES_AGENT_FILTER_H
#define PLINK_PROBES_AGENT_FILTER_H

#include "probes/agent/exchange.h"

#include <stdint.h>

/* A request of another round that is its sender's this-many-th or later is not an
 * early one: the seven before it take as long as one is kept (early.h). */
#define PL_FILTER_EARLY 16

/*
 * Lets through to socket @fd, which is of @flow, only what pl_exchange_judge could
 * find to be more than refused, as far as that can be told without the key: packets
 * of this run for this host that are, in the present round, of its peer, from its
 * address and port; or replies of another round, or the first requests. Replaces the
 * filter that was there. Where the kernel has none, all goes through: the
 * exchange judges in any case.
 */
void pl_filter_attach(int fd, const struct pl_exchange *x, unsigned flow);

/* How many packets the kernel dropped at @fd since it was created, modulo 2^32: by
 * the filter, and for want of room. 0 where it does not tell. */
uint32_t pl_filter_dropped(int fd);

#endif
