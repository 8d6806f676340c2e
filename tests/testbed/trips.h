/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.h - what delays a trace's round trips really got */
#ifndef PLINK_TESTBED_TRIPS_H
#define PLINK_TESTBED_TRIPS_H

#include "base/err.h"
#include "tests/testbed/trace.h"

#include <stddef.h>
#include <stdint.h>

/* Of one directed pair. */
struct tb_trips {
	uint64_t n; /* round trips, 0: no figures */
	int64_t min_ns, p10_ns, p50_ns;
};

/*
 * trips[n*n], row = who asked: sums of what was applied to a request and what
 * to its answer. Requests are probes of plink's (packet.h) and ICMP echoes;
 * those whose answer did not arrive do not count, nor does the first probe that
 * was answered of a round, plink's warm-up. Where a pair was measured in
 * several rounds, or by several processes, the figures are those of the lowest
 * p10, as plink-probe has them when it has looked twice. The first @len packets
 * are looked at, and of their round trips those that began and ended after
 * @change changes of the delays. Of copies, the first to arrive counts.
 * 0, or -1 when memory runs out.
 */
struct tb_trips_input {
	const struct tb_traced *packet;
	size_t len;
	uint32_t change;
	size_t n; /* hosts */
};
int tb_trips(const struct tb_trips_input *in, struct tb_trips *trips,
	     struct pl_err *err);

#endif
