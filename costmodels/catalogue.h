/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.h - the one table of collective x impl x algorithm (plink-patterns(7)) */
#ifndef PLINK_COSTMODELS_CATALOGUE_H
#define PLINK_COSTMODELS_CATALOGUE_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/pattern.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* Algorithm number @i in the order of plink-patterns(7); NULL if @i is beyond the last one. */
const struct pl_algorithm *pl_catalogue_entry(size_t i);

/* "allreduce", "openmpi", ...: as in options and plans. */
const char *pl_collective_name(enum pl_collective collective);
const char *pl_impl_name(enum pl_impl impl);
/* 0, or -1 with @err set: PL_EUSAGE for an unknown name; the text lists the known ones. */
int pl_collective_parse(const char *s, enum pl_collective *collective, struct pl_err *err);
int pl_impl_parse(const char *s, enum pl_impl *impl, struct pl_err *err);

/* Does the collective have a root? True for broadcast and reduce. */
bool pl_collective_has_root(enum pl_collective collective);

/* Is the size of a call that of one block, of which a rank's buffer has one for each rank? True for
 * all-gather and all-to-all. */
bool pl_collective_is_by_block(enum pl_collective collective);

/*
 * The algorithm called @name ("ring", "bcube:4") among those of the collective and the
 * implementation. *radix becomes the number behind the colon, 0 without one. NULL with @err set:
 * PL_EUSAGE for an unknown name, which the text answers with the known ones, for a missing or bad
 * number and for a number that the algorithm does not take.
 */
const struct pl_algorithm *pl_catalogue_find(enum pl_collective collective, enum pl_impl impl,
					     const char *name, size_t *radix, struct pl_err *err);

/* The algorithm of exactly that name, which must exist. */
const struct pl_algorithm *pl_catalogue_named(enum pl_collective collective, enum pl_impl impl,
					      const char *name);

/*
 * Fills in the defaults of element_bytes and slots, and refuses calls that no library can make: no
 * ranks, a root that is not a rank, more slots than ranks, bytes beyond INT64_MAX or not a multiple
 * of element_bytes; with n_ranks set, fewer ranks than positions, or slots other than 1. 0, or -1
 * with @err set (PL_EUSAGE).
 */
int pl_call_check(struct pl_call *call, struct pl_err *err);

/* The largest message that Open MPI's ob1 sends over TCP at once: the eager limit less 56 bytes,
 * its largest header. A larger message takes so many one-way trips: a request, the receiver's
 * answer, the data. The same of MPICH over UCX. */
#define PL_OPENMPI_EAGER_BYTES (65536 - 56)
#define PL_OPENMPI_TRIPS 3
#define PL_MPICH_EAGER_BYTES 19522
#define PL_MPICH_TRIPS 5

/* Is the algorithm, one of Gloo's, a function (which uses unbound buffers)? All others are classes,
 * whose buffers are bound to a pair of ranks. */
bool pl_gloo_is_function(const struct pl_algorithm *a, size_t radix);

/* The algorithm that the library runs for a checked call: @a itself, or the one that @a chooses if
 * it is a rule. *decided becomes the call as that algorithm gets it. */
const struct pl_algorithm *pl_algorithm_decide(const struct pl_algorithm *a,
					       const struct pl_call *call, struct pl_call *decided);

/* Of a call that has been decided: @a, or what runs in its place (pl_algorithm.unless). */
const struct pl_algorithm *pl_algorithm_instead(const struct pl_algorithm *a,
						const struct pl_call *call);

/* The script of a call, which the caller ends with pl_script_fini; as below. */
int pl_algorithm_script(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_script *script, struct pl_err *err);

/* The pattern and the objective of a call, which is checked here. If @a is a rule, the algorithm
 * that it chooses is taken. A call with n_ranks set has no pattern (PL_EUSAGE). 0, or -1 with @err
 * set and nothing to release. */
int pl_algorithm_pattern(const struct pl_algorithm *a, const struct pl_call *call,
			 struct pl_pattern *p, struct pl_err *err);
int pl_algorithm_shape(const struct pl_algorithm *a, const struct pl_call *call,
		       struct pl_shape *shape, struct pl_err *err);

/* Makes *shape the sum over the rounds of the call's pattern (pl_shape_of_rounds), whatever shape
 * the algorithm has. 0, or -1 with @err set. */
int pl_algorithm_rounds(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_shape *shape, struct pl_err *err);

#endif
