/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan.h - which few flows tell cards and uplinks */
#ifndef PLINK_TOPOLOGY_RATES_PLAN_H
#define PLINK_TOPOLOGY_RATES_PLAN_H

#include "probes/run/probe.h"
#include "topology/rates.h"

/*
 * Racks and wider groups come from the round trips. Then, in all racks at once,
 * hosts meet in pairs, both directions: two rounds where all get the same, else
 * up to four and two more, of slow with fast ones: cards. Then one pair of
 * hosts between groups: what a flow gets there. Then all hosts of a group, with
 * hosts of all others around it: its uplink; of groups within different ones at
 * once, and several where there are many. What is slower than others is looked
 * at again. Start with {0} and init; end with fini.
 */
struct pl_rates_plan {
	struct pl_probe_flow_chooser chooser; /* for options->flow_chooser */
	struct pl_tiers t;
	struct pl_rate_flows flows; /* measured so far */
	struct pl_probe_flow *v;    /* [n] the set under way */
	size_t n, n_sets;
	size_t level, step; /* of groups that are looked at, and of the sets of
			     * that */
	int stage;          /* enum pl_rates_plan_stage */
	bool asked, all;    /* racks are known; all sets are measured */
	bool *up, *met;     /* [hosts] not lost; in the set already */
	double *most;       /* [hosts] that was seen, bytes per second */
	size_t *host, *other, *key, *group; /* [hosts] scratch; [groups] */
};

/* For so many hosts. */
void pl_rates_plan_init(struct pl_rates_plan *p, size_t n_hosts);
void pl_rates_plan_fini(struct pl_rates_plan *p);

/*
 * When @m has been measured: writes what flows tell into its lines, or, where
 * not all of them were measured or none was wanted, racks alone; nothing, where
 * it has them already or is of few cells. @text says what was found, empty:
 * nothing. 0, or -1 with @err set: no memory, or lines that are wrong.
 */
int pl_rates_plan_finish(struct pl_rates_plan *p, struct pl_matrix *m,
			 char text[PL_RATES_TEXT], struct pl_err *err);

#endif
