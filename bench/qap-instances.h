/* SPDX-License-Identifier: BSD-3-Clause */
/* qap-instances.h - traffic to be placed on hosts: from QAPLIB, and made up */
#ifndef PLINK_BENCH_QAP_INSTANCES_H
#define PLINK_BENCH_QAP_INSTANCES_H

#include "base/err.h"
#include "solver/assign/assign.h"

#include <stddef.h>

/* An instance, and what is known about it. */
struct qap_instance {
	char name[64];
	struct pl_assign_problem problem;
	double known;    /* cost of the best assignment known; NaN: none */
	double constant; /* part of that which no assignment changes */
	size_t *given;   /* [n_pos] the assignment to start from */
	/* of hosts with the same slots in a tree: Scotch's name of it, with a
	 * leaf for each slot, and the hosts in the order of the leaves; else
	 * "" */
	char tree[64];
	const size_t *leaf; /* [hosts], borrowed */
};

/* Called with one instance after the other, each borrowed. 0, or -1 with @err set: no more
 * instances then. */
typedef int qap_instance_fn(const struct qap_instance *in, void *arg, struct pl_err *err);

/*
 * Calls @take with each DIR/qaplib/NAME.qap (n, a bound, the best cost known; two matrices), in the
 * order of their names. The matrix with fewer flows becomes the traffic, the other one the costs;
 * position k is given host k. 0, or -1 with @err set.
 */
int qap_instances_read(const char *dir, qap_instance_fn *take, void *arg, struct pl_err *err);

/*
 * Calls @take with jobs on hosts in racks and pods (racks.h): planted, cliques of as many positions
 * as a host has slots, the first ones of which exchange less with those of a rack; halo, each
 * position and its neighbours in a box; shuffled, the same with positions numbered at random;
 * random, five peers each. Up to @pos_max positions. Given is the order of numbers. 0, or -1 with
 * @err set.
 */
int qap_instances_make(size_t pos_max, qap_instance_fn *take, void *arg, struct pl_err *err);

#endif
