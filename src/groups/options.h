/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-groups */
#ifndef PLINK_SRC_GROUPS_OPTIONS_H
#define PLINK_SRC_GROUPS_OPTIONS_H

#include "base/matrix/matrix.h"
#include "topology/embed.h"

#include <stdbool.h>
#include <stddef.h>

#define GROUPS_TOOL "plink-groups"

/* The formats from GROUPS_SCHEDULERS on are for schedulers. */
enum groups_format {
	GROUPS_TEXT,
	GROUPS_JSON,
	GROUPS_MATRIX,
	GROUPS_SCHEDULERS,
};

/* Strings are borrowed from argv. */
struct groups_options {
	const char *matrix, *truth, *output;
	bool balanced; /* groups of similar size; else racks */
	/* number of groups; 0: square root of the number of hosts */
	size_t k;
	double elasticity;
	struct pl_embed_options embed;
	enum pl_pair_weight weight;
	bool embed_asked; /* an option of the embedding was given */
	enum groups_format format;
	bool denoise;
	double share; /* of the estimate in a denoised cell */
	enum pl_unit unit;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set, there is nothing more to
 * do. */
int groups_options_parse(struct groups_options *o, int argc, char **argv);

#endif
