/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.h - links of finite speed, passed cut-through */
#ifndef PLINK_TESTS_TESTBED_NETWORK_RATES
#define PLINK_TESTS_TESTBED_NETWORK_RATES

#include "base/err.h"
#include "base/matrix/tiers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One direction of a card or an uplink. */
struct tb_link {
	double byte_ns;  /* 0: no limit */
	int64_t free_ns; /* when all taken so far will be sent */
};

/* The links from one host to another, in the order they are passed. */
struct tb_way {
	uint32_t first;  /* in tb_rates.hop */
	uint8_t n_near;  /* links before the delay: the card, the groups it
			    leaves */
	uint8_t n_links; /* all links; after the delay: the groups it enters,
			    the card */
};

/*
 * Every host has a card with one link each way, every group an uplink with one link each way. Links
 * pass bits on at once (a packet does not wait until it is complete), serve packets in the order in
 * which they come, and lose none.
 */
struct tb_rates {
	size_t n, n_groups;
	struct tb_link *link; /* cards out, in; uplinks out, in */
	struct tb_way *way;   /* n * n, row = source */
	uint16_t *hop;        /* the links of every way */
};

/* Makes the links, all idle, with the rates of @tiers, whose groups are at most TB_LEVELS_MAX deep.
 * 0, or -1 with @err set. */
int tb_rates_init(struct tb_rates *rates, const struct pl_tiers *tiers, struct pl_err *err);
void tb_rates_fini(struct tb_rates *rates);

/* Sets these rates, by host and by group, where they are known. Packets that already wait at a link
 * leave it at the time that they had. */
void tb_rates_change(struct tb_rates *rates, const struct pl_link_rate *card,
		     const struct pl_link_rate *uplink);

const struct tb_way *tb_rates_way(const struct tb_rates *rates, size_t src, size_t dst);

/* One packet on its way through links. */
struct tb_passage {
	const struct tb_way *way;
	uint32_t bytes;
	int64_t head_ns; /* time of the first bit: as input, when it comes; as
			    output, when it is through */
	int64_t tail_ns; /* the same for the last bit */
};

/* Passes the packet through link number @hop of its way. Call this when the first bit has come to
 * that link, because a packet that waits at one link holds no place at the next. */
void tb_rates_pass(struct tb_rates *rates, size_t hop, struct tb_passage *p);

/* Has that link no limit? */
bool tb_rates_is_open(const struct tb_rates *rates, const struct tb_way *way, size_t hop);

#endif
