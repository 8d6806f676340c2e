/* SPDX-License-Identifier: BSD-3-Clause */
/* told.h - the forms in which somebody tells where hosts stand */
#ifndef PLINK_TOPOLOGY_TOLD_TOLD_H
#define PLINK_TOPOLOGY_TOLD_TOLD_H

#include "src/err.h"
#include "src/text.h"
#include "topology/places.h"

#include <stdbool.h>

/*
 * Is a text of that form, by its first line that is neither empty nor a comment?
 */
typedef bool pl_told_test(const struct pl_line *line);
pl_told_test pl_told_is_json;
pl_told_test pl_told_is_slurm;
pl_told_test pl_told_is_ftree;
pl_told_test pl_told_is_ibnet;
pl_told_test pl_told_is_yaml;

/*
 * A reader of one form: adds its hosts to @p, which is empty, and says the form
 * in @p. 0, or -1 with @err set; the caller clears @p then.
 */
typedef int pl_told_reader(struct pl_places *p, struct pl_text *text,
			   struct pl_err *err);
pl_told_reader pl_told_json;  /* what EC2, Google Cloud and Kubernetes print */
pl_told_reader pl_told_slurm; /* Slurm's topology.conf, tree or block */
pl_told_reader pl_told_ftree; /* opensm-ftree-ca-order.dump */
pl_told_reader pl_told_ibnet; /* what ibnetdiscover prints */
pl_told_reader pl_told_yaml;  /* nothing: says what to print instead */
pl_told_reader pl_told_plain; /* "host label/label" a line */

#endif
