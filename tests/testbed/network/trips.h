/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.h - the delays that the round trips in a trace really had */
#ifndef PLINK_TESTS_TESTBED_NETWORK_TRIPS
#define PLINK_TESTS_TESTBED_NETWORK_TRIPS

#include "base/err.h"
#include "tests/testbed/network/trace.h"

#include <stddef.h>
#include <stdint.h>

/* The round trips of one directed pair. */
struct tb_trips {
	uint64_t n; /* round trips, 0: no figures */
	int64_t min_ns, p10_ns, p50_ns;
};

/*
 * trips[n * n], row = the host that asked. A round trip is the sum of the delays applied to a
 * request and to its answer. Requests are probes of plink (packet.h) and ICMP echoes. Requests
 * whose answer did not arrive do not count, nor does the first answered probe of a round, which is
 * plink's warm-up. If several rounds or processes measured a pair, the figures are those of the
 * lowest p10, as in plink-probe when it has measured twice. Looks at the first @len packets, and
 * only at round trips that began and ended after @change changes of the delays. Of copies, the
 * first to arrive counts.
 *
 * 0, or -1 when memory runs out.
 */
struct tb_trips_input {
	const struct tb_traced *packet;
	size_t len;
	uint32_t change;
	size_t n; /* hosts */
};
int tb_trips(const struct tb_trips_input *in, struct tb_trips *trips, struct pl_err *err);

#endif
