/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.h - finds a library in ld.so's cache */
#ifndef PLINK_SHIM_NCCL_CACHE_H
#define PLINK_SHIM_NCCL_CACHE_H

#include "shim/nccl/find.h"

/* Calls @take with each path that the file @cache, an ld.so cache, has for the
 * library @name, until it returns true. False if it never does, or if the file
 * cannot be read or is no such cache. */
bool pl_cache_find(const char *cache, const char *name, pl_find_fn *take,
		   void *data);

#endif
