/* SPDX-License-Identifier: BSD-3-Clause */
/* netdev.h - network devices of the calling thread's network namespace */
#ifndef PLINK_TESTS_TESTBED_NETWORK_NETDEV
#define PLINK_TESTS_TESTBED_NETWORK_NETDEV

#include "base/err.h"

#include <stdint.h>

#define TB_DEVICE "plink0" /* the emulated network card of every host */

/* Bytes of the offload header in front of every packet read or written. */
#define TB_OFFLOAD_BYTES 10

/* The most bytes that one read may return: the header and the largest unsegmented packet. */
#define TB_READ_BYTES (TB_OFFLOAD_BYTES + 65536)

/*
 * Makes the TUN device TB_DEVICE, layer 3; segmentation and checksums are left to the reader.
 * Returns a non-blocking descriptor; the device exists as long as the descriptor is open. -1 with
 * @err set (PL_ESYSTEM).
 */
int tb_tun_open(struct pl_err *err);

struct tb_address {
	uint32_t addr; /* IPv4, host byte order */
	int bits;      /* of the network */
};

/* Gives the device its address and sets it up. 0, or -1 with @err set. */
int tb_link_up(const char *device, struct tb_address address, struct pl_err *err);

#endif
