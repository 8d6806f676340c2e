/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.h - links of finite speed, passed cut-through */
#ifndef PLINK_TESTBED_RATES_H
#define PLINK_TESTBED_RATES_H

#include "src/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a link will have sent all it took so far (monotonic ns). */
struct tb_link {
	int64_t free_ns;
};

/*
 * Every host has a card with one link each way; every rack one uplink each way,
 * taken only between racks. Links pass bits on at once (a packet does not wait
 * for its own end), serve packets in the order they come and lose none.
 */
struct tb_rates {
	size_t n, n_racks;
	size_t *rack;              /* by host */
	double nic_ns, uplink_ns;  /* per byte; 0: no limit */
	struct tb_link *out, *in;  /* cards, by host */
	struct tb_link *up, *down; /* uplinks, by rack */
};

/* Links, all idle; bits per second, 0: no limit. @rack[n] is copied.
 * 0, or -1 with @err set. */
struct tb_rates_options {
	double nic_bps, uplink_bps;
	size_t n, n_racks;
	const size_t *rack;
};
int tb_rates_init(struct tb_rates *rates, const struct tb_rates_options *opt,
		  struct pl_err *err);
void tb_rates_fini(struct tb_rates *rates);

/* Does a packet between these hosts take uplinks that have a rate? */
bool tb_rates_crosses(const struct tb_rates *rates, size_t src, size_t dst);

/* One packet on its way through links. */
struct tb_passage {
	size_t src, dst;
	uint32_t bytes;
	int64_t head_ns; /* first bit: in, when it comes; out, when it is through */
	int64_t tail_ns; /* last bit likewise */
};

/* The links, in the order they are passed. A packet that stands in line at one
 * holds no place at the next: call each when its first bit has come there. */
enum tb_hop {
	TB_CARD_OUT,
	TB_UPLINK,   /* of the sender's rack; nothing within a rack */
	TB_DOWNLINK, /* of the receiver's */
	TB_CARD_IN,
};
void tb_rates_pass(struct tb_rates *rates, enum tb_hop hop,
		   struct tb_passage *p);

#endif
