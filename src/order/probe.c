/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - plink-order measures its hosts itself */
#include "config.h"

#include "src/order/probe.h"

#include "probes/launch/launch.h"
#include "probes/launch/self.h"
#include "probes/run/probe.h"
#include "src/common/probing.h"
#include "src/common/progress.h"
#include "topology/rates-plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_order_distinct(struct pl_hosts *to, const struct pl_hosts *from,
		      enum pl_hosts_form form, struct pl_err *err)
{
	if (form == PL_HOSTS_SEQ)
		return pl_hosts_distinct(to, from, err);
	for (size_t i = 0; i < from->n; i++)
		if (pl_hosts_add(to, &from->v[i]))
			return pl_err_nomem(err);
	return 0;
}

static void set_options(struct pl_probe_options *p,
			const struct pl_order_options *o,
			const struct pl_stop *stop,
			struct pl_progress *progress)
{
	pl_probe_defaults(p);
	if (o->launch)
		p->launch = pl_launch_template(o->launch);
	p->agent = o->agent;
	p->push = o->push_file;
	p->iface = o->iface;
	p->port_min = o->port_min;
	p->port_max = o->port_max;
	if (o->fanout)
		p->fanout = o->fanout;
	p->tree = o->tree;
	if (pl_order_wants_rates(o))
		p->bandwidth = PL_BANDWIDTH_FEW;
	p->stop = stop->flag;
	p->log = pl_probing_log;
	p->log_arg = (void *)PL_ORDER_TOOL;
	pl_progress_begin(progress, PL_ORDER_TOOL);
	p->progress_arg = progress;
	if (progress->on)
		p->progress = pl_probing_show;
}

/* What measuring twice has found, where that is something. */
static void tell_second_pass(const struct pl_probe_report *report)
{
	pl_probing_say_again(PL_ORDER_TOOL, report);
	if (2 * report->drift_beyond > report->drift_ways)
		pl_order_warn("the network changed while it was measured: by "
			      "%+.1f %% in the median of %zu ways",
			      100 * report->drift_share, report->drift_ways);
}

/* What went by without being a result. */
static void tell(const struct pl_probe_report *report)
{
	pl_order_say("%llu probes in %.2f s",
		     (unsigned long long)report->probes_sent,
		     (double)report->elapsed_ns * 1e-9);
	if (report->n_lost_hosts)
		pl_order_warn("%zu hosts could not be measured",
			      report->n_lost_hosts);
	if (report->replies_refused)
		pl_order_warn("%llu packets of strangers refused",
			      (unsigned long long)report->replies_refused);
	tell_second_pass(report);
}

/* Racks, cards and uplinks, as a few flows tell them. */
static int tell_rates(struct pl_rates_plan *plan, struct pl_matrix *m,
		      struct pl_err *err)
{
	char text[PL_RATES_TEXT] = "";

	if (pl_rates_plan_finish(plan, m, text, err))
		return -1;
	if (text[0])
		pl_order_say("%s", text);
	return 0;
}

struct pl_matrix *pl_order_probe(const struct pl_hosts *hosts,
				 const struct pl_order_options *o,
				 const struct pl_stop *stop, double *seconds,
				 struct pl_err *err)
{
	struct pl_probe_options options;
	struct pl_progress progress;
	struct pl_probe_report report = {0};
	struct pl_rates_plan plan = {0};
	struct pl_hosts once = {0};
	struct pl_matrix *m = NULL;
	char *agent = NULL;

	set_options(&options, o, stop, &progress);
	if (pl_probe_agent_choose(&options, o->push, &agent, err))
		return NULL;
	if (pl_order_distinct(&once, hosts, o->hosts_form, err))
		goto out;
	pl_rates_plan_init(&plan, once.n);
	options.flow_chooser = &plan.chooser;
	if (!pl_launch_names_host(options.launch) && once.n > 1)
		pl_order_warn(PL_LAUNCH_SAME, once.n);
	m = pl_probe_run(&once, &options, &report, err);
	pl_progress_end(&progress);
	tell(&report);
	*seconds = (double)report.elapsed_ns * 1e-9;
	if (m && !report.interrupted && options.bandwidth &&
	    tell_rates(&plan, m, err)) {
		pl_matrix_destroy(m);
		m = NULL;
	}
	if (m && report.interrupted) {
		pl_err_set(err, PL_EPARTIAL, "interrupted while measuring");
		pl_matrix_destroy(m);
		m = NULL;
	}
out:
	pl_rates_plan_fini(&plan);
	free(agent);
	pl_hosts_fini(&once);
	return m;
}
