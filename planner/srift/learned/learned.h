/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.h - a model of bus bandwidths, learned from a grid of measurements (srift 4.2) */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_LEARNED_H
#define PLINK_PLANNER_SRIFT_LEARNED_LEARNED_H

#include "base/err.h"
#include "planner/srift/comm/comm.h"
#include "planner/srift/learned/crossval.h"
#include "planner/srift/learned/grid.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_LEARNED_VERSION 1
/* The most bytes of a network packet on EC2. */
#define PL_LEARNED_MTU 9000
/* Least number of rows of a half that has any. */
#define PL_LEARNED_ROWS_MIN 20

/* All features, in the order of a row: names of enum pl_grid_text (as indexes into their sorted
 * list), numbers of enum pl_grid_number, and the properties of the query. */
enum {
	PL_FEATURE_BYTES = PL_GRID_TEXTS + PL_GRID_NUMBERS,
	PL_FEATURE_RANKS,
	PL_FEATURE_ASYNC,
	PL_FEATURES
};
const char *pl_feature_name(size_t i);

/* The two halves of a model, by size; rows of the MTU itself belong to both. */
enum pl_half { PL_HALF_SMALL, PL_HALF_LARGE, PL_HALVES };
extern const char *const pl_half_name[PL_HALVES];

/* Trees that predict ln(bytes per second) - base, for sizes up to the MTU or from the MTU on. */
struct pl_learned_half {
	struct pl_boost *boost; /* NULL: the grid has no such sizes */
	double base;
	float least, most; /* range of labels; predictions are limited to it */
	struct pl_boost_fit fit;
	size_t n_rows, n_test; /* learned from; withheld for the test */
	size_t n_folds;        /* of the cross-validation: as asked, or one for each
				* cell learned from, if these are fewer */
	double mape;           /* on the rows withheld, as a share */
};

/* The names that occur as a feature, ascending: name i is v[i]. */
struct pl_categories {
	const char **v; /* borrowed from the machines */
	size_t n;
};

/* Start with {0}, end with fini. */
struct pl_learned {
	struct pl_grid_machine *machine;
	size_t n_machines;
	struct pl_categories category[PL_GRID_TEXTS];
	uint64_t mtu_bytes;
	struct pl_learned_half half[PL_HALVES];
};
void pl_learned_fini(struct pl_learned *m);

struct pl_learned_options {
	uint64_t mtu_bytes, seed;
	struct pl_boost_search search;            /* slopes apply to the small half */
	const struct pl_boost_progress *progress; /* NULL: none */
};

/*
 * Withholds a tenth of the cells of each half (a cell is a size, a machine and a number of ranks;
 * stratified in this order), searches by cross-validation on the rest, whose folds are of whole
 * cells, too, learns from all of the rest and computes the error on the rows withheld. So errors
 * are those of cells that were not seen. The small half uses the pseudo-Huber loss, the large one
 * the squared error. Moves the machines out of the grid, whose rows stay. 0, or -1 with @m empty
 * and @err set: PL_EINPUT if a half has fewer than PL_LEARNED_ROWS_MIN rows, fewer than two for
 * each fold, or too few cells to withhold some of and to give each fold one; PL_EUSAGE if XGBoost
 * is not built in or no combination gives finite errors. Same grid and options, same trees.
 */
int pl_learned_train(struct pl_learned *m, struct pl_grid *grid, const struct pl_learned_options *o,
		     struct pl_err *err);

/*
 * The file has these lines: version, and checksum of the rest; everything except the trees, as
 * JSON; the trees of the small half and of the large half as XGBoost's JSON, or "null". 0, or -1
 * with @err set: PL_EINPUT if pl_learned_write() did not write the file as it is (it was cut off or
 * changed), or if it has other features or another version. The caller closes @out.
 */
int pl_learned_write(const struct pl_learned *m, FILE *out, struct pl_err *err);
int pl_learned_parse(struct pl_learned *m, struct pl_text *text, struct pl_err *err);
int pl_learned_read(struct pl_learned *m, const char *path, struct pl_err *err);

/* Finds the machine of a type: *machine becomes its index. If the type is in
 * several places, @place selects one by its zone, region or cloud (NULL: not
 * given). 0, or -1 with @err set: PL_EUSAGE if there is none, or more than
 * one. */
int pl_learned_find(const struct pl_learned *m, const char *instance, const char *place,
		    size_t *machine, struct pl_err *err);

/* A query. */
struct pl_learned_query {
	size_t machine; /* its number */
	uint64_t bytes;
	size_t ranks, async;
};

/* Bus bandwidth of each of n queries, above 0. The trees are asked for numbers of ranks that were
 * measured; between two of these s / b is linear in n, outside the range it is that of the nearest.
 * 0, or -1 with @err set. */
int pl_learned_predict(const struct pl_learned *m, const struct pl_learned_query *query, size_t n,
		       double *bytes_per_s, struct pl_err *err);

/* A network of machines of these types, with a cache of the answers of the trees. Borrows from the
 * model. One thread at a time. Start with {0}, end with fini. */
struct pl_learned_net {
	const struct pl_learned *model;
	size_t *machine; /* [n_machines] */
	size_t n_machines;
	struct pl_learned_cache *cache;
};
/* 0, or -1: no memory. */
int pl_learned_net_init(struct pl_learned_net *net, const struct pl_learned *m,
			const size_t *machine, size_t n_machines);
void pl_learned_net_fini(struct pl_learned_net *net);

/*
 * A size is rounded up to a power of two, since grids have these sizes (srift 4.3). Below the least
 * size measured the time is that of the least size; above the largest size the bandwidth is that of
 * the largest. For mixed types the bandwidth of the slowest type counts. Numbers of ranks outside
 * the measured range are refused. The cap is the most that any number of transfers of any size get
 * together.
 */
struct pl_comm pl_learned_comm(const struct pl_learned_net *net);

#endif
