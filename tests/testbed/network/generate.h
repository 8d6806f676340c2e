/* SPDX-License-Identifier: BSD-3-Clause */
/* generate.h - matrices of a cluster of racks */
#ifndef PLINK_TESTS_TESTBED_NETWORK_GENERATE
#define PLINK_TESTS_TESTBED_NETWORK_GENERATE

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "tests/testbed/network/topology.h"

#include <stddef.h>
#include <stdint.h>

enum tb_dealing {
	TB_IN_ORDER, /* the first rack holds the first hosts, ... */
	TB_SHUFFLED, /* hosts are dealt to racks at random */
};

/* Bits per second, each way, of the first, the second, ...; then from the start again. n = 0: not
 * known. */
struct tb_rate_cycle {
	double bps[TB_HOSTS_MAX];
	size_t n;
};

struct tb_generate_options {
	size_t rack_hosts[TB_HOSTS_MAX]; /* by rack */
	size_t n_racks;
	size_t row_racks; /* racks in a row of racks; 0: there are no rows */
	/* one way: in a rack, between racks (of a row), between rows */
	double intra_us, inter_us, far_us;
	struct tb_rate_cycle nic, uplink, row_uplink;
	double noise; /* each pair's delay varies by up to this share */
	enum tb_dealing dealing;
	uint64_t seed;
};

/*
 * One-way delays in us between hosts h0, h1, ..., the same in both directions. Headers "seed" and
 * those of pl_tiers_write() say how the matrix was made; racks have the first group numbers, then
 * rows.
 *
 * NULL with @err set.
 */
struct pl_matrix *tb_generate(const struct tb_generate_options *opt, struct pl_err *err);

#endif
