/* SPDX-License-Identifier: BSD-3-Clause */
/* fnv.h - FNV-1a, 64 bits: tells apart what differs by accident, not by
 * intent */
#ifndef PLINK_BASE_FNV_H
#define PLINK_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define PL_FNV_FIRST UINT64_C(0xcbf29ce484222325) /* of nothing */
#define PL_FNV_PRIME UINT64_C(0x100000001b3)

/* Of what the hash is of already, and then these bytes. */
static inline uint64_t pl_fnv_add(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ byte[i]) * PL_FNV_PRIME;
	return hash;
}

#endif
