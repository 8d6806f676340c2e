/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-probe.c - measures the round trip between every two hosts of a list */
#include "config.h"

#include "probes/launch.h"
#include "src/hosts-slurm.h"
#include "src/outfile.h"
#include "src/probe/args.h"
#include "src/probe/json.h"
#include "src/probe/show.h"
#include "src/tool.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tool[] = "plink-probe";

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Is there a line of progress that has no end yet? */
struct progress {
	bool open;
};

static void show_progress(void *arg, const struct pl_probe_progress *now)
{
	struct progress *progress = arg;

	fprintf(stderr,
		"\r%s: pair %zu of %zu, %zu of %zu hosts, %" PRIu64 " probes ",
		tool, now->n_done, now->n_pairs, now->n_alive, now->n_hosts,
		now->n_probes);
	progress->open = true;
}

static void show_log(void *arg, const char *host, const char *line)
{
	(void)arg;
	pl_tool_say(tool, "%s: %s", host, line);
}

static int write_matrix(const struct pl_matrix *m,
			const struct pl_probe_report *report,
			const struct probe_args *args, struct pl_outfile *out,
			struct pl_err *err)
{
	const int status =
		args->json ? probe_json_write(m, report, args, out->f, err)
			   : pl_matrix_write(m, out->f, err);

	return status ? -1 : pl_outfile_commit(out, err);
}

static int run(struct probe_args *args, const struct pl_hosts *hosts)
{
	struct progress progress = {0};
	struct pl_probe_report report;
	struct pl_err err = {0};
	struct pl_outfile out;
	struct pl_matrix *m;
	int status = PL_EXIT_DONE;

	/* before the long work, not after it: the file may be out of reach */
	if (pl_outfile_open(&out, args->output, &err))
		return pl_tool_fail(tool, &err);
	if (!pl_launch_names_host(args->probe.launch) && hosts->n > 1)
		pl_tool_say(tool, PL_LAUNCH_SAME, hosts->n);
	args->probe.stop = &stopped;
	args->probe.progress_arg = &progress;
	if (isatty(STDERR_FILENO))
		args->probe.progress = show_progress;
	if (args->verbose)
		args->probe.log = show_log;
	m = pl_probe_run(hosts, &args->probe, &report, &err);
	if (progress.open)
		fputc('\n', stderr);
	if (!m) {
		pl_outfile_abort(&out);
		return pl_tool_fail(tool, &err);
	}
	probe_show_missing(m);
	probe_show_summary(&report, &args->probe);
	if (write_matrix(m, &report, args, &out, &err))
		status = pl_tool_fail(tool, &err);
	else if (report.pairs_missing > 0 || report.n_lost_hosts > 0 ||
		 report.interrupted || report.budget_spent)
		status = PL_EXIT_PARTIAL;
	pl_outfile_abort(&out); /* where it was not committed */
	pl_matrix_destroy(m);
	return status;
}

static void say_settings(int argc, char **argv, const struct probe_args *args)
{
	const struct pl_probe_options *o = &args->probe;

	fprintf(stderr, "%s: version %s:", tool, PACKAGE_VERSION);
	for (int i = 0; i < argc; i++)
		fprintf(stderr, " %s", argv[i]);
	fputc('\n', stderr);
	pl_tool_say(tool, "launch: %s", o->launch);
	pl_tool_say(tool, "agent: %s%s", o->push ? "sent, " : "",
		    o->push ? o->push : o->agent);
	pl_tool_say(tool,
		    "%u to %u probes, precision %g %% + %g us, gap %g us, "
		    "pair %g s, silence %g s",
		    o->probes_min, o->probes_max, o->precision * 100,
		    (double)o->precision_ns / 1e3, (double)o->gap_ns / 1e3,
		    (double)o->pair_ns / 1e9, (double)o->silence_ns / 1e9);
}

static int read_hosts(struct pl_hosts *hosts, const struct probe_args *args,
		      struct pl_err *err)
{
	return pl_hosts_are_slurms(args->hosts)
		       ? pl_hosts_read_slurm(hosts, err)
		       : pl_hosts_read(hosts, args->hosts, args->form, err);
}

static int forecast(const struct probe_args *args, const struct pl_hosts *hosts)
{
	struct pl_probe_forecast f;
	struct pl_err err = {0};

	if (pl_probe_forecast(hosts, &args->probe, &f, &err))
		return pl_tool_fail(tool, &err);
	probe_show_forecast(&f, stdout);
	return PL_EXIT_DONE;
}

/* The matrix to be resumed, where there is one. */
static int read_resumed(struct probe_args *args, struct pl_matrix **m,
			struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_NS};

	*m = NULL;
	if (!args->resume)
		return 0;
	*m = pl_matrix_read(args->resume, &options, err);
	args->probe.resume = *m;
	return *m ? 0 : -1;
}

/* The agent where none is named: its command, or with --push its file. */
static int choose_agent(struct probe_args *args, char **own, struct pl_err *err)
{
	struct pl_probe_options *o = &args->probe;

	if (o->agent || o->push)
		return 0;
	if (args->push) {
		o->push = *own = pl_probe_agent_file(err);
	} else {
		o->agent = *own = pl_probe_agent_command();
		if (!*own)
			pl_err_nomem(err);
	}
	return *own ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct probe_args args;
	struct pl_hosts hosts = {0};
	struct pl_matrix *resumed = NULL;
	struct pl_err err = {0};
	char *agent = NULL;
	int status;

	pl_tool_begin();
	status = probe_args_parse(&args, argc, argv);
	if (status != PL_EXIT_DONE || args.done)
		return status;
	if (read_hosts(&hosts, &args, &err) ||
	    read_resumed(&args, &resumed, &err) ||
	    choose_agent(&args, &agent, &err)) {
		status = pl_tool_fail(tool, &err);
		goto out;
	}
	if (args.dry_run) {
		status = forecast(&args, &hosts);
		goto out;
	}
	if (args.verbose)
		say_settings(argc, argv, &args);
	pl_tool_on_stop(stop);
	status = run(&args, &hosts);
out:
	free(agent);
	pl_matrix_destroy(resumed);
	pl_hosts_fini(&hosts);
	return status;
}
