/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.h - which pairs to measure where nobody tells how the hosts stand */
#ifndef PLINK_TOPOLOGY_SPARSE_H
#define PLINK_TOPOLOGY_SPARSE_H

#include "base/err.h"
#include "topology/sample.h"

#include <stddef.h>
#include <stdint.h>

struct pl_sparse_options {
	size_t per_host; /* pairs a host is in, on average at most; >= 8 */
	size_t besides; /* pairs that are measured besides, and count in that */
	uint64_t seed;
};

#define PL_SPARSE_LEAST 8

/*
 * A search for near hosts, in steps: pl_sparse_next() names pairs to be
 * measured at once, pl_sparse_take() gets what came out, and so on until none
 * is named. It opens no socket: who measures is the caller's business, agents
 * or a simulation.
 *
 * Hosts are parted from the widest groups down. Some of a group, the seeds, are
 * all measured against one another; where average linkage shows a gap they fall
 * into parts (sparse-split.h). Each other host is then measured against one
 * host of each part, always that of the least load, until one is near; which
 * rules out all others of that part at once, and what is known of a part from
 * levels above is not asked again. Who is near to none is tried with other
 * hosts, and those left over may be seeds of parts not seen so far. Small parts
 * that are pieces of others are joined to them. What hosts add to each of their
 * pairs is told from noise by pairs that share a host, and taken off
 * (sparse-own.h). Then each part is parted itself; one without a gap of its own
 * by the scale of its neighbours that have parts. A part small enough is
 * measured in full, one that has no parts by chance and by neighbours'
 * neighbours.
 *
 * So no host is in more than a few times the pairs of another (landmarks would
 * each be in n), and the rounds of a measurement do not grow with n. A level of
 * k parts takes k / 2 pairs a host; nothing can find a host among k parts, all
 * as far from one another, by less, so that more than per_host parts of one
 * level are not all found.
 */
struct pl_sparse;

/* NULL with @err set: PL_EUSAGE for options, PL_ESYSTEM. */
struct pl_sparse *pl_sparse_create(size_t n,
				   const struct pl_sparse_options *options,
				   struct pl_err *err);
void pl_sparse_destroy(struct pl_sparse *s);

/* The next pairs, none of them named before; borrowed until the next call. *n =
 * 0: that was all. 0, or -1 with @err set: no memory. */
int pl_sparse_next(struct pl_sparse *s, const struct pl_sample_pair **pair,
		   size_t *n, struct pl_err *err);

/* What was measured of a pair; a pair that fails is not taken. May come at any
 * time, also for pairs that were not named: what is known is not asked for.
 * 0, or -1: no memory. */
int pl_sparse_take(struct pl_sparse *s, size_t a, size_t b, double distance);

/* The host is lost: it is in no further pair. */
void pl_sparse_leave(struct pl_sparse *s, size_t host);

/* order[n]: hosts such that those of each part follow one another, parts within
 * parts; within the smallest always the nearest measured one next. */
int pl_sparse_order(const struct pl_sparse *s, size_t *order,
		    struct pl_err *err);

struct pl_sparse_report {
	size_t n_pairs;  /* named so far */
	size_t n_steps;  /* calls of next that named any */
	size_t busiest;  /* pairs of the host that is in most */
	size_t n_groups; /* smallest parts */
};

void pl_sparse_describe(const struct pl_sparse *s, struct pl_sparse_report *r);

#endif
