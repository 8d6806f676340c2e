/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-nccl-bw.c - measures hosts with GPUs by NCCL, a process for each GPU */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "base/tournament.h"
#include "src/common/tool.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every rank finds the same fault: one of them tells it. */
static int fail(const struct nccl_bw_options *o, bool shared, const struct pl_err *err)
{
	if (!shared || o->rank == 0)
		return pl_tool_fail(NCCL_BW_TOOL, err);
	return err->code == PL_EUSAGE   ? PL_EXIT_USAGE
	       : err->code == PL_EINPUT ? PL_EXIT_INPUT
					: PL_EXIT_SYSTEM;
}

static int write_matrix(const void *arg, FILE *out, struct pl_err *err)
{
	return pl_matrix_write(arg, out, err);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void say_done(const struct nccl_bw_job *job, const struct nccl_bw_gpu *gpu, int64_t begun_ns)
{
	const size_t n = job->hosts.n, n_pairs = n * (n - 1) / 2;
	const size_t n_rounds = pl_tournament_rounds(n);

	pl_tool_say(NCCL_BW_TOOL,
		    "%zu pair%s of %zu hosts, %zu rail%s, by NCCL %s in %zu round%s, %s", n_pairs,
		    plural(n_pairs), n, job->n_rails, plural(job->n_rails), nccl_bw_version(gpu),
		    n_rounds, plural(n_rounds),
		    PL_TIME_TEXT((double)(pl_clock_ns() - begun_ns) / 1e9));
}

static int join(struct nccl_bw_gpu *gpu, const struct nccl_bw_job *job,
		const struct nccl_bw_options *o, struct pl_err *err)
{
	const size_t figures =
		job->n_rails * job->hosts.n * job->hosts.n * NCCL_BW_FIGURES * sizeof(double);
	const struct nccl_bw_place place = {
		.id = &job->id,
		.rank = job->rank,
		.n = job->n,
		.local = job->rail,
		.bytes = o->bytes > figures ? (size_t)o->bytes : figures,
		.n_marks = (size_t)o->repeat + 1,
	};

	nccl_bw_watch(o->timeout_s, "another rank when NCCL began");
	return nccl_bw_join(gpu, &place, err);
}

/* On rank 0, writes the matrix. */
static int finish(const struct nccl_bw_options *o, const struct nccl_bw_job *job,
		  struct nccl_bw_gpu *gpu, const double *figure, struct pl_err *err)
{
	struct pl_matrix *m;
	int status;

	if (job->rank != 0)
		return PL_EXIT_DONE;
	m = nccl_bw_matrix(job, o, figure, nccl_bw_version(gpu), err);
	if (!m)
		return fail(o, false, err);
	status = pl_tool_output(NCCL_BW_TOOL, o->output, write_matrix, m);
	pl_matrix_destroy(m);
	return status;
}

static int measure(const struct nccl_bw_options *o, struct nccl_bw_job *job,
		   struct nccl_bw_gpu *gpu, struct pl_err *err)
{
	const size_t n = job->hosts.n;
	const int64_t begun_ns = pl_clock_ns();
	double *figure = pl_array_create(job->n_rails * n * n, NCCL_BW_FIGURES * sizeof(*figure));
	int status;

	if (!figure)
		pl_err_nomem(err);
	if (!figure || join(gpu, job, o, err) || nccl_bw_measure(job, o, gpu, figure, err)) {
		free(figure);
		return fail(o, false, err);
	}
	if (job->rank == 0)
		say_done(job, gpu, begun_ns);
	nccl_bw_watch(0, "%s", "");
	status = finish(o, job, gpu, figure, err);
	free(figure);
	return status;
}

static int run(const struct nccl_bw_options *o)
{
	struct nccl_bw_job job = {.rank = o->rank};
	ncclUniqueId id = {{0}};
	struct nccl_bw_gpu *gpu;
	struct pl_err err = {0};
	bool shared = false;
	int status;

	if (o->rank == 0 && pl_outfile_try(o->output, &err))
		return fail(o, false, &err);
	gpu = nccl_bw_open(o->nccl, &err);
	if (!gpu)
		return fail(o, false, &err);
	if ((o->rank == 0 && nccl_bw_unique_id(gpu, &id, &err)) ||
	    nccl_bw_meet(&job, o, &id, &shared, &err))
		status = fail(o, shared, &err);
	else
		status = measure(o, &job, gpu, &err);
	/* a communicator of which a rank is gone may never end */
	if (status == PL_EXIT_DONE) {
		nccl_bw_watch(o->timeout_s, "another rank when NCCL ended");
		nccl_bw_close(gpu);
		nccl_bw_watch(0, "%s", "");
	}
	nccl_bw_job_fini(&job);
	return status;
}

/* Says what is asked for, where it is not a run: once for all ranks. */
static int speak(struct nccl_bw_options *o, int parsed, const struct pl_err *err)
{
	struct pl_err none;

	if (nccl_bw_options_rank(o, &none) == 0 && o->rank != 0)
		return parsed ? PL_EXIT_USAGE : PL_EXIT_DONE;
	if (parsed)
		return pl_tool_usage(NCCL_BW_TOOL, "%s", err->text);
	return o->asked == PL_ASKED_HELP ? pl_tool_help(NCCL_BW_TOOL, nccl_bw_help)
					 : pl_tool_version(NCCL_BW_TOOL);
}

int main(int argc, char **argv)
{
	struct nccl_bw_options o;
	char address[512];
	struct pl_err err = {0};
	int rc, status;

	pl_tool_begin();
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stderr, NULL, _IOLBF, 0);
	rc = nccl_bw_options_parse(&o, argc, argv, &err);
	if (rc || o.asked == PL_ASKED_HELP || o.asked == PL_ASKED_VERSION)
		return speak(&o, rc, &err);
	if (nccl_bw_options_rank(&o, &err) ||
	    nccl_bw_options_address(&o, address, sizeof(address), &err))
		return pl_tool_usage(NCCL_BW_TOOL, "%s", err.text);
	if (o.verbose && o.rank == 0)
		pl_tool_say_call(NCCL_BW_TOOL, argv);
	status = run(&o);
	/* NCCL's threads may still run: destructors are not for them */
	fflush(NULL);
	_exit(status);
}
