/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-packet.h - the thesis' probe: 4 bytes, without any tag */
#ifndef PLINK_PROBES_PROTOCOL_THESIS_PACKET_H
#define PLINK_PROBES_PROTOCOL_THESIS_PACKET_H

#include "probes/protocol/packet.h"

#define PL_THESIS_BYTES 4
#define PL_THESIS_ROUNDS 2048 /* round numbers are sent modulo this */
#define PL_THESIS_SEQS (1u << 20)

/*
 * "A 32-bit payload that encodes sequence number and round id" (thesis, 5.2.2,
 * which does not say how). Here: bit 31 is set in replies, bits 30 to 20 are
 * the round modulo 2048, the others the sequence number; big-endian.
 */
void pl_thesis_format(uint8_t out[PL_THESIS_BYTES], const struct pl_packet *p);

/* Fills direction, round and seq; all else is 0. 0, or -1 with *p unchanged:
 * not 4 bytes. */
int pl_thesis_parse(struct pl_packet *p, const void *data, size_t len);

#endif
