/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan.h - the few flows that show the rates of cards and uplinks */
#ifndef PLINK_TOPOLOGY_RATES_PLAN_H
#define PLINK_TOPOLOGY_RATES_PLAN_H

#include "probes/run/probe.h"
#include "topology/rates.h"

/*
 * Racks and wider groups come from the measured round trips. Then sets of flows are measured in
 * this order:
 * 1. Cards: in all racks at once, hosts meet in pairs, with a flow in each
 * direction. Two rounds where all flows get the same rate, else up to four; then, unless all have
 * met, two more in which slow hosts meet fast ones.
 * 2. One pair of hosts between two groups: what a single flow gets there.
 * 3. Uplinks: all hosts of a group, with hosts of the other groups in the same
 * wider group. Groups in different wider groups are measured at once; where there are many groups,
 * several of one wider group are, too.
 * 4. Uplinks that are slower than others are measured again, several at once
 * where the other groups' uplinks can carry their flows.
 * Start with {0} and init; end with fini.
 */
struct pl_rates_plan {
	struct pl_probe_flow_chooser chooser; /* for options->flow_chooser */
	struct pl_tiers t;
	struct pl_rate_flows flows; /* measured so far */
	struct pl_probe_flow *v;    /* [n] the set being measured */
	size_t n, n_sets;
	size_t level, step;                 /* level of the groups being measured, and number of
					     * the set within the stage */
	int stage;                          /* enum pl_rates_plan_stage */
	bool asked, all;                    /* racks are known; all sets were measured */
	bool *up, *met;                     /* [hosts] not lost; already in the set */
	double *most;                       /* [hosts] fastest flow seen, bytes per second */
	size_t *host, *other, *key, *group; /* [hosts] scratch; [groups] */
	double *load;                       /* [groups] scratch */
};

/* Prepares @p for a run over @n_hosts hosts. */
void pl_rates_plan_init(struct pl_rates_plan *p, size_t n_hosts);
void pl_rates_plan_fini(struct pl_rates_plan *p);

/*
 * Call when @m has been measured. Writes racks, cards and uplinks into the headers of @m; only
 * racks where not all sets were measured or none was asked for; nothing where @m has cards or
 * uplinks already or stores few cells. @text describes what was found; empty: nothing. 0, or -1
 * with @err set: no memory, or malformed headers in @m.
 */
int pl_rates_plan_finish(struct pl_rates_plan *p, struct pl_matrix *m, char text[PL_RATES_TEXT],
			 struct pl_err *err);

#endif
