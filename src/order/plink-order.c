/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-order.c - the order of hosts in which a collective is cheapest */
#include "config.h"

#include "base/clock.h"
#include "order/calls/promise.h"
#include "order/input.h"
#include "order/model.h"
#include "order/solve.h"
#include "report/text.h"
#include "src/common/tool.h"
#include "src/order/choose.h"
#include "src/order/files.h"
#include "src/order/forecast.h"
#include "src/order/job.h"
#include "src/order/launch.h"
#include "src/order/library.h"
#include "src/order/nccl-takes.h"
#include "src/order/options.h"
#include "src/order/output.h"
#include "src/order/picture.h"
#include "src/order/report.h"
#include "src/order/rules.h"
#include "src/order/schedule-times.h"
#include "src/order/schedules.h"
#include "src/order/source.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	if (interrupted) {
		signal(number, SIG_DFL);
		raise(number);
	}
	interrupted = 1;
}

/* The first SIGINT, SIGTERM or SIGHUP asks for the best order so far, the second kills. A closed
 * output is an error (EPIPE), so that half-written files are removed. */
static void catch_signals(void)
{
	pl_stop_on_signals(on_signal);
	signal(SIGPIPE, SIG_IGN);
}

/* The mpirun that was asked already; otherwise one is asked now. After an interrupt it may still be
 * asked, because it answers at once. */
static const char *find_mpirun(const struct pl_reorder_options *o, struct pl_mpi *mpi,
			       struct pl_err *err)
{
	if (!o->mpirun)
		return pl_mpi_find(mpi, o->format, interrupted ? NULL : &interrupted, err);
	*mpi = o->mpi;
	return o->mpirun;
}

/* The command that a report shows, and whom it is for; NULL: no report was asked for, or there is
 * none. The caller frees it. */
static char *report_command(const struct pl_reorder_answer *a, char who[PL_REORDER_WHO])
{
	struct pl_err none = {0};
	struct pl_mpi mpi;
	const char *mpirun;

	if (!a->o->report)
		return NULL;
	mpirun = find_mpirun(a->o, &mpi, &none);
	return pl_reorder_launch_command(a, &mpi, mpirun, pl_reorder_output_name(a->o), who);
}

/* All outputs. */
static int write_files(struct pl_reorder_picture *picture, struct pl_err *err)
{
	char who[PL_REORDER_WHO] = "";
	char *command = report_command(picture->a, who);
	int rc;

	picture->command = command;
	picture->launcher = who;
	rc = pl_reorder_files_write(picture, err);
	picture->command = picture->launcher = NULL;
	free(command);
	return rc;
}

/* Prints the command that keeps the order and, if asked to, tries it. */
static int launch_part(const struct pl_reorder_answer *a, struct pl_err *err)
{
	struct pl_mpi mpi;
	const char *mpirun;

	mpirun = find_mpirun(a->o, &mpi, err);
	if (mpi.kind == PL_MPI_OTHER && err->code)
		pl_reorder_warn("%s", err->text);
	pl_reorder_report_launch(a, &mpi, mpirun, pl_reorder_output_name(a->o));
	if (!a->o->verify)
		return PL_EXIT_DONE;
	if (pl_reorder_verify(a, &mpi, mpirun, &interrupted, err))
		return pl_tool_fail(PL_REORDER_TOOL, err);
	return PL_EXIT_DONE;
}

/* Finds everything that was asked for. */
static int find(struct pl_order_result *r, struct pl_order_promise *promise,
		struct pl_reorder_forecast *forecast, struct pl_reorder_rules *rules,
		struct pl_reorder_job *job, const struct pl_reorder_answer *a,
		const struct pl_order_model *m, struct pl_stop *stop, struct pl_err *err)
{
	if (a->job ? pl_job_order(r, &job->answer, &job->job, a->in, &a->o->request, stop, err)
	    : a->promise ? pl_order_promise_find(promise, r, a->in, &a->o->request, stop, err)
			 : pl_order_solve(r, a->in, m, &a->o->request, stop, err))
		return -1;
	if (a->o->predict && pl_reorder_forecast(forecast, a->in, a->o, r->host_at, stop, err))
		return -1;
	if (pl_reorder_writes_rules(a->o) &&
	    pl_reorder_rules_find(rules, a->in, a->o, r->host_at, stop, err))
		return -1;
	return 0;
}

/* The schedules, if they are what is written. */
static int find_schedules(struct pl_reorder_schedules *schedules, struct pl_reorder_answer *a,
			  const struct pl_stop *stop, struct pl_err *err)
{
	if (a->o->format != PL_FORMAT_SCHEDULE)
		return 0;
	a->schedules = schedules;
	if (pl_reorder_schedules_find(schedules, a, stop, err) == 0)
		return 0;
	if (err->code == PL_EPARTIAL)
		pl_reorder_report_schedules(a);
	return -1;
}

/* Draws a small order on the terminal; a failure to draw is no error. */
static void show(const struct pl_reorder_picture *picture)
{
	struct pl_err none = {0};

	if (picture->a->o->terminal.color && picture->a->from->seen &&
	    picture->in->hosts.n <= PL_TEXT_MAP_HOSTS)
		pl_reorder_picture_write(picture, &picture->a->o->terminal, stderr, &none);
}

static int order(const struct pl_reorder_options *o, const struct pl_reorder_source *from,
		 struct pl_reorder_job *job, const struct pl_order_input *in,
		 const struct pl_order_model *m, struct pl_stop *stop, struct pl_err *err)
{
	struct pl_order_result r = {0};
	struct pl_order_promise promise = {0};
	struct pl_reorder_forecast forecast = {0};
	struct pl_reorder_rules rules = {0};
	struct pl_reorder_schedules schedules = {0};
	struct pl_reorder_chosen chosen = {0};
	const size_t n_seats = o->request.choose ? o->request.choose : in->hosts.n;
	struct pl_reorder_picture picture;
	struct pl_reorder_answer a = {
		.o = o,
		.from = from,
		.in = in,
		.r = &r,
		.given = &in->hosts,
		.forecast = o->predict ? &forecast : NULL,
		.rules = pl_reorder_writes_rules(o) ? &rules : NULL,
		.job = o->job ? job : NULL,
		.promise = pl_order_request_promises(&o->request) ? &promise : NULL,
	};
	int status;

	picture = (struct pl_reorder_picture){.a = &a, .in = in, .r = &r, .n_seats = n_seats};
	if (find(&r, &promise, &forecast, &rules, job, &a, m, stop, err) ||
	    pl_reorder_chosen_tell(&chosen, &a, n_seats, err) ||
	    find_schedules(&schedules, &a, stop, err) || write_files(&picture, err)) {
		status = pl_tool_fail(PL_REORDER_TOOL, err);
	} else {
		pl_reorder_report(&a);
		show(&picture);
		status = o->predict ? PL_EXIT_DONE : launch_part(&a, err);
		if (r.stopped)
			status = PL_EXIT_PARTIAL;
	}
	pl_reorder_schedules_fini(&schedules);
	pl_reorder_chosen_fini(&chosen);
	pl_reorder_rules_fini(&rules);
	pl_reorder_forecast_fini(&forecast);
	pl_order_promise_fini(&promise);
	pl_order_result_fini(&r);
	return status;
}

/* Messages about one call describe the largest call that the job has made. */
static int take_counted(struct pl_reorder_options *o, const struct pl_hosts *hosts,
			struct pl_err *err)
{
	struct pl_order_workload w = {0};
	size_t largest = 0;

	if (!o->request.stats)
		return 0;
	if (pl_order_workload_init(&w, hosts, &o->request, err))
		return -1;
	for (size_t i = 1; i < w.n; i++)
		if (w.v[i].what.bytes > w.v[largest].what.bytes)
			largest = i;
	o->request.what = w.v[largest].what;
	o->request.what.has_size = o->request.what.has_size && (w.n == 1 || o->cost_of);
	pl_order_workload_fini(&w);
	return 0;
}

/* Prints the remarks even if loading fails. */
static int load(struct pl_reorder_source *from, struct pl_order_input *in,
		const struct pl_reorder_options *o, const struct pl_stop *stop, struct pl_err *err)
{
	const int rc = pl_reorder_source_load(from, in, o, stop, err);

	pl_reorder_remarks_say(&from->no_rates);
	pl_reorder_remarks_say(&from->remarks);
	return rc;
}

int main(int argc, char **argv)
{
	struct pl_reorder_options o;
	struct pl_reorder_source from = {0};
	struct pl_order_input in = {0};
	struct pl_order_model m = {0};
	struct pl_reorder_job job = {0};
	struct pl_stop stop = {.flag = &interrupted};
	const int64_t start_ns = pl_clock_ns();
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = pl_reorder_options_parse(&o, argc, argv);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	catch_signals();
	if (pl_reorder_files_try(&o, &err) || pl_reorder_job_read(&job, &o, &err) ||
	    load(&from, &in, &o, &stop, &err)) {
		status = pl_tool_fail(PL_REORDER_TOOL, &err);
		goto out;
	}
	if (o.schedule) {
		status = pl_reorder_schedule_times(&in, &o, &stop, &err);
		goto out;
	}
	if (pl_reorder_library_check(&o, &in.hosts, &err) || take_counted(&o, &in.hosts, &err)) {
		status = pl_tool_fail(PL_REORDER_TOOL, &err);
		goto out;
	}
	if (o.job)
		pl_reorder_job_slots(&job, &o, &in);
	else
		pl_reorder_nccl_default(&o, &in.hosts);
	if (o.request.time_ns)
		stop.deadline_ns = pl_clock_ns() + o.request.time_ns;
	if (!o.job && (!pl_order_request_promises(&o.request) || o.cost_of) &&
	    pl_order_model_init(&m, &in, &o.request, &err))
		status = pl_tool_fail(PL_REORDER_TOOL, &err);
	else
		status = o.cost_of ? pl_reorder_cost_of(&from, &in, &m, &job, &o, &stop, &err)
				   : order(&o, &from, &job, &in, &m, &stop, &err);
out:
	if (status != PL_EXIT_DONE)
		pl_reorder_remedy(&from, &o);
	if (status == PL_EXIT_DONE || from.saved)
		pl_kept_remove(&from.kept);
	if (o.verbose)
		pl_reorder_say("seed %llu, %u threads, %.3f s in all",
			       (unsigned long long)o.request.seed, o.request.threads,
			       (double)(pl_clock_ns() - start_ns) * 1e-9);
	pl_order_model_fini(&m);
	pl_reorder_job_fini(&job);
	pl_order_input_fini(&in);
	pl_reorder_source_fini(&from);
	return status;
}
