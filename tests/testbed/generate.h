/* SPDX-License-Identifier: BSD-3-Clause */
/* generate.h - matrices of a cluster of racks */
#ifndef PLINK_TESTBED_GENERATE_H
#define PLINK_TESTBED_GENERATE_H

#include "src/err.h"
#include "src/matrix.h"

#include <stddef.h>
#include <stdint.h>

enum tb_dealing {
	TB_IN_ORDER, /* the first rack holds the first hosts, ... */
	TB_SHUFFLED, /* hosts are dealt to racks at random */
};

struct tb_generate_options {
	size_t n_racks, rack_hosts;
	double intra_us, inter_us; /* one way */
	double noise; /* each pair's delay varies by up to this share */
	enum tb_dealing dealing;
	uint64_t seed;
};

/*
 * One-way delays in us between hosts h0, h1, ..., the same in both directions;
 * headers "rack HOST NUMBER" and "seed" say how it was made.
 * NULL with @err set.
 */
struct pl_matrix *tb_generate(const struct tb_generate_options *opt,
			      struct pl_err *err);

#endif
