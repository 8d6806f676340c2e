/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - carries packets between hosts, each after its delay */
#ifndef PLINK_TESTS_TESTBED_NETWORK_ENGINE
#define PLINK_TESTS_TESTBED_NETWORK_ENGINE

#include "base/err.h"
#include "tests/testbed/network/chance.h"
#include "tests/testbed/network/heap.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/rates.h"
#include "tests/testbed/network/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What `up` may ask for besides delays. */
struct tb_shape {
	struct tb_odds odds;
	size_t trace; /* packets to keep; 0: no trace */
	double cpu;   /* each host's share of a processor; 0: all there is */
};

/* The latest times that packets of a pair got: first bit, last bit. */
struct tb_turn {
	int64_t head_ns, tail_ns;
};

/*
 * The engine borrows device descriptors (by host; set to -1 when the host is gone), the ledger
 * (whose pairs name the delays), the rates, and the trace or NULL.
 */
struct tb_engine {
	size_t n;
	int *tun;
	struct tb_ledger *ledger;
	struct tb_rates *rates;
	struct tb_trace *trace;
	struct tb_heap heap;
	struct tb_chance chance;
	struct tb_turn *last; /* n * n */
	size_t queued_bytes;
	int64_t looked_ns; /* packets that are read now came after this time */
	int epoll;
	unsigned char *buffer; /* TB_READ_BYTES */
};

struct tb_engine_options {
	size_t n;
	int *tun;
	struct tb_ledger *ledger;
	struct tb_rates *rates;
	struct tb_trace *trace;
	struct tb_odds odds;
};

/* 0, or -1 with @err set and nothing to release. */
int tb_engine_init(struct tb_engine *engine, const struct tb_engine_options *opt,
		   struct pl_err *err);

/* Descriptors that stop the engine when readable; negative ones are ignored. */
struct tb_stops {
	const int *fd;
	size_t n;
};

/* Runs until one of them becomes readable; returns its index, or -1 with @err set. May be called
 * again. */
int tb_engine_run(struct tb_engine *engine, struct tb_stops stops, struct pl_err *err);

/* Stops carrying packets from or to that host; the caller can then close its device. */
void tb_engine_drop_host(struct tb_engine *engine, size_t host);

/* Releases the engine. Packets still on their way are dropped. */
void tb_engine_fini(struct tb_engine *engine);

#endif
