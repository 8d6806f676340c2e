/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.h - which hosts there are, how far apart, in which racks */
#ifndef PLINK_TESTBED_TOPOLOGY_H
#define PLINK_TESTBED_TOPOLOGY_H

#include "src/err.h"
#include "src/matrix.h"

#include <stddef.h>
#include <stdint.h>

#define TB_HOSTS_MAX 256 /* two descriptors each: within the usual limit */
#define TB_NAME_MAX 63   /* what the kernel takes as a host name */

/* First host's address and the network; host i has TB_FIRST_ADDR + i. */
#define TB_FIRST_ADDR 0x0a4d0001u /* 10.77.0.1 */
#define TB_ADDR_BITS 16

/* Indexed by host, in the matrix's order. */
struct tb_topology {
	size_t n;
	char (*name)[TB_NAME_MAX + 1];
	int64_t *delay_ns; /* n * n, row = source; TB_NO_PATH: none */
	size_t *rack;      /* 0 .. n_racks - 1 */
	size_t n_racks;    /* 1: racks are not known */
	size_t n_missing;  /* ordered pairs without a path */
};

/*
 * Delays from layer 0: a one-way matrix as it is, half of a round trip, a
 * missing cell is no path. Racks from the headers "rack HOST NUMBER" or, where
 * there are none, from the widest gap between delays. Start with {0}.
 * 0, or -1 with @t empty and @err set: PL_EINPUT for names that no host can
 * have, other quantities, negative or huge delays, bad rack lines.
 */
int tb_topology_init(struct tb_topology *t, const struct pl_matrix *m,
		     struct pl_err *err);
void tb_topology_fini(struct tb_topology *t);

#endif
