/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-chosen.h - how many pairs and rounds a chooser will ask for */
#ifndef PLINK_PROBES_RUN_FORECAST_CHOSEN_H
#define PLINK_PROBES_RUN_FORECAST_CHOSEN_H

#include "probes/run/probe.h"

/*
 * Fills n_pairs, n_rounds, n_pairs_most and n_rounds_most of @f. A chooser
 * whose pairs all come in one step is asked once. Any other is simulated on
 * several artificial networks, which fill the cells that @resumed, if any,
 * lacks: racks of 16 in rows of 8 racks; racks of 5 in rows of 4, where each
 * host adds a share of its own to all its round trips; and hosts that are all
 * equally far apart. 0, or -1 with @err set.
 */
int pl_forecast_chosen(const struct pl_hosts *hosts,
		       const struct pl_matrix *resumed,
		       const struct pl_probe_chooser *chooser,
		       struct pl_probe_forecast *f, struct pl_err *err);

#endif
