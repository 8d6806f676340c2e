/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.h - round trips of a TCP stream: the times from segments to their
 * acknowledgements */
#ifndef PLINK_AUDIT_TRIPS_H
#define PLINK_AUDIT_TRIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_trip {
	int64_t ns;
	/* the acknowledgement had no data, so that the receiver may have
	 * delayed it */
	bool bare;
};

/* A segment that was sent and is not yet acknowledged. */
struct pl_trip_open {
	uint32_t end; /* the sequence number that acknowledges it */
	int64_t ns;
	bool unclear; /* this segment or an earlier one was sent again */
};

/*
 * One direction of a connection, as one capture shows it. The round trip of a
 * segment lasts until the first packet that acknowledges all of it. If a packet
 * acknowledges several segments, only the last one counts, because its arrival
 * caused the acknowledgement; if the acknowledged bytes end within a segment,
 * none counts. Segments that were sent again, and those that were under way at
 * that time, do not count, because an acknowledgement does not tell which
 * transmission it is for (P. Karn, C. Partridge, SIGCOMM 1987). SYN and FIN
 * take one sequence number each, like a byte. Start with {0}, end with fini.
 */
struct pl_trips {
	bool based;
	uint32_t sent;             /* the highest sequence number sent so far */
	struct pl_trip_open *open; /* [first, n_open) */
	size_t first, n_open, open_room;
	struct pl_trip *trip; /* [n] */
	size_t n, room;
	uint64_t n_again; /* segments sent again */
};

/* @len sequence numbers from @seq on were sent at @ns. 0, or -1: out of
 * memory. */
int pl_trips_sent(struct pl_trips *t, uint32_t seq, uint32_t len, int64_t ns);

/* A packet of the other direction, captured at @ns, acknowledges everything
 * before @ack; @bare: it has no data. 0, or -1: out of memory. */
int pl_trips_answered(struct pl_trips *t, uint32_t ack, int64_t ns, bool bare);

void pl_trips_fini(struct pl_trips *t);

#endif
