/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf.h - writes programs for the kernel's classic packet filter */
#ifndef PLINK_PROBES_AGENT_BPF_H
#define PLINK_PROBES_AGENT_BPF_H

#include "probes/protocol/packet.h"

#include <linux/filter.h>
#include <stdint.h>

/* The filter of a UDP socket sees a packet from its UDP header on. */
#define PL_BPF_UDP_BYTES 8

/* A program as in linux/filter.h; the caller must keep it below BPF_MAXINSNS
 * instructions. Start with n = 0. */
struct pl_bpf {
	struct sock_filter v[BPF_MAXINSNS];
	unsigned short n;
};

void pl_bpf_put(struct pl_bpf *c, uint16_t op, uint32_t k);

/* Ends the program: accepts the whole packet. */
void pl_bpf_accept(struct pl_bpf *c);

/* Drops the packet unless the loaded value equals @value, is at least @value,
 * or is below @value; each is two instructions. */
void pl_bpf_must_be(struct pl_bpf *c, uint32_t value);
void pl_bpf_must_reach(struct pl_bpf *c, uint32_t value);
void pl_bpf_must_be_below(struct pl_bpf *c, uint32_t value);

/* A set of sequence numbers that are new: all above @high, and high - k where
 * bit k of @below is set. */
struct pl_bpf_news {
	uint32_t high;
	uint64_t below;
};

/* Drops the packet unless the loaded number is new. */
void pl_bpf_must_be_new(struct pl_bpf *c, const struct pl_bpf_news *news);

/* Loads 1, 2 or 4 bytes (BPF_B, BPF_H, BPF_W) at offset @at of the UDP payload
 * as one big-endian number. */
void pl_bpf_load(struct pl_bpf *c, uint16_t size, uint32_t at);

/* Drops the packet unless its source is this address: AF_INET, AF_INET6 and 4
 * or 16 bytes, network order. */
void pl_bpf_must_come_from(struct pl_bpf *c, int family, const uint8_t *bytes);

/* Drops the packet, which must have PL_PACKET_BYTES, unless its tag is right
 * under @key: the SipHash-2-4 of packet.h, as some 1800 instructions without a
 * loop. A key in a filter stays in the kernel's memory until the filter is
 * replaced. */
void pl_bpf_must_be_tagged(struct pl_bpf *c, const uint8_t key[PL_PACKET_KEY_BYTES]);

#endif
