/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.h - which pairs to measure where the hosts' places are not known */
#ifndef PLINK_TOPOLOGY_SPARSE_H
#define PLINK_TOPOLOGY_SPARSE_H

#include "base/err.h"
#include "topology/sample.h"

#include <stddef.h>
#include <stdint.h>

struct pl_sparse_options {
	size_t per_host; /* pairs per host, at most, on average; >= 8 */
	size_t besides;  /* pairs measured in addition, which count towards
			  * per_host */
	uint64_t seed;
};

#define PL_SPARSE_LEAST 8

/*
 * A search for near hosts, in steps: pl_sparse_next() names pairs to be measured at once,
 * pl_sparse_take() takes the results, and so on until no pair is named. It opens no socket: the
 * caller measures, by agents or in a simulation.
 *
 * Hosts are divided from the widest groups down. Some hosts of a group, the seeds, are all measured
 * against one another; where average linkage shows a gap, they form parts (sparse-split.h). Each
 * other host is then measured against one host of each part, always the one of the least load,
 * until one is near. One near host rules out all other parts, and what levels above have shown
 * about a part is not measured again. A host that is near to no part is tried with other members,
 * and the hosts left over may become seeds of parts not seen so far. Small parts that are fragments
 * of others are joined to them. What a host adds to all its pairs is separated from noise by means
 * of pairs that share a host, and subtracted (sparse-own.h). Then each part is divided in turn; a
 * part without a gap of its own is divided by the scale of its siblings that have one. A part that
 * is small enough is measured in full; in a part that cannot be divided, random pairs and
 * neighbours' neighbours are measured.
 *
 * So no host is in more than a few times as many pairs as another (a landmark would be in n), and
 * the number of rounds does not grow with n. A level of k parts takes k / 2 pairs per host. If all
 * parts are equally far from one another, no method can place a host with fewer, so not all parts
 * are found where one level has more than per_host of them.
 */
struct pl_sparse;

/* Returns a search over n hosts, for the caller to destroy; NULL with @err set: PL_EUSAGE for bad
 * options, PL_ESYSTEM. */
struct pl_sparse *pl_sparse_create(size_t n, const struct pl_sparse_options *options,
				   struct pl_err *err);
void pl_sparse_destroy(struct pl_sparse *s);

/* Names the next pairs, none of them named before; borrowed until the next call. *n = 0: the search
 * is complete. 0, or -1 with @err set: no memory. */
int pl_sparse_next(struct pl_sparse *s, const struct pl_sample_pair **pair, size_t *n,
		   struct pl_err *err);

/* Takes the measured distance of a pair; a pair that failed is not passed. May be called at any
 * time, also for pairs that were not named: a known pair is not asked for. 0, or -1: no memory. */
int pl_sparse_take(struct pl_sparse *s, size_t a, size_t b, double distance);

/* The host is lost: it is in no further pair. */
void pl_sparse_leave(struct pl_sparse *s, size_t host);

#endif
