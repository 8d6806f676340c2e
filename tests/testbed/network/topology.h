/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.h - which hosts there are, how far apart, in which racks */
#ifndef PLINK_TESTS_TESTBED_NETWORK_TOPOLOGY
#define PLINK_TESTS_TESTBED_NETWORK_TOPOLOGY

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/matrix/tiers.h"

#include <stddef.h>
#include <stdint.h>

#define TB_HOSTS_MAX 256 /* two descriptors each: within the usual limit */
#define TB_NAME_MAX 63   /* what the kernel takes as a host name */

#define TB_GROUPS_MAX 512 /* enough to split 256 hosts in every way */
#define TB_LEVELS_MAX 8   /* racks, rows, ... */

/* First host's address and the network; host i has TB_FIRST_ADDR + i. */
#define TB_FIRST_ADDR 0x0a4d0001u /* 10.77.0.1 */
#define TB_ADDR_BITS 16

/* Indexed by host, in the matrix's order. */
struct tb_topology {
	size_t n;
	char (*name)[TB_NAME_MAX + 1];
	int64_t *delay_ns; /* n * n, row = source; TB_NO_PATH: none */
	size_t n_missing;  /* ordered pairs without a path */
	/* every host has a rack; if all have the same one, racks are not
	 * known */
	struct pl_tiers tiers;
};

/*
 * Takes delays from layer 0: a one-way matrix as it is, half of a round trip; a missing cell means
 * no path. Takes racks, groups and rates from the lines that pl_tiers_read() takes; without "rack"
 * lines, finds racks by the widest gap between delays. Start with {0}.
 *
 * 0, or -1 with @t empty and @err set: PL_EINPUT for names that no host can have, other quantities,
 * negative or huge delays, bad lines.
 */
int tb_topology_init(struct tb_topology *t, const struct pl_matrix *m, struct pl_err *err);
void tb_topology_fini(struct tb_topology *t);

/* The number of groups that have hosts directly in them. */
size_t tb_topology_racks(const struct tb_topology *t);

/*
 * Sets the rates of cards and of the uplinks of racks, each way that has no rate yet; bits per
 * second, 0: none. 0, or -1 with @err set: PL_EINPUT for an uplink if racks are not known.
 */
struct tb_default_rates {
	double nic_bps, uplink_bps;
};
int tb_topology_default_rates(struct tb_topology *t, struct tb_default_rates rates,
			      struct pl_err *err);

#endif
