/* SPDX-License-Identifier: BSD-3-Clause */
/* real.h - the real NCCL, which this library wraps */
#ifndef PLINK_SHIM_NCCL_REAL_H
#define PLINK_SHIM_NCCL_REAL_H

#include "shim/nccl/calls.h"

/* Only what the program calls is visible from outside. */
#pragma GCC visibility push(default)
#include "shim/nccl/prototypes.h"
#pragma GCC visibility pop

#include <stdbool.h>
#include <stddef.h>

/* The real functions. The first call of any of them opens the library. */
extern struct pl_nccl_calls pl_nccl;

/* The real ncclX, where @function is X. */
#define PL_NCCL(function) (__atomic_load_n(&pl_nccl.function, __ATOMIC_ACQUIRE))

/* Makes ncclX a weak alias of this library's pncclX, as in the real library. */
#define PL_NCCL_ALIAS(name) __typeof__(p##name) name __attribute__((weak, alias("p" #name)));

/* One line of the table of functions. */
struct pl_nccl_name {
	const char *name;      /* "ncclAllReduce" */
	size_t offset;         /* of the pointer in struct pl_nccl_calls */
	void (*lacking)(void); /* what is called if the library lacks it */
};
/* Ends with a name of NULL. */
extern const struct pl_nccl_name pl_nccl_names[];

/* Looks for the library once and fills pl_nccl. A function that the library does not have becomes
 * its lacking function. If the library is not found, says so, and all functions do. */
void pl_nccl_open(void);

/* Was the library found? Valid when pl_nccl_open() has returned. */
bool pl_nccl_is_open(void);

/* The library's version as from ncclGetVersion (22809 is 2.28.9); 0 if it was not found. */
int pl_nccl_version(void);

#endif
