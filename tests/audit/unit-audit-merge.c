/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-audit-merge.c - several captures of the same connections count once */
#include "config.h"

#include "audit/merge.h"
#include "audit/wire.h"
#include "tests/tap.h"

#include <stdlib.h>

#define BYTES 100

/* A TCP packet over IPv4 from 10.0.0.0 to 10.0.0.1, port 2048 to 2048. */
static void add_packet(struct pl_trace *t, uint8_t seq, bool syn)
{
	const uint8_t bytes = syn ? 0 : BYTES;
	uint8_t data[40] = {0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 0, 10, 0, 0, 1};

	data[3] = (uint8_t)(data[3] + bytes);
	data[20] = data[22] = 8;
	data[27] = seq;
	data[32] = 0x50;
	data[33] = syn ? 0x02 : 0x10;
	if (pl_trace_add(t, (int64_t)t->n_packets, (struct pl_capture_frame){data, 40, 40u + bytes},
			 PL_LINK_RAW))
		abort();
}

/* A connection for each of the n sequence numbers, on the same ports; before the first SYN one more
 * where @midway. */
static void fill(struct pl_trace *t, const uint8_t *seq, size_t n, bool midway)
{
	if (pl_trace_init(t, "capture", NULL))
		abort();
	if (midway)
		add_packet(t, 7, false);
	for (size_t i = 0; i < n; i++) {
		add_packet(t, seq[i], true);
		add_packet(t, (uint8_t)(seq[i] + 1), false);
	}
	if (pl_trace_end(t))
		abort();
}

/* Bytes from host 0 to host 1 in the first n traces. */
static uint64_t count(struct pl_trace *trace, size_t n, struct pl_merge_sums *sums)
{
	const struct pl_port_list all = {{{1, UINT16_MAX}}, 1}, none = {.n = 0};
	struct pl_who who = {.n = 0};
	const struct pl_capture_merge merge = {.trace = trace,
					       .n_traces = n,
					       .who = &who,
					       .n_nodes = 2,
					       .wire = pl_wire_find("plain", NULL),
					       .ports = &all,
					       .not_ports = &none,
					       .times = true};
	struct pl_audit_pairs pairs = {.n = 0};
	uint64_t bytes;

	for (uint8_t i = 0; i < 2; i++) {
		const struct pl_ip ip = pl_ip_of_v4((const uint8_t[]){10, 0, 0, i});

		if (pl_who_add(&who, &ip, i, NULL))
			abort();
	}
	if (pl_merge_traces(&pairs, &merge, sums, NULL) || pairs.n != 1)
		abort();
	bytes = pairs.v[0].seen_bytes;
	pl_pairs_fini(&pairs);
	pl_who_fini(&who);
	return bytes;
}

/* n connections, seen by 1, 2 and 3 captures. */
static void check(const uint8_t *seq, size_t n, bool midway, const char *what)
{
	struct pl_trace trace[3];
	struct pl_merge_sums sums;

	for (size_t i = 0; i < 3; i++)
		fill(&trace[i], seq, n, midway);
	for (size_t i = 1; i <= 3; i++) {
		const uint64_t bytes = count(trace, i, &sums);

		ok(bytes == (n + midway) * BYTES && sums.connections == n + midway,
		   "%s, %zu captures: %llu bytes of %llu connections", what, i,
		   (unsigned long long)bytes, (unsigned long long)sums.connections);
	}
	for (size_t i = 0; i < 3; i++)
		pl_trace_fini(&trace[i]);
}

int main(void)
{
	check((const uint8_t[]){10}, 1, false, "one connection");
	check((const uint8_t[]){10, 20}, 2, false, "ports used twice");
	check((const uint8_t[]){10, 20, 10}, 3, false, "the first number comes again");
	check((const uint8_t[]){10, 20, 10, 20, 10}, 5, false, "numbers come again and again");
	check((const uint8_t[]){10, 20, 10}, 3, true, "one began before");
	return done_testing();
}
