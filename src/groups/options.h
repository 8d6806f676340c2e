/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-groups */
#ifndef PLINK_SRC_GROUPS_OPTIONS_H
#define PLINK_SRC_GROUPS_OPTIONS_H

#include "base/matrix/matrix.h"
#include "topology/embed.h"

#include <stdbool.h>
#include <stddef.h>

#define GROUPS_TOOL "plink-groups"

enum groups_format { GROUPS_TEXT, GROUPS_JSON, GROUPS_MATRIX };

/* Strings are borrowed from argv. */
struct groups_options {
	const char *matrix, *truth, *output;
	bool balanced; /* groups of about one size; else racks */
	size_t k;      /* of them; 0: the root of the number of hosts */
	double elasticity;
	struct pl_embed_options embed;
	enum pl_pair_weight weight;
	bool embed_asked; /* some option of the embedding was given */
	enum groups_format format;
	bool denoise;
	double share; /* of the estimate in what was measured */
	enum pl_unit unit;
	bool done; /* help or version was printed: exit with the status */
};

/* The exit status: where it is not DONE or @o->done is set, there is nothing
 * more to do. */
int groups_options_parse(struct groups_options *o, int argc, char **argv);

#endif
