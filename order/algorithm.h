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

/* The names given by options; borrowed; NULL: not given. */
struct pl_order_names {
	const char *collective, *impl, *algorithm;
	bool han; /* as in struct pl_call */
};

/* Takes the first name off a list such as "allreduce,broadcast" and copies it
 * to
 * @one, cut where it is too long; *list becomes NULL after the last. Returns
 * @one, or NULL where *list is NULL. */
#define PL_ORDER_NAME_CHARS 64
const char *pl_order_next_name(const char **list, char one[PL_ORDER_NAME_CHARS]);

struct pl_order_algorithm {
	const struct pl_algorithm *a;
	char name[64]; /* as in plans and JSON: "ring", "bcube:4" */
	size_t radix;
	bool has_size;
	uint64_t bytes;         /* where has_size */
	uint64_t segment_bytes; /* 0: the library's default */
	size_t root;            /* root rank of a broadcast or reduce */
	bool han;               /* as in struct pl_call */
};

/*
 * Finds the algorithm with these names in the catalogue; leaves the size of @what unchanged.
 * Defaults: allreduce; thesis; as algorithm, a ring for the thesis and NCCL (but see
 * pl_reorder_nccl_default), for the other libraries the rule by which they choose ("default"), or,
 * without such a rule, a ring, or else their first algorithm. 0, or -1 with @err set (PL_EUSAGE).
 */
int pl_order_algorithm_find(struct pl_order_algorithm *what, const struct pl_order_names *names,
			    struct pl_err *err);

/* Is the call possible on any hosts? 0, or -1 with @err set (PL_EUSAGE): a barrier with a size, a
 * root for a collective without one. */
int pl_order_algorithm_check(const struct pl_order_algorithm *what, struct pl_err *err);

/*
 * Makes the call that @n_ranks ranks on these hosts make (0: as many as the hosts have slots).
 * Without a size, its size is pl_order_unsaid_bytes. The positions of the call are ranks; for NCCL
 * on hosts with unequal slots they are hosts, since NCCL's algorithms run between hosts. 0, or -1
 * with @err set (PL_EUSAGE): a size that cannot be sent, a root that is none of the ranks, MPICH on
 * hosts with unequal slots.
 */
int pl_order_call(const struct pl_order_algorithm *what, const struct pl_hosts *hosts,
		  size_t n_ranks, struct pl_call *call, struct pl_err *err);

#define PL_ORDER_LARGE ((uint64_t)8 << 20)

/*
 * The bytes of a call without a stated size. For a rule ("default"), about
 * PL_ORDER_LARGE, because large calls are what an order is for; of an
 * all-gather that is the size of the whole result, of an all-to-all that of a
 * rank's buffer. For other algorithms, the
 * smallest size with an element for every rank (Gloo: with two, one for each of
 * its segments). 0 for a barrier.
 */
uint64_t pl_order_unsaid_bytes(const struct pl_order_algorithm *what, size_t n_ranks);

/* The slots of each host if all have the same number, else 0. */
size_t pl_order_slots(const struct pl_hosts *hosts);

#define PL_ORDER_TITLE 160

/* "allreduce bcube:4 (thesis)", with root and size if there are any. Returns @buf. */
const char *pl_order_title(char buf[PL_ORDER_TITLE], const struct pl_order_algorithm *what);

#endif
