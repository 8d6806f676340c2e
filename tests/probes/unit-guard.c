/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-guard.c - when an agent takes what comes for a flood, and what it reads then */
#include "config.h"

#include "probes/agent/guard.h"

#include "probes/agent/parts.h"
#include "tests/tap.h"

#include <unistd.h>

#define MS INT64_C(1000000)

/* A packet that is good for nothing each @every_ns, for @ns. */
static void flood(struct pl_guard *g, int64_t *now_ns, int64_t every_ns, int64_t ns)
{
	const int64_t end = *now_ns + ns;

	for (; *now_ns < end; *now_ns += every_ns)
		pl_guard_note(g, 1, *now_ns);
}

static void test_naps(void)
{
	const int64_t span = PL_GUARD_FLOOD_NS;
	struct pl_guard g = {0};
	int64_t now = 99 * MS;

	ok(!pl_guard_naps(&g, now), "nothing came: no flood");
	flood(&g, &now, span / (PL_GUARD_FLOOD - 8), 20 * span);
	ok(!pl_guard_naps(&g, now), "a trickle is none");
	flood(&g, &now, span / (PL_GUARD_FLOOD + 8), 2 * span);
	ok(pl_guard_naps(&g, now), "more is one");
	flood(&g, &now, span / (PL_GUARD_FLOOD + 8), 20 * span);
	ok(pl_guard_naps(&g, now), "as long as it lasts");
	ok(!pl_guard_naps(&g, now + 2 * span), "and no longer");
	flood(&g, &now, span / (2 * PL_GUARD_FLOOD), span / 2 + MS);
	ok(!pl_guard_naps(&g, now + 100 * span), "what was long ago is no flood of now");
}

/* How many of @n useless packets that wait are read? */
static int64_t reads(struct pl_agent *a, const struct pl_addr *addr, int n)
{
	const uint64_t before = a->exchange.refused;
	struct sockaddr_storage to;

	pl_addr_socket(addr, pl_addr_port(a->udp[0]), &to);
	for (int k = 0; k < n; k++)
		pl_wire_send(a->udp[0], (const uint8_t *)"nonsense", 8, &to);
	pl_agent_take_packets(a, 0);
	return (int64_t)(a->exchange.refused - before);
}

static void test_reads(void)
{
	struct pl_agent a = {.n_udp = 1};
	struct pl_addr addr;
	int port;

	pl_addr_parse("127.0.0.1", 9, &addr);
	a.udp[0] = pl_wire_bind(&addr, 0, 0, &port, NULL);
	pl_wire_clock_init(&a.clock);
	is_int(reads(&a, &addr, 150), 150, "what comes is read");
	a.guard.is_flood = true;
	is_int(reads(&a, &addr, 150), PL_GUARD_READS * PL_WIRE_BATCH, "of a flood, a part");
	close(a.udp[0]);
}

int main(void)
{
	test_naps();
	test_reads();
	return done_testing();
}
