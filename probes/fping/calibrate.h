/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - by how much fping's round trips differ from those of agents */
#ifndef PLINK_PROBES_FPING_CALIBRATE_H
#define PLINK_PROBES_FPING_CALIBRATE_H

#include "probes/run/probe.h"

struct pl_calibration {
	size_t n_hosts; /* that were to be measured both ways */
	size_t n_ways;  /* directed pairs that were */
	/* p10 by fping less p10 by UDP: median, 10th and 90th percentile */
	double median_ns, low_ns, high_ns;
	char reason[512]; /* why there are none, or empty */
};

/*
 * Measures up to @n_hosts of the hosts of @m (method icmp), evenly over the
 * list, with agents too, all pairs of them, at fping's pace, and notes the
 * difference in the header "calibration"; no cell changes. Pairs whose
 * addresses are not those of @m are left out. @options: those of the run by
 * fping. 0, also where agents could not be had; or -1 with @err set: out of
 * memory.
 */
int pl_calibrate(struct pl_matrix *m, const struct pl_probe_options *options,
		 size_t n_hosts, struct pl_calibration *c, struct pl_err *err);

#endif
