/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-digest.h - a digest of messages in a row (64-bit FNV-1a, by words) */
#ifndef PLINK_TESTS_COSTMODELS_TRAFFIC_DIGEST_H
#define PLINK_TESTS_COSTMODELS_TRAFFIC_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Adds one message to @digest (0: no message yet) and returns the new digest. The size is increased
 * by 1, so that an empty message counts, too. */
static inline uint64_t traffic_digest(uint64_t digest, size_t dst, uint64_t bytes)
{
	const uint64_t prime = 1099511628211U;

	if (digest == 0)
		digest = 14695981039346656037U;
	digest = (digest ^ dst) * prime;
	return (digest ^ (bytes + 1)) * prime;
}

#endif
