/* SPDX-License-Identifier: BSD-3-Clause */
/* han.h - collectives of two levels, as coll/han puts them together */
#ifndef PLINK_COSTMODELS_OPENMPI_HAN_H
#define PLINK_COSTMODELS_OPENMPI_HAN_H

#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A call of coll/han is a few collectives in a row, each within every host or
 * between the leaders: the ranks that are on their host what the root is on its
 * own, where there is no root the first ones. A large buffer goes in segments,
 * which run beside each other.
 */

/* One of these collectives. */
struct pl_openmpi_han_part {
	enum pl_collective collective; /* by the fixed rules of coll/tuned */
	pl_generate_fn *generate;      /* unless this is not NULL */
	bool between;                  /* the leaders, not the ranks of a host */
	size_t root;                   /* of these ranks */
	uint64_t bytes;
};
#define PL_OPENMPI_HAN_PARTS 4

/* Which collectives a segment of @bytes bytes needs, the first of the call or a
 * later one: fills in part[PL_OPENMPI_HAN_PARTS], zeroed before, and returns
 * how many there are. */
typedef size_t pl_openmpi_han_fn(struct pl_openmpi_han_part *part, const struct pl_call *call,
				 uint64_t bytes, bool first);

struct pl_openmpi_han {
	enum pl_collective collective;
	bool in_segments;
	pl_openmpi_han_fn *parts;
};

/* The script and the shape of a call. What coll/han does not serve is run by
 * coll/tuned. 0, or -1 with @err set. */
int pl_openmpi_han_script(struct pl_script *s, const struct pl_openmpi_han *han,
			  const struct pl_call *call, struct pl_err *err);
int pl_openmpi_han_shape(struct pl_shape *shape, const struct pl_openmpi_han *han,
			 const struct pl_call *call, struct pl_err *err);

/* The reduce and the broadcast of coll/libnbc, to which leaders turn. */
pl_generate_fn pl_openmpi_nbc_reduce;
pl_generate_fn pl_openmpi_nbc_broadcast;

#endif
