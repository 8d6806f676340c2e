/* SPDX-License-Identifier: BSD-3-Clause */
/* report-topology.c - what plink-order says about the file of --topology */
#include "config.h"

#include "src/order/report.h"

#include <math.h>
#include <stdio.h>

bool pl_reorder_report_told_pairs(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_topology *topology = &a->from->topology;
	char of_form[64] = "";

	if (topology->pairs == 0)
		return false;
	if (!a->o->matrix)
		snprintf(of_form, sizeof(of_form), " (%s, %zu levels)", topology->form,
			 topology->levels);
	pl_reorder_say("%zu hosts, %zu ranks; nothing was measured: distances of %zu pairs by "
		       "%s%s, %zu missing",
		       a->given->n, pl_hosts_ranks(a->given), topology->pairs,
		       a->o->matrix ? a->o->matrix : a->o->topology, of_form, a->in->pairs_missing);
	return true;
}

void pl_reorder_report_told(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_topology *topology = &a->from->topology;
	const char *unit = pl_unit_name(a->in->unit);

	if (!topology->form || !a->o->matrix)
		return;
	if (!isnan(topology->affinity))
		pl_reorder_say("%s (%s): what was measured tells which of two hosts is nearer to a "
			       "third in %.2f %% of cases (PAIA)",
			       a->o->topology, topology->form, 100 * topology->affinity);
	pl_reorder_say("%s (%s): of %zu hosts that could be compared %zu are measured nearer to "
		       "another place than to their own",
		       a->o->topology, topology->form, topology->n_judged, topology->n_misplaced);
	for (size_t k = 0; k < topology->n_misplaced && k < PL_REORDER_TOPOLOGY_WORST; k++) {
		const struct pl_reorder_misplaced *m = &topology->worst[k];

		pl_reorder_say("%s: told in %s, measured near %s (medians %.6g and %.6g %s)",
			       m->host, m->told, m->near, m->own_cost, m->near_cost, unit);
	}
	if (topology->n_misplaced > PL_REORDER_TOPOLOGY_WORST)
		pl_reorder_say("and %zu more hosts",
			       topology->n_misplaced - PL_REORDER_TOPOLOGY_WORST);
}
