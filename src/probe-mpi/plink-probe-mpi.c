/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-probe-mpi.c - measures the hosts of an MPI job from within */
/* Built once for each MPI library: PL_PROBE_TOOL is its name. */
#include "config.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "base/text/shell.h"
#include "probes/mpi/places.h"
#include "probes/mpi/run.h"
#include "shim/self.h"
#include "src/common/tool.h"
#include "src/probe-mpi/args.h"
#include "src/probe/show.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tool[] = PL_PROBE_TOOL;

#define END_S 10 /* MPI_Finalize may take so long */

static volatile sig_atomic_t exit_status, stopped;

/* Launchers send a signal to all processes; that of process 0 counts. */
static void stop(int number)
{
	(void)number;
	stopped = 1;
}

/* Every process reads the same line: one of them tells what is wrong with it, before MPI is there.
 * Launchers that say no rank start one process. */
static bool is_speaker(void)
{
	static const char *const variables[] = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *rank = getenv(variables[i]);

		if (rank)
			return !strcmp(rank, "0");
	}
	return true;
}

/* Says what is asked for, where it is not a run. */
static int speak(const struct probe_mpi_args *args, int parsed, const struct pl_err *err)
{
	if (!is_speaker())
		return parsed ? PL_EXIT_USAGE : PL_EXIT_DONE;
	if (parsed)
		return pl_tool_usage(tool, "%s", err->text);
	return args->asked == PL_ASKED_HELP ? pl_tool_help(tool, probe_mpi_help)
					    : pl_tool_version(tool);
}

static void copy_name(char to[PL_HOST_NAME_MAX + 1], const char *from)
{
	if (strlen(from) <= PL_HOST_NAME_MAX)
		strcpy(to, from);
}

static int find_place(struct pl_mpi_place *place, struct pl_err *err)
{
	struct pl_self self = {0};

	memset(place, 0, sizeof(*place));
	if (pl_self_init(&self, err))
		return -1;
	copy_name(place->node, self.node);
	copy_name(place->name, self.named ? self.named : self.node);
	for (size_t i = 0; i < self.n_addrs && i < PL_MPI_ADDRS_MAX; i++)
		place->addr[place->n_addrs++] = self.addr[i];
	pl_self_fini(&self);
	return 0;
}

/* Others wait for a process that cannot go on: all end. */
static int give_up(const struct pl_err *err)
{
	const int status = pl_tool_fail(tool, err);

	MPI_Abort(MPI_COMM_WORLD, status);
	return status;
}

static void say_ranks(const struct pl_mpi_places *places, const struct pl_hosts *hosts)
{
	if ((size_t)places->n_ranks > hosts->n)
		pl_tool_warn(tool,
			     "%d ranks on %zu hosts: the first of each measures while the others "
			     "wait, which takes processors; --map-by ppr:1:node (MPICH: -ppn 1) "
			     "starts one on each",
			     places->n_ranks, hosts->n);
}

static void say_summary(const struct pl_matrix *m, const struct pl_probe_report *r,
			const struct pl_probe_options *o)
{
	char missing[64] = "";

	probe_show_missing(m);
	if (r->budget_spent)
		snprintf(missing, sizeof(missing), ", %zu missing, %s", r->pairs_missing,
			 r->interrupted ? "interrupted" : "the budget is spent");
	pl_tool_say(tool, "%zu pairs measured%s; %" PRIu64 " messages in %zu rounds, %.2f s",
		    r->pairs_measured, missing, r->probes_sent, r->n_rounds,
		    (double)r->elapsed_ns / 1e9);
	probe_show_second_pass(r, o);
}

/* A larger --time measures all; until then: */
static void say_order(const struct pl_probe_report *r, const struct probe_args *args)
{
	char *matrix = args->output && strcmp(args->output, "-") && !args->json
			       ? pl_shell_quote(args->output)
			       : NULL;

	if (matrix && r->pairs_missing > 0 && r->pairs_measured > 0)
		pl_tool_say(tool,
			    "to order by what there is: plink-order --matrix=%s --missing=estimate",
			    matrix);
	free(matrix);
}

static void say_settings(char **argv, const struct probe_mpi_args *args)
{
	const struct pl_probe_options *o = &args->common.probe;

	pl_tool_say_call(tool, argv);
	pl_tool_say(tool,
		    "%u to %u messages of %d and %d bytes, precision %g %% + %g us, gap %g us, "
		    "pair %g s",
		    o->probes_min, o->probes_max, args->run.ping_bytes, args->run.transfer_bytes,
		    o->precision * 100, PL_PROBE_PRECISION_NS / 1e3, (double)o->gap_ns / 1e3,
		    (double)o->pair_ns / 1e9);
}

/* What rank 0 does before anything is measured; a status that all must know. */
static int prepare(const struct pl_mpi_places *places, const struct probe_mpi_args *args,
		   struct pl_hosts *hosts, struct pl_outfile *out)
{
	struct pl_err err = {0};

	if (pl_mpi_places_hosts(places, hosts, &err) ||
	    (args->common.hosts && probe_mpi_rename(hosts, places, args->common.hosts, &err)) ||
	    pl_outfile_open(out, args->common.output, &err))
		return pl_tool_fail(tool, &err);
	say_ranks(places, hosts);
	return PL_EXIT_DONE;
}

static int write_matrix(const struct pl_matrix *m, const struct pl_probe_report *report,
			const struct probe_args *args, struct pl_outfile *out, struct pl_err *err)
{
	const int status = args->json ? probe_json_write(m, report, args, NULL, out->f, err)
				      : pl_matrix_write(m, out->f, err);

	return status ? -1 : pl_outfile_commit(out, err);
}

/* On ranks that measure; the matrix is rank 0's. */
static int measure(MPI_Comm comm, const struct pl_hosts *hosts, const struct probe_mpi_args *args,
		   struct pl_outfile *out)
{
	struct pl_probe_report report;
	struct pl_matrix *matrix;
	struct pl_err err = {0};
	int status;

	if (pl_mpi_run(comm, hosts, &args->run, &matrix, &report, &err))
		return give_up(&err);
	if (!matrix)
		return PL_EXIT_DONE;
	say_summary(matrix, &report, &args->common.probe);
	say_order(&report, &args->common);
	status = report.budget_spent ? PL_EXIT_PARTIAL : PL_EXIT_DONE;
	if (write_matrix(matrix, &report, &args->common, out, &err))
		status = pl_tool_fail(tool, &err);
	pl_matrix_destroy(matrix);
	return status;
}

static int run(const struct probe_mpi_args *args)
{
	struct pl_mpi_place mine;
	struct pl_mpi_places places = {0};
	struct pl_outfile out = {0};
	struct pl_hosts hosts = {0};
	struct pl_err err = {0};
	int status = PL_EXIT_DONE;

	if (find_place(&mine, &err) || pl_mpi_places_gather(&places, &mine, &err))
		return give_up(&err);
	if (places.rank == 0)
		status = prepare(&places, args, &hosts, &out);
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (status == PL_EXIT_DONE && places.firsts != MPI_COMM_NULL)
		status = measure(places.firsts, &hosts, args, &out);
	pl_outfile_abort(&out); /* where it was not committed */
	pl_hosts_fini(&hosts);
	pl_mpi_places_fini(&places);
	return status;
}

static void end_anyway(int signal)
{
	(void)signal;
	_exit(exit_status);
}

/*
 * MPICH before 4.2, over UCX, may never end here where hosts are milliseconds apart: a process that
 * is done waits for the launcher, and no longer serves those that still have to take leave of it
 * (pmodels/mpich, pull request 6596). All is written by now.
 */
static void finalize(int status)
{
	const struct sigaction action = {.sa_handler = end_anyway};

	exit_status = status;
	sigaction(SIGALRM, &action, NULL);
	alarm(END_S);
	MPI_Finalize();
	alarm(0);
}

int main(int argc, char **argv)
{
	struct probe_mpi_args args;
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	setvbuf(stderr, NULL, _IOLBF, 0); /* lines that mpirun keeps whole */
	status = probe_mpi_args_parse(&args, argc, argv, &err);
	if (status || args.asked == PL_ASKED_HELP || args.asked == PL_ASKED_VERSION)
		return speak(&args, status, &err);
	if (args.common.verbose && is_speaker())
		say_settings(argv, &args);
	MPI_Init(&argc, &argv);
	args.common.probe.stop = &stopped;
	pl_stop_on_signals(stop);
	status = run(&args);
	finalize(status);
	return status;
}
