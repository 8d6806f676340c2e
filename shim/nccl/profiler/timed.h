/* SPDX-License-Identifier: BSD-3-Clause */
/* timed.h - how long collectives take on the GPU, as its channels tell */
/*
 * NCCL runs a collective in several channels. Each tells when it has begun and ended, by the GPU's
 * clock, after the collective was launched and on another thread. The time of the collective is
 * from the first of them to the last.
 */
#ifndef PLINK_SHIM_NCCL_PROFILER_TIMED_H
#define PLINK_SHIM_NCCL_PROFILER_TIMED_H

#include <stdint.h>

/* A collective that has been launched, in table.h's row @key. */
struct pl_timed;

/* Begins one of which @n_parts parts will end: its channels, and the launch. NULL: too many have
 * not ended yet, or there is no memory; it is not timed. */
struct pl_timed *pl_timed_begin(uint64_t key, int n_parts);

/* A channel has begun, or ended, at this time. */
void pl_timed_first(struct pl_timed *timed, uint64_t ns);
void pl_timed_last(struct pl_timed *timed, uint64_t ns);

/* A part has ended; with the last one the time is added to the row, and @timed is gone. */
void pl_timed_end(struct pl_timed *timed);

#endif
