/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-probe.c - measures the round trip between every two hosts of a list */
#include "config.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "probes/launch/launch.h"
#include "probes/run/probe.h"
#include "src/common/kept.h"
#include "src/common/probing.h"
#include "src/common/tool.h"
#include "src/probe/args.h"
#include "src/probe/choice.h"
#include "src/probe/show.h"
#include "topology/rates-plan.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tool[] = "plink-probe";

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int write_text(const char *text, size_t len, struct pl_outfile *out, struct pl_err *err)
{
	if (fwrite(text, 1, len, out->f) == len)
		return pl_outfile_commit(out, err);
	pl_err_errno(err, "cannot write %s", out->path ? out->path : "it");
	pl_outfile_abort(out);
	return -1;
}

/* Formatted before it is written: then it is known how much room it takes. Where there is too
 * little the part, which has less, gives way. */
static int write_matrix(const struct pl_matrix *m, const struct pl_probe_report *report,
			const struct probe_args *args, const struct probe_off *off,
			struct pl_outfile *out, struct pl_kept *part, struct pl_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int status;

	if (!f)
		return pl_err_nomem(err);
	status = args->json ? probe_json_write(m, report, args, off, f, err)
			    : pl_matrix_write(m, f, err);
	if (fclose(f) && !status)
		status = pl_err_nomem(err);
	signal(SIGPIPE, SIG_IGN); /* an output that is closed is an error */
	if (!status)
		status = write_text(text, len, out, err);
	if (status && text && pl_kept_gives_way(part, len))
		status = pl_outfile_open(out, args->output, err) || write_text(text, len, out, err)
				 ? -1
				 : 0;
	if (status) {
		pl_kept_rescue(part, m);
		pl_kept_tell(part);
	}
	free(text);
	return status;
}

static int exit_status(const struct pl_probe_report *r)
{
	return r->pairs_missing > 0 || r->flows_missing > 0 || r->n_lost_hosts > 0 ||
			       r->interrupted || r->budget_spent
		       ? PL_EXIT_PARTIAL
		       : PL_EXIT_DONE;
}

/* Racks, cards and uplinks as far as was measured what tells them. */
static int tell_network(const struct probe_args *args, const struct pl_probe_report *report,
			struct pl_rates_plan *plan, struct pl_matrix *m, struct pl_err *err)
{
	const bool cut = report->interrupted || report->budget_spent;
	char text[PL_RATES_TEXT] = "";

	if (args->probe.bandwidth && !cut && !(args->probe.bandwidth & PL_BANDWIDTH_FEW) &&
	    pl_rates_complete(m, text, err))
		return -1;
	if (!text[0] && pl_rates_plan_finish(plan, m, text, err))
		return -1;
	if (text[0])
		pl_tool_say(tool, "%s", text);
	return 0;
}

/* Says what there is to say of a run. */
static int show(const struct probe_args *args, struct pl_matrix *m,
		const struct pl_probe_report *report, const struct probe_choice *choice,
		struct probe_off *off, struct pl_err *err)
{
	probe_show_missing(m);
	probe_show_lost(m);
	probe_show_verbs(m);
	pl_probing_say_ways(tool, m);
	probe_show_summary(report, &args->probe);
	if (!args->probe.chooser)
		return 0;
	if (probe_choice_judge(choice, m, off, err))
		return -1;
	probe_show_choice(report, off);
	return 0;
}

static int run(struct probe_args *args, const struct pl_hosts *hosts,
	       const struct probe_choice *choice, struct pl_rates_plan *plan)
{
	struct probe_off off = {0};
	struct pl_probing probing;
	struct pl_probe_report report;
	struct pl_err err = {0};
	struct pl_kept part = {0};
	struct pl_outfile out;
	struct pl_matrix *m;
	int status;

	/* before the long work, not after it: the file may be out of reach */
	if (pl_outfile_open(&out, args->output, &err))
		return pl_tool_fail(tool, &err);
	if (pl_kept_init(&part, tool, &args->next, args->output, args->resume, &err)) {
		pl_outfile_abort(&out);
		return pl_tool_fail(tool, &err);
	}
	args->probe.save = part.path ? pl_kept_save : NULL;
	args->probe.save_arg = &part;
	if (!pl_launch_names_host(args->probe.launch) && hosts->n > 1)
		pl_tool_warn(tool, PL_LAUNCH_SAME, hosts->n);
	args->probe.stop = &stopped;
	pl_probing_begin(&probing, tool, args->verbose, &args->probe);
	m = pl_probe_run(hosts, &args->probe, &report, &err);
	pl_progress_end(&probing.progress);
	if (!m) {
		pl_outfile_abort(&out);
		pl_kept_tell(&part);
		pl_kept_fini(&part);
		return pl_tool_fail(tool, &err);
	}
	if (show(args, m, &report, choice, &off, &err) ||
	    tell_network(args, &report, plan, m, &err) ||
	    write_matrix(m, &report, args, args->probe.chooser ? &off : NULL, &out, &part, &err)) {
		status = pl_tool_fail(tool, &err);
	} else {
		status = exit_status(&report);
		if (status != PL_EXIT_DONE)
			probe_remedy(args, &report, m, probing.push, &part);
		pl_kept_remove(&part);
	}
	pl_kept_fini(&part);
	pl_outfile_abort(&out); /* where it was not committed */
	pl_matrix_destroy(m);
	return status;
}

static void say_settings(const struct probe_args *args)
{
	const struct pl_probe_options *o = &args->probe;

	pl_tool_say(tool, "launch: %s", o->launch);
	if (o->agent || o->push)
		pl_tool_say(tool, "agent: %s%s", o->push ? "sent, " : "",
			    o->push ? o->push : o->agent);
	pl_tool_say(tool,
		    "%u to %u probes, precision %g %% + %g us, gap %g us, pair %g s, silence %g s",
		    o->probes_min, o->probes_max, o->precision * 100, PL_PROBE_PRECISION_NS / 1e3,
		    (double)o->gap_ns / 1e3, (double)o->pair_ns / 1e9, (double)o->silence_ns / 1e9);
}

static int count(const struct probe_args *args, const struct pl_hosts *hosts)
{
	struct pl_probe_count n;
	struct pl_err err = {0};

	if (pl_probe_count(hosts, &args->probe, &n, &err))
		return pl_tool_fail(tool, &err);
	probe_show_count(&n, stdout);
	return PL_EXIT_DONE;
}

/* The matrix to be resumed, where there is one. */
static int read_resumed(struct probe_args *args, struct pl_matrix **m, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_NS};

	*m = NULL;
	if (!args->resume)
		return 0;
	*m = pl_matrix_read(args->resume, &options, err);
	args->probe.resume = *m;
	return *m ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct probe_args args;
	struct pl_hosts hosts = {0};
	struct pl_matrix *resumed = NULL;
	struct probe_choice choice = {0};
	struct pl_rates_plan plan = {0};
	struct pl_err err = {0};
	char *agent = NULL;
	int status;

	pl_tool_begin();
	status = probe_args_parse(&args, argc, argv);
	if (status != PL_EXIT_DONE || args.done)
		return status;
	if (pl_probing_hosts(&hosts, args.hosts, args.form, &err) ||
	    read_resumed(&args, &resumed, &err) ||
	    probe_choice_init(&choice, &args, hosts.n, &args.probe, &err) ||
	    pl_probe_agent_choose(&args.probe, args.push, &agent, &err)) {
		status = pl_tool_fail(tool, &err);
		goto out;
	}
	pl_rates_plan_init(&plan, hosts.n);
	args.probe.flow_chooser = &plan.chooser;
	if (args.dry_run) {
		status = count(&args, &hosts);
		goto out;
	}
	if (args.verbose)
		say_settings(&args);
	pl_stop_on_signals(stop);
	status = run(&args, &hosts, &choice, &plan);
out:
	free(agent);
	probe_choice_fini(&choice);
	pl_rates_plan_fini(&plan);
	pl_matrix_destroy(resumed);
	pl_hosts_fini(&hosts);
	return status;
}
