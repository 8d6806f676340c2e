/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.c - from a network and a goal to an order */
#include "config.h"

#include "lib/parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text/outfile.h"
#include "costmodels/catalogue.h"
#include "order/calls/network.h"
#include "order/costs.h"
#include "order/job/order.h"
#include "order/model.h"
#include "order/solve.h"
#include "order/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A goal looked at with a network. Start with {0}, end with fini. */
struct task {
	struct pl_order_request q; /* the goal's, its algorithm found */
	struct pl_order_input in;
	struct pl_order_model m; /* of one call */
	struct pl_job job;       /* else, if the goal names one */
	bool has_job;
};

struct pl_answer {
	struct pl_order_result r;
	struct pl_order_algorithm what;
	uint64_t seed;
	struct pl_hosts hosts;
	char digest[PL_DIGEST_CHARS]; /* "": none was wanted */
	bool has_job;
};

static void fini(struct task *task)
{
	pl_order_model_fini(&task->m);
	pl_job_fini(&task->job);
	pl_order_input_fini(&task->in);
}

/* The first pair that nothing is known of, in either square. */
static int refuse_missing(const struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;

	for (size_t i = 0; i < n * n; i++) {
		const char *from = in->hosts.v[i / n].name;
		const char *to = in->hosts.v[i % n].name;

		if (isnan(in->c[i]))
			return pl_err_set(err, PL_EPARTIAL,
					  "nothing was measured from host \"%s\" to \"%s\"", from,
					  to);
		if (in->per_byte && isnan(in->per_byte[i]))
			return pl_err_set(err, PL_EPARTIAL,
					  "no bandwidth was measured from host \"%s\" to \"%s\"",
					  from, to);
	}
	return 0;
}

static int check(const struct pl_order_request *q, struct pl_err *err)
{
	if (pl_order_algorithm_check(&q->what, err))
		return -1;
	if (q->time_ns && q->has_moves)
		return pl_err_set(err, PL_EUSAGE, "time and moves cannot be combined");
	if (q->what.segment_bytes && !q->what.a->takes_segment)
		return pl_err_set(err, PL_EUSAGE,
				  "segment has no effect: %s (%s) sends no segments", q->what.name,
				  pl_impl_name(q->what.a->impl));
	return 0;
}

static int check_job(const struct pl_order_request *q, struct pl_err *err)
{
	if (q->names.collective || q->names.algorithm || q->what.has_size ||
	    q->what.segment_bytes || q->what.root)
		return pl_err_set(err, PL_EUSAGE,
				  "job gives the calls: collective, algorithm, size, segment and "
				  "root do not go with it");
	if (q->pin || q->method != PL_METHOD_SEARCH || q->has_bound)
		return pl_err_set(err, PL_EUSAGE, "pin, method and bound do not go with job");
	return 0;
}

/* The job, the slots that it needs, and the network that its step is played
 * on, if it was measured. */
static int prepare_job(struct task *task, const struct pl_net *net, struct pl_err *err)
{
	pl_job_fit_slots(&task->job, &task->in.hosts);
	return task->in.unit == PL_LEVELS ? 0 : pl_order_network_keep(&task->in, net->m, err);
}

static int prepare(struct task *task, const struct pl_net *net, const struct pl_goal *goal,
		   struct pl_err *err)
{
	struct pl_order_request *q = &task->q;

	*q = goal->request;
	q->names = (struct pl_order_names){
		.collective = goal->collective, .algorithm = goal->algorithm, .impl = goal->impl};
	q->pin = goal->pin;
	if (q->method == PL_METHOD_EXACT && !q->has_bound)
		q->bound = PL_BOUND_FULL;
	task->has_job = q->for_job = goal->job != NULL;
	if (task->has_job && (check_job(q, err) || pl_job_read(&task->job, goal->job, err)))
		return -1;
	if (pl_order_algorithm_find(&q->what, &q->names, err) || check(q, err))
		return -1;
	if (pl_hosts_copy(&task->in.hosts, &net->m->hosts))
		return pl_err_nomem(err);
	if (pl_order_take_costs(&task->in, net->m, q, err) || refuse_missing(&task->in, err) ||
	    pl_order_take_windows(&task->in, net->m->layer[0].quantity, q, err))
		return -1;
	return task->has_job ? prepare_job(task, net, err)
			     : pl_order_model_init(&task->m, &task->in, q, err);
}

/* The predicted time takes the place of the sum of hops, for which alone the bound holds. */
static void tell_predicted(struct pl_order_result *r, const struct pl_job_answer *told,
			   const struct pl_order_input *in)
{
	const double unit = pl_unit_ns(in->unit) * 1e-9;

	if (!told->is_played)
		return;
	r->cost_given = told->played_given / unit;
	r->cost = told->played_found / unit;
	r->bound = NAN;
	r->exact = false;
}

/* The order of one call or of a whole job; with @host_at the cost of that
 * order of a job. */
static int find(struct pl_order_result *r, const struct task *task, const size_t *host_at,
		const struct pl_stop *stop, struct pl_err *err)
{
	const size_t n = task->in.hosts.n;
	struct pl_job_answer told = {0};
	int rc;

	if (!task->has_job)
		return pl_order_solve(r, &task->in, &task->m, &task->q, stop, err);
	if (host_at) {
		r->host_at = pl_array_create(n, sizeof(*r->host_at));
		if (!r->host_at)
			return pl_err_nomem(err);
		memcpy(r->host_at, host_at, n * sizeof(*host_at));
	}
	rc = (host_at ? pl_job_order_cost : pl_job_order)(r, &told, &task->job, &task->in, &task->q,
							  stop, err);
	if (rc == 0)
		tell_predicted(r, &told, &task->in);
	pl_job_answer_fini(&told);
	return rc;
}

/* Has the order every host once? */
static int check_order(const size_t *host_at, size_t n, struct pl_err *err)
{
	bool *seen = pl_array_create(n, sizeof(*seen));
	size_t pos = 0;

	if (!seen)
		return pl_err_nomem(err);
	for (; pos < n && host_at[pos] < n && !seen[host_at[pos]]; pos++)
		seen[host_at[pos]] = true;
	free(seen);
	if (pos == n)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "position %zu has host %zu, which does not exist or appears twice", pos,
			  host_at[pos]);
}

int pl_cost(const struct pl_net *net, const struct pl_goal *goal, const size_t *host_at,
	    double *cost, struct pl_error *error)
{
	const struct pl_stop never = {0};
	struct pl_order_result r = {0};
	struct task task = {0};
	struct pl_err err;
	int rc = 0;

	if (check_order(host_at, net->m->hosts.n, &err) || prepare(&task, net, goal, &err) ||
	    (task.has_job && find(&r, &task, host_at, &never, &err)))
		rc = pl_lib_fail(error, &err);
	else
		*cost = task.has_job ? r.cost : pl_order_model_cost(&task.m, host_at);
	pl_order_result_fini(&r);
	fini(&task);
	return rc;
}

static int solve(struct pl_answer *a, struct task *task, const struct pl_net *net,
		 const struct pl_goal *goal, struct pl_err *err)
{
	struct pl_stop stop = {.flag = goal->stop};

	if (prepare(task, net, goal, err))
		return -1;
	if (task->q.time_ns)
		stop.deadline_ns = pl_clock_ns() + task->q.time_ns;
	if (find(&a->r, task, NULL, &stop, err) ||
	    (!goal->no_digest && pl_matrix_digest(net->m, a->digest, err)))
		return -1;
	if (pl_hosts_copy(&a->hosts, &task->in.hosts))
		return pl_err_nomem(err);
	a->what = task->q.what;
	a->seed = task->q.seed;
	a->has_job = task->has_job;
	return 0;
}

struct pl_answer *pl_solve(const struct pl_net *net, const struct pl_goal *goal,
			   struct pl_error *error)
{
	struct pl_answer *a = calloc(1, sizeof(*a));
	struct task task = {0};
	struct pl_err err;

	if (!a) {
		pl_lib_nomem(error);
		return NULL;
	}
	if (solve(a, &task, net, goal, &err)) {
		pl_lib_fail(error, &err);
		pl_answer_destroy(a);
		a = NULL;
	}
	fini(&task);
	return a;
}

const size_t *pl_answer_order(const struct pl_answer *answer)
{
	return answer->r.host_at;
}

double pl_answer_cost(const struct pl_answer *answer)
{
	return answer->r.cost;
}

double pl_answer_given(const struct pl_answer *answer)
{
	return answer->r.cost_given;
}

double pl_answer_bound(const struct pl_answer *answer)
{
	return answer->r.bound;
}

int pl_answer_is_best(const struct pl_answer *answer)
{
	return answer->r.exact;
}

int pl_answer_was_stopped(const struct pl_answer *answer)
{
	return answer->r.stopped;
}

/* The plan borrows all from the answer and the buffers. */
static int write_plan(const struct pl_answer *a, FILE *f, struct pl_err *err)
{
	char collective[64], algorithm[64], impl[64], created[32];
	char digest[PL_DIGEST_CHARS], by[] = "libplink " PACKAGE_VERSION;
	struct pl_order order = {
		.collective = collective,
		.algorithm = algorithm,
		.impl = impl,
		.size_max = UINT64_MAX,
		.root = a->what.root,
		.cost = a->r.cost,
		.given = a->r.cost_given,
		.bound = a->r.bound,
		.host_at = a->r.host_at,
	};
	const struct pl_plan plan = {
		.created = created,
		.by = by,
		.matrix = *a->digest ? digest : NULL,
		.has_seed = true,
		.seed = a->seed,
		.hosts = a->hosts,
		.order = &order,
		.n_orders = 1,
	};

	snprintf(collective, sizeof(collective), "%s",
		 a->has_job ? "job" : pl_collective_name(a->what.a->collective));
	snprintf(algorithm, sizeof(algorithm), "%s", a->has_job ? "all" : a->what.name);
	snprintf(impl, sizeof(impl), "%s", pl_impl_name(a->what.a->impl));
	memcpy(digest, a->digest, sizeof(digest));
	pl_clock_date(created);
	return pl_plan_write(&plan, f, err);
}

int pl_answer_write_plan(const struct pl_answer *answer, const char *path, struct pl_error *error)
{
	struct pl_outfile out = {0};
	struct pl_err err;

	if (pl_outfile_open(&out, path, &err))
		return pl_lib_fail(error, &err);
	if (write_plan(answer, out.f, &err)) {
		pl_outfile_abort(&out);
		return pl_lib_fail(error, &err);
	}
	return pl_outfile_commit(&out, &err) ? pl_lib_fail(error, &err) : 0;
}

void pl_answer_destroy(struct pl_answer *answer)
{
	if (!answer)
		return;
	pl_order_result_fini(&answer->r);
	pl_hosts_fini(&answer->hosts);
	free(answer);
}
