/* SPDX-License-Identifier: BSD-3-Clause */
/* terms.h - the parts of an iteration's time, written */
#ifndef PLINK_SRC_SRIFT_TERMS_H
#define PLINK_SRC_SRIFT_TERMS_H

#include "planner/srift/iteration/terms.h"
#include "src/srift/options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Where the seconds of exchanges are from, by the options of the network, with @hubs or without.
 * Its strings are constants. */
struct pl_origin srift_network_origin(const struct srift_options *o, bool hubs);

/* A line for each part that takes time. Nothing, if nothing is waited for but all-reduces that are
 * simulated, without hubs: other lines say it all then. */
void srift_terms_write(const struct pl_iteration_terms *t, bool hubs, FILE *out);

/* An object with all parts; NULL: out of memory. */
json_t *srift_terms_json(const struct pl_iteration_terms *t);

#endif
