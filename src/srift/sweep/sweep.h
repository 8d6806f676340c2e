/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.h - plink-srift sweep: throughput by type and number of machines */
#ifndef PLINK_SRC_SRIFT_SWEEP_SWEEP_H
#define PLINK_SRC_SRIFT_SWEEP_SWEEP_H

#include "planner/srift/search/market.h"
#include "src/srift/network.h"
#include "src/srift/options.h"

#include <stdio.h>

/* Strings are borrowed from argv. */
struct srift_sweep_options {
	struct srift_options o; /* those of predict, as its first member */
	const char *catalogue;
	struct pl_market_rule rule;
	struct srift_list machines;
	uint64_t samples; /* of each machine, if it has as many; 0: the most */
	const char *csv;  /* NULL: none */
};

/* Returns the exit status, as srift_options_parse(). */
int srift_sweep_options_parse(struct srift_sweep_options *s, int argc, char **argv);

/* So many machines of a type. */
struct srift_sweep_row {
	bool strong; /* o.batch samples in all; otherwise as many each */
	const struct pl_market_type *type;
	size_t machines, ranks;
	uint64_t samples; /* of an iteration, on all */
	double iteration_s, samples_per_s;
	/* samples_per_s of each rank over that of the row with the fewest */
	double efficiency;
	double per_hour; /* dollars of all machines */
	bool interpolated;
};

/* Start with {0}, end with fini. */
struct srift_sweep {
	const struct srift_sweep_options *s;
	struct pl_profile profile;
	struct pl_catalogue catalogue;
	struct pl_market market;
	struct srift_network network;
	struct srift_sweep_row *row; /* by scaling and type, then machines */
	size_t n_rows;
};

double srift_sweep_per_dollar(const struct srift_sweep_row *row);

/* Whoever closes @out sees whether all could be written. */
void srift_sweep_text(const struct srift_sweep *w, FILE *out);
void srift_sweep_csv(const struct srift_sweep *w, FILE *out);
/* 0, or -1 with @err set. */
int srift_sweep_json(const struct srift_sweep *w, FILE *out, struct pl_err *err);

#endif
