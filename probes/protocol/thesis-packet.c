/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-packet.c - the thesis' probe: 4 bytes, without any tag */
#include "config.h"

#include "probes/protocol/thesis-packet.h"

#define REPLY_BIT (UINT32_C(1) << 31)
#define ROUND_SHIFT 20

void pl_thesis_format(uint8_t out[PL_THESIS_BYTES], const struct pl_packet *p)
{
	const uint32_t round = p->round % PL_THESIS_ROUNDS;
	const uint32_t word = (p->direction == PL_REPLY ? REPLY_BIT : 0) | round << ROUND_SHIFT |
			      p->seq % PL_THESIS_SEQS;

	for (unsigned k = 0; k < PL_THESIS_BYTES; k++)
		out[k] = (uint8_t)(word >> (24 - 8 * k));
}

int pl_thesis_parse(struct pl_packet *p, const void *data, size_t len)
{
	const uint8_t *in = data;
	uint32_t word = 0;

	if (len != PL_THESIS_BYTES)
		return -1;
	for (unsigned k = 0; k < PL_THESIS_BYTES; k++)
		word = word << 8 | in[k];
	*p = (struct pl_packet){
		.direction = word & REPLY_BIT ? PL_REPLY : PL_REQUEST,
		.round = (uint16_t)(word >> ROUND_SHIFT & (PL_THESIS_ROUNDS - 1)),
		.seq = word & (PL_THESIS_SEQS - 1),
	};
	return 0;
}
