/* SPDX-License-Identifier: BSD-3-Clause */
/* sent.h - what one rank has sent in an interval */
#ifndef PLINK_ENGINE_TUNE_SENT_H
#define PLINK_ENGINE_TUNE_SENT_H

#include "engine/mesh.h"

#include <stddef.h>
#include <stdint.h>

/* To one peer, over all lanes, as the kernel counts it; what goes through shared memory is not in
 * it. */
struct pl_sent {
	uint64_t bytes;   /* acknowledged */
	uint64_t busy_us; /* of the lane that was busy the longest */
	/* as the kernel has measured them last */
	uint32_t rtt_us;      /* the longest of any lane */
	uint64_t bytes_per_s; /* of all lanes */
};

/* sent[n_ranks], since the connections are there. */
void pl_sent_read(const struct pl_mesh *mesh, struct pl_sent *sent);

/* The bytes of the report of one rank of @n. */
size_t pl_sent_bytes(size_t n);

/* Writes what was sent between two times. */
void pl_sent_write(unsigned char *to, size_t n, const struct pl_sent *before,
		   const struct pl_sent *now);

/* Reads it to bytes[n] and busy_s[n]. */
void pl_sent_parse(const unsigned char *from, size_t n, double *bytes, double *busy_s);

#endif
