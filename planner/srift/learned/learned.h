/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.h - bus bandwidths learned from a grid of measurements (srift 4.2) */
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
/* Rows of a half at least, if it has any. */
#define PL_LEARNED_ROWS_MIN 20

/* All features, in the order of a row: names of enum pl_grid_text (as numbers,
 * by their order), numbers of enum pl_grid_number, and what is asked. */
enum {
	PL_FEATURE_BYTES = PL_GRID_TEXTS + PL_GRID_NUMBERS,
	PL_FEATURE_RANKS,
	PL_FEATURE_ASYNC,
	PL_FEATURES
};
const char *pl_feature_name(size_t i);

/* What one of the two learns from; sizes of the MTU belong to both. */
enum pl_half { PL_HALF_SMALL, PL_HALF_LARGE, PL_HALVES };
extern const char *const pl_half_name[PL_HALVES];

/* Trees that tell ln(bytes per second) - base, for sizes up to the MTU or from
 * it on. */
struct pl_learned_half {
	struct pl_boost *boost; /* NULL: the grid has no such sizes */
	double base;
	float least, most; /* labels: nothing beyond them is told */
	struct pl_boost_fit fit;
	size_t n_rows, n_test; /* learned from; withheld from all of that */
	double mape;           /* of those withheld, as a share */
};

/* The names a feature has, ascending: number i is names->v[i]. */
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
	struct pl_boost_search
		search; /* its slopes are those of the small half */
	const struct pl_boost_progress *progress; /* NULL: not told */
};

/*
 * Withholds a tenth of each half (stratified by size, machine, ranks and
 * transfers at once), searches by cross-validation on the rest, learns from all
 * of the rest and takes the error on what was withheld. The small half has the
 * pseudo-Huber loss, the large one the squared error. Takes the machines out of
 * the grid, whose rows stay. 0, or -1 with @m empty and @err set: PL_EINPUT
 * where a half has fewer than PL_LEARNED_ROWS_MIN rows or fewer than folds,
 * PL_EUSAGE where XGBoost is not built in. Same grid and options, same trees.
 */
int pl_learned_train(struct pl_learned *m, struct pl_grid *grid,
		     const struct pl_learned_options *o, struct pl_err *err);

/*
 * One file of lines: version and checksum of the rest; everything but the trees
 * as JSON; trees of the small and of the large half as XGBoost's JSON, or
 * "null". 0, or -1 with @err set: PL_EINPUT where it is not one that
 * pl_learned_write() made (cut off, changed), or one of other features or
 * another version. The caller closes.
 */
int pl_learned_write(const struct pl_learned *m, FILE *out, struct pl_err *err);
int pl_learned_parse(struct pl_learned *m, struct pl_text *text,
		     struct pl_err *err);
int pl_learned_read(struct pl_learned *m, const char *path, struct pl_err *err);

/*
 * The machine of that type, its number in *machine; where there are several
 * places, the one whose zone, region or cloud is @place (NULL: not told). 0, or
 * -1 with @err set: PL_EUSAGE, there is none, or more than one.
 */
int pl_learned_find(const struct pl_learned *m, const char *instance,
		    const char *place, size_t *machine, struct pl_err *err);

/* What is asked. */
struct pl_learned_query {
	size_t machine; /* its number */
	uint64_t bytes;
	size_t ranks, async;
};

/* Bus bandwidth of each of n queries, above 0, as the trees have it for numbers
 * of ranks that were measured; between two of these s / b is linear in n,
 * beyond them it is that of the nearest. 0, or -1 with @err set. */
int pl_learned_predict(const struct pl_learned *m,
		       const struct pl_learned_query *query, size_t n,
		       double *bytes_per_s, struct pl_err *err);

/* A job on machines of these types; what the trees have said of it so far is
 * kept. Borrows from the model. One thread at a time. Start with {0}, end with
 * fini. */
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
 * A size is rounded up to a power of two, the sizes such grids have (srift
 * 4.3); below the least size measured the time is that of the least, above the
 * largest the bandwidth is that of the largest. Where types are mixed the
 * slowest one's bandwidth counts. Numbers of ranks beyond those measured are
 * refused. The cap is the best that any number of transfers of any size get
 * together.
 */
struct pl_comm pl_learned_comm(const struct pl_learned_net *net);

#endif
