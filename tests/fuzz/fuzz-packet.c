/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-packet.c - any bytes as a packet: dropped, or one that is written back alike */
#include "config.h"

#include "probes/agent/exchange.h"
#include "probes/protocol/address.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TAGGED 24

static const uint8_t key[PL_PACKET_KEY_BYTES] = {1, 2, 3};

static void check(const uint8_t *data, size_t size)
{
	uint8_t back[PL_PACKET_BYTES];
	struct pl_packet packet;
	const bool probe = !pl_packet_parse(&packet, data, size, key);
	const bool stream = !pl_packet_parse_stream(&packet, data, size, key);

	if (probe && stream)
		abort();
	if (!probe && !stream)
		return;
	pl_packet_format(back, &packet, key);
	if (size != sizeof(back) || memcmp(back, data, size) != 0)
		abort();
}

/* Whoever is answered is the peer, by its port for that flow, in the round, once. */
static void judge(const uint8_t *data, size_t size)
{
	const struct pl_addr addr = {.family = 2, .bytes = {127, 0, 0, 1}};
	struct pl_probe_exchange x = {.run = 0, .self = 1};
	struct sockaddr_storage from, peer[2];
	const unsigned flow = size > 0 ? data[size - 1] % 3 : 0;
	struct pl_packet p;
	enum pl_packet_verdict verdict;

	memcpy(x.key, key, sizeof(key));
	pl_addr_socket(&addr, 9, &from);
	pl_addr_socket(&addr, 8, &peer[0]);
	peer[1] = from;
	pl_exchange_open(&x, 0, 0, peer, 2);
	verdict = pl_exchange_judge(&x, data, size, &from, flow, &p);
	if (verdict == PL_EARLY &&
	    (p.direction != PL_REQUEST || p.run != 0 || p.round == 0 || p.dst != 1))
		abort();
	if (verdict == PL_DROP || verdict == PL_EARLY)
		return;
	if (flow != 1 || p.run != 0 || p.round != 0 || p.src != 0 || p.dst != 1)
		abort();
	if (p.direction == PL_REQUEST && pl_exchange_judge(&x, data, size, &from, 1, &p) != PL_DROP)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t tagged[PL_PACKET_BYTES];

	check(data, size);
	judge(data, size);
	/* no fuzzer finds a tag: give it a valid one, so as to go on */
	if (size >= TAGGED) {
		memcpy(tagged, data, TAGGED);
		crypto_shorthash(tagged + TAGGED, tagged, TAGGED, key);
		check(tagged, sizeof(tagged));
		judge(tagged, sizeof(tagged));
	}
	return 0;
}
