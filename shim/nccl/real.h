/* SPDX-License-Identifier: BSD-3-Clause */
/* real.h - the NCCL that this library stands before */
#ifndef PLINK_SHIM_NCCL_REAL_H
#define PLINK_SHIM_NCCL_REAL_H

#include "shim/nccl/calls.h"

/* What the program calls is to be seen from outside, all else is not. */
#pragma GCC visibility push(default)
#include "shim/nccl/prototypes.h"
#pragma GCC visibility pop

#include <stdbool.h>
#include <stddef.h>

/* The real functions. The first call of any looks for the library. */
extern struct pl_nccl_calls pl_nccl;

/* The real ncclX, where @function is X. */
#define PL_NCCL(function) (__atomic_load_n(&pl_nccl.function, __ATOMIC_ACQUIRE))

/* ncclX is pncclX of this library, and weak, as in the real one. */
#define PL_NCCL_ALIAS(name)                                                    \
	__typeof__(p##name) name __attribute__((weak, alias("p" #name)));

/* One line of the table of functions. */
struct pl_nccl_name {
	const char *name;      /* "ncclAllReduce" */
	size_t offset;         /* of the pointer in struct pl_nccl_calls */
	void (*lacking)(void); /* what is called where there is none */
};
/* Ends with a name of NULL. */
extern const struct pl_nccl_name pl_nccl_names[];

/* Looks for the library once and fills pl_nccl; what it does not have, and all
 * where it is not found, becomes the lacking function, having said so. */
void pl_nccl_open(void);

/* Was it found? Only when pl_nccl_open has returned. */
bool pl_nccl_is_open(void);

/* Its version, as ncclGetVersion has it (22809); 0 where it is not found. */
int pl_nccl_version(void);

#endif
