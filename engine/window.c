/* SPDX-License-Identifier: BSD-3-Clause */
/* window.c - how many chunks a rank begins ahead */
#include "config.h"

#include "engine/window.h"

#include <math.h>

/* On 16 hosts in 4 racks, with chunks of 32 KiB, 4 were the best where one uplink was slow and 16
 * where all were alike; rate times delay is 2.1 and 4.8 there, and 7 and 15 are within 4 % of the
 * best. */
#define TIMES 3
#define WINDOW_MIN 2
#define WINDOW_MAX 4096

size_t pl_window_chunks(const struct pl_window_way *way, size_t chunk_bytes)
{
	const double chunk = (double)chunk_bytes;
	const double delay_s = way->round_trip_s + chunk * way->s_per_byte;
	const double chunks = ceil(TIMES * way->bytes_per_s * delay_s * way->begun / chunk);

	if (!(way->bytes_per_s > 0))
		return PL_WINDOW_UNKNOWN;
	return chunks < WINDOW_MIN ? WINDOW_MIN : chunks > WINDOW_MAX ? WINDOW_MAX : (size_t)chunks;
}
