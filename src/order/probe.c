/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - plink-order measures its hosts itself */
#include "config.h"

#include "src/order/probe.h"

#include "probes/launch/launch.h"
#include "probes/run/probe.h"
#include "src/common/probing.h"
#include "topology/rates-plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_reorder_distinct(struct pl_hosts *to, const struct pl_hosts *from, enum pl_hosts_form form,
			struct pl_err *err)
{
	if (form == PL_HOSTS_SEQ)
		return pl_hosts_distinct(to, from, err);
	for (size_t i = 0; i < from->n; i++)
		if (pl_hosts_add(to, &from->v[i]))
			return pl_err_nomem(err);
	return 0;
}

static void set_options(struct pl_probe_options *p, const struct pl_reorder_options *o,
			const struct pl_stop *stop, struct pl_probing *probing)
{
	pl_probe_defaults(p);
	if (o->launch)
		p->launch = pl_launch_template(o->launch);
	p->agent = o->agent;
	p->push = o->push_file;
	p->iface = o->iface;
	p->ports = o->ports;
	if (o->fanout)
		p->fanout = o->fanout;
	if (pl_reorder_wants_rates(o))
		p->bandwidth = PL_BANDWIDTH_FEW;
	p->stop = stop->flag;
	pl_probing_begin(probing, PL_REORDER_TOOL, true, p);
}

/* Reports the result of measuring pairs a second time, if there is one. */
static void tell_second_pass(const struct pl_probe_report *report)
{
	pl_probing_say_again(PL_REORDER_TOOL, report);
	if (2 * report->drift_beyond > report->drift_ways)
		pl_reorder_warn("the network changed while it was measured: by %+.1f %% in the "
				"median of %zu ways",
				100 * report->drift_share, report->drift_ways);
}

/* Reports what happened while measuring. */
static void tell(const struct pl_probe_report *report)
{
	pl_reorder_say("%llu probes in %.2f s", (unsigned long long)report->probes_sent,
		       (double)report->elapsed_ns * 1e-9);
	if (report->n_lost_hosts)
		pl_reorder_warn("%zu host%s could not be measured", report->n_lost_hosts,
				report->n_lost_hosts == 1 ? "" : "s");
	if (report->replies_refused)
		pl_reorder_warn("%llu packets of strangers refused",
				(unsigned long long)report->replies_refused);
	tell_second_pass(report);
}

/* Finds racks, cards and uplinks from the few flows. */
static int tell_rates(struct pl_rates_plan *plan, struct pl_matrix *m, struct pl_err *err)
{
	char text[PL_RATES_TEXT] = "";

	if (pl_rates_plan_finish(plan, m, text, err))
		return -1;
	if (text[0])
		pl_reorder_say("%s", text);
	return 0;
}

/* Measurements are saved from time to time and at the end. */
static int begin_keeping(struct pl_kept *kept, const struct pl_reorder_options *o,
			 struct pl_probe_options *p, struct pl_err *err)
{
	if (pl_kept_init(kept, PL_REORDER_TOOL, &o->next,
			 o->save_matrix ? o->save_matrix : PL_REORDER_TOOL, o->resume, err))
		return -1;
	p->save = kept->path ? pl_kept_save : NULL;
	p->save_arg = kept;
	return 0;
}

static struct pl_matrix *measure(const struct pl_hosts *hosts, struct pl_probe_options *options,
				 struct pl_probing *probing, struct pl_probe_report *report,
				 struct pl_err *err)
{
	struct pl_rates_plan plan = {0};
	struct pl_matrix *m;

	pl_rates_plan_init(&plan, hosts->n);
	options->flow_chooser = &plan.chooser;
	if (!pl_launch_names_host(options->launch) && hosts->n > 1)
		pl_reorder_warn(PL_LAUNCH_SAME, hosts->n);
	m = pl_probe_run(hosts, options, report, err);
	pl_progress_end(&probing->progress);
	tell(report);
	if (m)
		pl_probing_say_ways(PL_REORDER_TOOL, m);
	if (m && !report->interrupted && options->bandwidth && tell_rates(&plan, m, err)) {
		pl_matrix_destroy(m);
		m = NULL;
	}
	pl_rates_plan_fini(&plan);
	return m;
}

struct pl_matrix *pl_reorder_probe(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
				   const struct pl_stop *stop, struct pl_kept *kept,
				   struct pl_reorder_probed *probed, struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = PL_NS};
	struct pl_probe_options options;
	struct pl_probing probing;
	struct pl_probe_report report = {0};
	struct pl_hosts once = {0};
	struct pl_matrix *resumed = NULL, *m = NULL;
	char *agent = NULL;

	set_options(&options, o, stop, &probing);
	if (o->resume) {
		resumed = pl_matrix_read(o->resume, &reading, err);
		if (!resumed)
			return NULL;
		options.resume = resumed;
	}
	if (pl_probe_agent_choose(&options, o->push, &agent, err) ||
	    pl_reorder_distinct(&once, hosts, o->hosts_form, err) ||
	    begin_keeping(kept, o, &options, err))
		goto out;
	m = measure(&once, &options, &probing, &report, err);
	if (m && kept->path)
		pl_kept_save(kept, m);
	*probed = (struct pl_reorder_probed){
		.seconds = (double)report.elapsed_ns * 1e-9,
		.cut = report.interrupted,
		.push = probing.push,
	};
out:
	pl_matrix_destroy(resumed);
	free(agent);
	pl_hosts_fini(&once);
	return m;
}
