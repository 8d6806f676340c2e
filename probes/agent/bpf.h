/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf.h - a program of the kernel's classic packet filter, being written */
#ifndef PLINK_PROBES_AGENT_BPF_H
#define PLINK_PROBES_AGENT_BPF_H

#include "probes/protocol/packet.h"

#include <linux/filter.h>
#include <stdint.h>

/* A UDP socket's filter sees the packet from that header on. */
#define PL_BPF_UDP_BYTES 8

/* linux/filter.h; whoever writes it sees to it that it fits. Start with n =
 * 0. */
struct pl_bpf {
	struct sock_filter v[BPF_MAXINSNS];
	unsigned short n;
};

void pl_bpf_put(struct pl_bpf *c, uint16_t op, uint32_t k);

/* Ends the program: all of the packet, or nothing. */
void pl_bpf_accept(struct pl_bpf *c);
void pl_bpf_drop(struct pl_bpf *c);

/* Drops unless what was loaded is @value, or at least @value. */
void pl_bpf_must_be(struct pl_bpf *c, uint32_t value);
void pl_bpf_must_reach(struct pl_bpf *c, uint32_t value);

/* Numbers that are new: all above @high, and high - k where bit k is set. */
struct pl_bpf_news {
	uint32_t high;
	uint64_t below;
};

/* Drops unless the number that was loaded is new. */
void pl_bpf_must_be_new(struct pl_bpf *c, const struct pl_bpf_news *news);

/* Loads 1, 2 or 4 bytes (BPF_B, BPF_H, BPF_W) at @at of the packet proper, as
 * one number, most significant byte first. */
void pl_bpf_load(struct pl_bpf *c, uint16_t size, uint32_t at);

/* Drops the packet, of PL_PACKET_BYTES, unless its tag is right under @key: the
 * SipHash-2-4 of packet.h, as some 1800 instructions without a loop. Where a
 * run's key is in a filter, it is in the kernel's memory until the filter is
 * replaced. */
void pl_bpf_must_be_tagged(struct pl_bpf *c,
			   const uint8_t key[PL_PACKET_KEY_BYTES]);

#endif
