/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.h - the collective that an order is for */
#ifndef PLINK_ORDER_ALGORITHM_H
#define PLINK_ORDER_ALGORITHM_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_ORDER_ELEMENT 4 /* bytes of a number */

/* As the options name it; strings are borrowed, NULL: not given. */
struct pl_order_names {
	const char *collective, *impl, *algorithm;
};

struct pl_order_algorithm {
	const struct pl_algorithm *a;
	char name[64]; /* as plans and JSON have it: "ring", "bcube:4" */
	size_t radix;
	bool has_size;
	uint64_t bytes;         /* where has_size */
	uint64_t segment_bytes; /* 0: the library's own */
	size_t root; /* the rank that broadcasts, or that is reduced to */
};

/* The algorithm of those names in the catalogue; its size is left as it was.
 * Defaults: allreduce, thesis; a ring of the thesis and of NCCL (but see
 * pl_order_nccl_default), what a library takes by its own rules of the others,
 * or, where it has none, a ring or its first. 0, or -1 with @err set
 * (PL_EUSAGE). */
int pl_order_algorithm_find(struct pl_order_algorithm *what,
			    const struct pl_order_names *names,
			    struct pl_err *err);

/* Can it be run so at all, whatever the hosts? 0, or -1 with @err set. */
int pl_order_algorithm_check(const struct pl_order_algorithm *what,
			     struct pl_err *err);

/*
 * The call that the ranks of those hosts make, @n_ranks of them (0: all slots).
 * Without a size it is that of pl_order_unsaid_bytes. 0, or -1 with @err set
 * (PL_EUSAGE): a size that nobody can send, a root that is none of the ranks.
 * NCCL knows hosts: where they have unequal slots, positions are hosts.
 */
int pl_order_call(const struct pl_order_algorithm *what,
		  const struct pl_hosts *hosts, size_t n_ranks,
		  struct pl_call *call, struct pl_err *err);

#define PL_ORDER_LARGE ((uint64_t)8 << 20)

/*
 * The bytes of a call whose size is not said. Of a rule about PL_ORDER_LARGE,
 * in an all-gather the whole result, since large calls are what an order is
 * for; else the smallest that has an element for every rank, of Gloo two, for
 * all its segments.
 */
uint64_t pl_order_unsaid_bytes(const struct pl_order_algorithm *what,
			       size_t n_ranks);

/* Slots of every host, where all have as many; else 0. */
size_t pl_order_slots(const struct pl_hosts *hosts);

#define PL_ORDER_TITLE 160

/* "allreduce bcube:4 (thesis)", with root and size where there are any. */
const char *pl_order_title(char buf[PL_ORDER_TITLE],
			   const struct pl_order_algorithm *what);

#endif
