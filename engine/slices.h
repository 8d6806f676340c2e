/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - the slices of an all-reduce, found in a pattern's messages */
#ifndef PLINK_ENGINE_SLICES_H
#define PLINK_ENGINE_SLICES_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "engine/slice.h"

#include <stddef.h>

/* Slices of fewer bytes are not taken where there is a choice: each slice costs messages of its
 * own, which take longer than such bytes do. */
#define PL_SLICE_BYTES 8192

/* Start with {0}, end with fini. */
struct pl_slices {
	struct pl_slice *slice;
	size_t n, room;
	/* of a pattern that gathers: [n], the rank whose block the slice is of; otherwise
	 * PL_SLICE_ALL in all */
	uint32_t *owner;
	uint64_t *hash; /* [n] of the transfers */
};

void pl_slices_fini(struct pl_slices *slices);

/* Adds a slice with transfers by round, destination and source; its weight goes to a slice of the
 * same owner and transfers, where there is one. Takes *slice, on success. 0, or -1: out of
 * memory. */
int pl_slices_add_take(struct pl_slices *slices, struct pl_slice *slice, uint32_t owner);

/* Do both take the same transfers, whatever their weights? */
bool pl_slice_same_way(const struct pl_slice *a, const struct pl_slice *b);

/*
 * Cuts the buffer of an all-reduce where a message begins or ends, and gives each piece the
 * messages that carry it as transfers, in as few rounds as keep the order of every rank's own sends
 * and receives. Pieces with the same transfers become one slice. *slices must be {0}. 0, or -1 with
 * @err set and *slices {0}: PL_EUSAGE for a pattern whose messages carry no known bytes and for an
 * order of messages that no rounds can have; PL_ESYSTEM for memory.
 */
int pl_slices_of_pattern(struct pl_slices *slices, const struct pl_pattern *p, struct pl_err *err);

#endif
