/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-window.c - chunks and windows from rates and round trips */
#include "config.h"

#include "engine/cut.h"
#include "engine/window.h"
#include "tests/tap.h"

/* 16 hosts in 4 racks, cards of 400 Mbit/s, 100 us within racks and 500 us between them, one way;
 * 32 KiB. */
static const struct pl_window_way slow_uplink = {
	/* 200, 200, 200 and 50 Mbit/s, no master behind the last */
	.bytes_per_s = 5.98e6,
	.round_trip_s = 1.2e-3,
	.s_per_byte = 0.45e-6,
	.begun = 0.75,
};
static const struct pl_window_way equal_uplinks = {
	/* 200 Mbit/s, masters alike */
	.bytes_per_s = 15.9e6,
	.round_trip_s = 1.2e-3,
	.s_per_byte = 0.38e-6,
	.begun = 0.75,
};

int main(void)
{
	struct pl_window_way way = equal_uplinks;
	const size_t slow = pl_window_chunks(&slow_uplink, 32768);
	const size_t equal = pl_window_chunks(&equal_uplinks, 32768);

	ok(slow >= 4 && slow <= 8, "a slow uplink: %zu chunks", slow);
	ok(equal > 8 && equal <= 16, "equal uplinks: %zu chunks", equal);
	ok(pl_window_chunks(&equal_uplinks, 16384) > equal, "more chunks where they are short");
	way.round_trip_s = 0.1;
	ok(pl_window_chunks(&way, 32768) > 3 * equal, "and far away");
	way.bytes_per_s = 0;
	is_int((int64_t)pl_window_chunks(&way, 32768), PL_WINDOW_UNKNOWN, "no rate is known");
	way = equal_uplinks;
	way.begun = 1e-6;
	is_int((int64_t)pl_window_chunks(&way, 32768), 2, "never below 2");
	way.begun = 1;
	way.bytes_per_s = 1e15;
	is_int((int64_t)pl_window_chunks(&way, 32768), 4096, "nor beyond reason");
	is_int((int64_t)pl_cut_chunk_bytes(0), 32768, "chunks where no rate is known");
	is_int((int64_t)pl_cut_chunk_bytes(6e6), 8192, "of a slow link");
	is_int((int64_t)pl_cut_chunk_bytes(12e6), 16384, "of 100 Mbit/s");
	is_int((int64_t)pl_cut_chunk_bytes(24e6), 32768, "of 200 Mbit/s");
	is_int((int64_t)pl_cut_chunk_bytes(1.2e9), 65536, "of 10 Gbit/s");
	return done_testing();
}
