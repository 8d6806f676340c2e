/* SPDX-License-Identifier: BSD-3-Clause */
/* digest.h - do two hosts have the same plan? */
#ifndef PLINK_SRC_MPIRUN_DIGEST_H
#define PLINK_SRC_MPIRUN_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits: detects copies that differ by accident, not by intent. When
 * the job runs, the plans are compared byte by byte. */
static inline uint64_t pl_digest(const char *data, size_t len)
{
	uint64_t digest = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		digest = (digest ^ (unsigned char)data[i]) *
			 UINT64_C(1099511628211);
	return digest;
}

#endif
