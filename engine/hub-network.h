/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-network.h - all-reduces by hubs on a network whose cards are known */
#ifndef PLINK_ENGINE_HUB_NETWORK_H
#define PLINK_ENGINE_HUB_NETWORK_H

#include "base/err.h"
#include "engine/hub-racks.h"
#include "engine/schedule.h"
#include "engine/slices.h"
#include "predict/network.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The slices of an all-reduce by hubs: shares of ranks and hubs by the rates of
 * their cards, of which each rank of a machine has its part.
 * machine[n_ranks + n_hubs]: of @net. *slices must be {0}. 0, or -1 with @err
 * set: PL_EUSAGE where a card's rate is not known.
 */
int pl_hub_network_slices(struct pl_slices *slices, size_t n_ranks, size_t n_hubs,
			  const struct pl_network *net, const size_t *machine, size_t slices_max,
			  struct pl_err *err);

/* The racks in which the network has them. *g must be {0}. 0, or -1: out of memory. */
int pl_hub_network_racks(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const struct pl_network *net, const size_t *machine);

/* Seconds of an all-reduce of @bytes by these slices or, if this takes less, by those with hubs in
 * each rack, as the engine runs them: their messages are played on the network (predict/). INFINITY
 * if both have several slices of less than PL_SLICE_BYTES or none, as such schedules are not
 * written. 0, or -1 with @err set: likewise, and PL_EUSAGE for too many messages. */
int pl_hub_network_seconds(double *seconds, size_t n_ranks, size_t n_hubs,
			   const struct pl_network *net, const size_t *machine, uint64_t bytes,
			   struct pl_err *err);

#endif
