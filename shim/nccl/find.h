/* SPDX-License-Identifier: BSD-3-Clause */
/* find.h - where the real libnccl.so.2 is */
#ifndef PLINK_SHIM_NCCL_FIND_H
#define PLINK_SHIM_NCCL_FIND_H

#include <stdbool.h>
#include <stddef.h>

#define PL_NCCL_SONAME "libnccl.so.2"
/* By this name, the audit library lets us open what the program has asked
 * for. */
#define PL_NCCL_ASKED "libplink-nccl-asked.so"

/* Is @path where the library is to be had? */
typedef bool pl_find_fn(void *data, const char *path);

/*
 * Hands @take the paths of files at which the library may be, the likeliest
 * first, until it takes one: that of PLINK_NCCL_LIBRARY, and no other where it
 * is set; what the program has asked for, where LD_AUDIT is set; one that is
 * loaded already; where those loaded objects that need it would have it from
 * (their run paths, LD_LIBRARY_PATH), then beside the Python packages that are
 * loaded, then what ld.so's cache has. True if it took one.
 */
bool pl_nccl_find(pl_find_fn *take, void *data);

/* Does any loaded object say that it needs libnccl.so.2? */
bool pl_nccl_is_needed(void);

#endif
