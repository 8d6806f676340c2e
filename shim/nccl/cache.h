/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.h - what ld.so's cache says of a library */
#ifndef PLINK_SHIM_NCCL_CACHE_H
#define PLINK_SHIM_NCCL_CACHE_H

#include "shim/nccl/find.h"

/* Hands @take the paths that the cache in the file @cache has for @name, until
 * it takes one. False where it takes none, or where the file is no cache. */
bool pl_cache_find(const char *cache, const char *name, pl_find_fn *take,
		   void *data);

#endif
