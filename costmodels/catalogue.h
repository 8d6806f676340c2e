/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.h - the one table of collective x impl x algorithm
 * (plink-patterns(7)) */
#ifndef PLINK_COSTMODELS_CATALOGUE_H
#define PLINK_COSTMODELS_CATALOGUE_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/pattern.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* Algorithm number @i in the order of the man page; NULL behind the last. */
const struct pl_algorithm *pl_catalogue_entry(size_t i);

/* "allreduce", "openmpi", ...: as in options and plans. */
const char *pl_collective_name(enum pl_collective collective);
const char *pl_impl_name(enum pl_impl impl);
/* 0, or -1 with @err set (PL_EUSAGE), which lists the names there are. */
int pl_collective_parse(const char *s, enum pl_collective *collective,
			struct pl_err *err);
int pl_impl_parse(const char *s, enum pl_impl *impl, struct pl_err *err);

/* Is there a rank from or to which it goes? */
bool pl_collective_has_root(enum pl_collective collective);

/*
 * The algorithm called @name ("ring", "bcube:4") among those of the collective
 * and the impl. *radix is what stands behind the colon, 0 without one.
 * NULL with @err set (PL_EUSAGE), which lists the names there are.
 */
const struct pl_algorithm *pl_catalogue_find(enum pl_collective collective,
					     enum pl_impl impl,
					     const char *name, size_t *radix,
					     struct pl_err *err);

/*
 * Fills in defaults (element_bytes, slots) and refuses what no library could
 * do: no ranks, a root that is no rank, more slots than ranks, sizes beyond
 * INT64_MAX or of no whole number of elements; hosts for positions where that
 * is not told. 0, or -1 with @err set (PL_EUSAGE).
 */
int pl_call_check(struct pl_call *call, struct pl_err *err);

/* Is that one of Gloo's functions on unbound buffers? All its others are
 * classes, whose buffers are bound to a pair. */
bool pl_gloo_is_function(const struct pl_algorithm *a, size_t radix);

/* The algorithm the library runs for a checked call: @a itself, or what the
 * rule @a decides; *decided is the call as that algorithm gets it. */
const struct pl_algorithm *pl_algorithm_decide(const struct pl_algorithm *a,
					       const struct pl_call *call,
					       struct pl_call *decided);

/* Pattern and objective of a call (checked here). Rules are followed. There is
 * no pattern where positions are hosts. 0, or -1 with @err set and nothing to
 * release. */
int pl_algorithm_pattern(const struct pl_algorithm *a,
			 const struct pl_call *call, struct pl_pattern *p,
			 struct pl_err *err);
int pl_algorithm_shape(const struct pl_algorithm *a, const struct pl_call *call,
		       struct pl_shape *shape, struct pl_err *err);

#endif
