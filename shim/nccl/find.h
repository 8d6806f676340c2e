/* SPDX-License-Identifier: BSD-3-Clause */
/* find.h - where the real libnccl.so.2 is */
#ifndef PLINK_SHIM_NCCL_FIND_H
#define PLINK_SHIM_NCCL_FIND_H

#include <stdbool.h>
#include <stddef.h>

#define PL_NCCL_SONAME "libnccl.so.2"

/* True if the library can be opened at @path: the search ends. */
typedef bool pl_find_fn(void *data, const char *path);

/*
 * Calls @take with the paths of files that may be the real library, the likeliest first, until it
 * returns true. With PLINK_NCCL_LIBRARY, only with that path. Otherwise: a loaded libnccl.so.2;
 * then libnccl.so.2 in the run paths of loaded objects that need it, in LD_LIBRARY_PATH, in the run
 * paths of all other loaded objects, in the package of pip beside loaded Python packages, in
 * ld.so's cache, and in /usr/local/cuda/lib64. True if @take has returned true.
 */
bool pl_nccl_find(pl_find_fn *take, void *data);

/* Calls @take with each path that the file @cache, an ld.so cache, has for the library @name, until
 * it returns true. False if it never does, or if the file cannot be read or is no such cache. */
bool pl_cache_find(const char *cache, const char *name, pl_find_fn *take, void *data);

/* Is it called libnccl.so.2, or so with more behind it? */
bool pl_nccl_is_file(const char *path);

/* Does any loaded object need libnccl.so.2 (DT_NEEDED)? */
bool pl_nccl_is_needed(void);

/*
 * reach.c: for programs that this library does not reach. Call this at the end of a process in
 * which no function of this library was called. If there is a plan to follow, or statistics are
 * wanted, and the process has loaded CUDA's driver, prints where else NCCL is: inside the program
 * or one of its libraries, or opened by its path. NCCL inside a file that does not export it cannot
 * be found; then prints, only with PLINK_VERBOSE, that no function was called.
 */
void pl_reach_say(void);

#endif
