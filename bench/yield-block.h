/* SPDX-License-Identifier: BSD-3-Clause */
/* yield-block.h - what a program may ask the yield-blocking preload library */
#ifndef PLINK_BENCH_YIELD_BLOCK_H
#define PLINK_BENCH_YIELD_BLOCK_H

#define PL_YIELD_BLOCK_SYMBOL "pl_yield_block_us"

/* Longest time in us that sched_yield() waits for the network; 0: it does not. Not linked: programs
 * look it up with dlsym() and find it when preloaded. */
long pl_yield_block_us(void);

typedef long pl_yield_block_fn(void);

#endif
