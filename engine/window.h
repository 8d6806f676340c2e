/* SPDX-License-Identifier: BSD-3-Clause */
/* window.h - how many chunks a rank begins ahead */
#ifndef PLINK_ENGINE_WINDOW_H
#define PLINK_ENGINE_WINDOW_H

#include <stddef.h>

/* The way of a chunk through a schedule, from the rank that begins it and back to it as the
 * result. */
struct pl_window_way {
	/* of the buffer, at which the link with the least rate for what it has to carry lets the
	 * all-reduce go on; 0: not known */
	double bytes_per_s;
	double round_trip_s; /* without the time that its bytes take */
	/* what a byte of the chunk takes on the slowest link of each hop, with the copies of it
	 * that pass that link */
	double s_per_byte;
	double begun; /* the part of the buffer that the rank begins, to 1 */
};

/*
 * The window of plink-schedule(5): rate times delay, in chunks, some times over for what waits in
 * queues; at least 2. A smaller window leaves the slowest link idle; a larger one fills its queue,
 * and with it delays what comes the other way. Where no rate is known, PL_WINDOW_UNKNOWN.
 */
#define PL_WINDOW_UNKNOWN 16
size_t pl_window_chunks(const struct pl_window_way *way, size_t chunk_bytes);

#endif
