/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - the difference between round trips by fping and by agents */
#ifndef PLINK_PROBES_FPING_CALIBRATE_H
#define PLINK_PROBES_FPING_CALIBRATE_H

#include "probes/run/probe.h"

struct pl_calibration {
	size_t n_hosts; /* that were to be measured with both */
	size_t n_ways;  /* directed pairs that were measured with both */
	/* p10 by fping less p10 by UDP: median, 10th and 90th percentile */
	double median_ns, low_ns, high_ns;
	char reason[512]; /* why there is no result, or empty */
};

/*
 * Measures all pairs of up to @n_hosts hosts of @m (method icmp), spread evenly
 * over the list, with agents too, at fping's pace. Notes the difference in the
 * header "calibration"; no cell changes. Pairs whose addresses differ from
 * those of @m are left out. @options are those of the run by fping. 0, also
 * where no agents could be started (see c->reason); -1 with @err set: out of
 * memory.
 */
int pl_calibrate(struct pl_matrix *m, const struct pl_probe_options *options, size_t n_hosts,
		 struct pl_calibration *c, struct pl_err *err);

#endif
