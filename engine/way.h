/* SPDX-License-Identifier: BSD-3-Clause */
/* way.h - what a schedule's slices ask of the links of a network */
#ifndef PLINK_ENGINE_WAY_H
#define PLINK_ENGINE_WAY_H

#include "base/err.h"
#include "engine/schedule.h"
#include "engine/window.h"
#include "predict/network.h"

#include <stddef.h>

/*
 * Follows all transfers over cards and uplinks, as if they had the network for themselves: fills
 * *way, of the slices that take longest and the rank that begins most, and *slowest_bytes_per_s,
 * the rate of the slowest link that carries anything; 0 where no rate is known. machine[n_ranks]:
 * the network's host of each rank. 0, or -1 with @err set: out of memory.
 */
int pl_slices_way(struct pl_window_way *way, double *slowest_bytes_per_s,
		  const struct pl_slices *slices, const size_t *machine, size_t n_ranks,
		  const struct pl_network *net, struct pl_err *err);

/* The same for the slices of @s, and sets its chunks and its window by it. */
int pl_schedule_take_way(struct pl_schedule *s, struct pl_window_way *way, const size_t *machine,
			 size_t n_ranks, const struct pl_network *net, struct pl_err *err);

#endif
