/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.h - round trips of a TCP stream: when was answered what it sent? */
#ifndef PLINK_AUDIT_TRIPS_H
#define PLINK_AUDIT_TRIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_trip {
	int64_t ns;
	bool bare; /* the answer held no data, so that it may have been
		    * delayed */
};

/* What was sent and not acknowledged yet. */
struct pl_trip_open {
	uint32_t end; /* the sequence number that acknowledges it */
	int64_t ns;
	bool unclear; /* it, or something before it, was sent again */
};

/*
 * One direction of a connection as one capture saw it. A segment's round trip
 * lasts until the first packet that acknowledges all of it; of several that are
 * acknowledged at once the last one's counts, whose arrival was the cause. What
 * was sent again, and what was on its way then, does not count: nobody knows
 * what was answered (P. Karn, C. Partridge, SIGCOMM 1987). SYN and FIN are sent
 * like a byte. Start with {0}, end with fini.
 */
struct pl_trips {
	bool based;
	uint32_t sent;             /* the sequence number that was reached */
	struct pl_trip_open *open; /* [first, n_open) */
	size_t first, n_open, open_room;
	struct pl_trip *trip; /* [n] */
	size_t n, room;
	uint64_t n_again; /* segments sent again */
};

/* @len sequence numbers from @seq on were sent. 0, or -1: out of memory. */
int pl_trips_sent(struct pl_trips *t, uint32_t seq, uint32_t len, int64_t ns);

/* A packet of the other direction acknowledges all before @ack. 0, or -1. */
int pl_trips_answered(struct pl_trips *t, uint32_t ack, int64_t ns, bool bare);

void pl_trips_fini(struct pl_trips *t);

#endif
