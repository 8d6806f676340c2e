/* SPDX-License-Identifier: BSD-3-Clause */
/* step.c - a step of a job: computing by the profile, the bubble of its pipeline, and its calls,
 * played on a measured network */
#include "config.h"

#include "src/srift/step.h"

#include "base/mem.h"
#include "base/plan/plan.h"
#include "base/stop.h"
#include "base/text/size.h"
#include "order/calls/network.h"
#include "order/costs.h"
#include "order/solve.h"
#include "src/common/json.h"
#include "src/srift/plans.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void srift_step_fini(struct srift_step *s)
{
	pl_job_fini(&s->job);
	pl_job_answer_fini(&s->calls);
	free(s->slowest.part_s);
	memset(s, 0, sizeof(*s));
}

/* What the calls are played on. */
struct stage {
	struct pl_plan plan; /* empty: the matrix's order counts */
	struct pl_matrix *matrix;
	struct pl_order_input in;
	struct pl_order_request q;
	struct pl_order_result r;
};

static void stage_fini(struct stage *t)
{
	pl_plan_fini(&t->plan);
	pl_matrix_destroy(t->matrix);
	pl_order_input_fini(&t->in);
	pl_order_result_fini(&t->r);
}

static int check_machines(const struct stage *t, const struct srift_step *s,
			  const struct pl_selection *sel, struct pl_err *err)
{
	const size_t machines = pl_selection_machines(sel);
	const size_t ranks = pl_selection_ranks(sel);

	if (t->in.hosts.n == machines && s->job.n_ranks == ranks)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "the job has %zu ranks on %zu hosts of the %s, the choice %zu ranks on "
			  "%zu machines",
			  s->job.n_ranks, t->in.hosts.n, t->plan.n_orders ? "plan" : "matrix",
			  ranks, machines);
}

/* Computing is the profile's, not the job file's. */
static void drop_computing(struct pl_job *job)
{
	for (size_t k = 0; k < job->n_kinds; k++)
		job->kind[k].forward_ns = job->kind[k].backward_ns = 0;
}

/* The hosts, their network, and the order: of the plan, or as they are
 * listed. */
static int stage_read(struct stage *t, struct srift_step *s, const struct srift_options *o,
		      const struct pl_selection *sel, struct pl_err *err)
{
	const struct pl_hosts *hosts;

	t->q = (struct pl_order_request){.for_job = true,
					 .seed = o->iteration.seed,
					 .threads = 1,
					 .nic_bps = o->nic_bps,
					 .uplink_bps = o->uplink_bps};
	t->matrix = srift_matrix_read(o, err);
	if (!t->matrix || pl_job_read(&s->job, o->job, err) ||
	    (o->n_plans && pl_plan_read(&t->plan, o->plan[0], err)) ||
	    pl_order_algorithm_find(&t->q.what, &t->q.names, err))
		return -1;
	drop_computing(&s->job);
	hosts = o->n_plans ? &t->plan.hosts : &t->matrix->hosts;
	if (pl_hosts_copy(&t->in.hosts, hosts))
		return pl_err_nomem(err);
	pl_job_fit_slots(&s->job, &t->in.hosts);
	if (check_machines(t, s, sel, err) || pl_order_take_costs(&t->in, t->matrix, &t->q, err))
		return -1;
	if (t->in.pairs_missing)
		return pl_err_set(err, PL_EINPUT, "%s: %zu pairs of these hosts were not measured",
				  o->matrix, t->in.pairs_missing);
	t->r.host_at = pl_array_create(hosts->n, sizeof(*t->r.host_at));
	if (!t->r.host_at)
		return pl_err_nomem(err);
	for (size_t i = 0; i < hosts->n; i++)
		t->r.host_at[i] = o->n_plans ? t->plan.order[0].host_at[i] : i;
	return pl_order_network_keep(&t->in, t->matrix, err);
}

static int play(struct srift_step *s, const struct srift_options *o, const struct pl_selection *sel,
		struct pl_err *err)
{
	static const struct pl_stop never = {.flag = NULL};
	struct stage t = {.matrix = NULL};
	int rc = stage_read(&t, s, o, sel, err);

	if (rc == 0)
		rc = pl_job_order_cost(&t.r, &s->calls, &s->job, &t.in, &t.q, &never, err);
	if (rc == 0 && !s->calls.is_played)
		rc = pl_err_set(err, PL_EINPUT,
				"%s: its calls cannot be played: too many messages, or a matrix of "
				"distances",
				o->job);
	stage_fini(&t);
	return rc;
}

/* Compute times are those of the slowest machine, as of an iteration. */
static int compute(struct srift_step *s, const struct srift_options *o,
		   const struct pl_selection *sel, struct pl_err *err)
{
	struct pl_rng rng;

	pl_rng_init(&rng, o->iteration.seed, 0);
	if (pl_slowest_draw(&s->slowest, sel, o->iteration.draws, &rng))
		return pl_err_nomem(err);
	return 0;
}

/* The longest bubble of a pipeline. In 1F1B order as in that of GPipe each of P
 * stages computes in M of M + P - 1 slots, for M microbatches: it idles for
 * (P - 1) / M of its compute time. If it has V parts of the model, slots are V
 * times as short and as many, and it idles in P - 1 of them. */
static void find_bubble(struct srift_step *s)
{
	double most = 0;

	for (size_t k = 0; k < s->job.n_kinds; k++) {
		const struct pl_job_kind *kind = &s->job.kind[k];

		if (kind->form != PL_JOB_PIPELINE)
			continue;
		for (size_t g = 0; g < kind->n_groups; g++) {
			const size_t p = kind->first[g + 1] - kind->first[g];
			const double share =
				((double)p - 1) / (double)(kind->microbatches * kind->vpp);

			if (share <= most)
				continue;
			most = share;
			s->stages = p;
			s->microbatches = kind->microbatches;
			s->vpp = kind->vpp;
		}
	}
	s->bubble_s = most * (s->slowest.forward_s + s->slowest.backward_s);
}

int srift_step_predict(struct srift_step *s, const struct srift_options *o,
		       const struct pl_selection *sel, struct pl_err *err)
{
	double computed_s;

	if (play(s, o, sel, err) || compute(s, o, sel, err))
		return -1;
	find_bubble(s);
	computed_s = s->slowest.forward_s + s->slowest.backward_s + s->bubble_s;
	s->given_s = computed_s + s->calls.played_given;
	s->found_s = computed_s + s->calls.played_found;
	return 0;
}

static void write_kind(const struct pl_job_kind *kind, double seconds, FILE *out)
{
	char size[PL_SIZE_CHARS] = "";

	if (kind->bytes)
		pl_size_format(size, kind->bytes);
	fprintf(out, "  %-10s %s: %g %s%s%s", kind->name, PL_TIME_TEXT(seconds), kind->calls,
		pl_job_calls_name(kind), kind->bytes ? " of " : "", size);
	if (kind->n_groups)
		fprintf(out, " in %zu group%s", kind->n_groups, kind->n_groups == 1 ? "" : "s");
	if (kind->exposed != 1)
		fprintf(out, ", %g %% of it exposed", 100 * kind->exposed);
	fputc('\n', out);
}

void srift_step_write(const struct srift_step *s, FILE *out)
{
	if (s->stages)
		fprintf(out, "bubble     %s: %zu stages, %" PRIu64 " microbatch%s",
			PL_TIME_TEXT(s->bubble_s), s->stages, s->microbatches,
			s->microbatches == 1 ? "" : "es");
	if (s->stages && s->vpp > 1)
		fprintf(out, ", %" PRIu64 " parts of the model at each stage", s->vpp);
	if (s->stages)
		fputc('\n', out);
	fprintf(out, "calls      %s\n", PL_TIME_TEXT(s->calls.played_found));
	for (size_t k = 0; k < s->calls.n; k++)
		write_kind(&s->job.kind[k], s->calls.kind[k].played.found, out);
}

json_t *srift_step_json(const struct srift_step *s)
{
	json_t *kinds = json_array();

	for (size_t k = 0; k < s->calls.n; k++) {
		const struct pl_job_kind *kind = &s->job.kind[k];

		pl_list_add(&kinds,
			    json_pack("{so ss sf sf sf sf}", "name", pl_tool_json_text(kind->name),
				      "calls", pl_job_calls_name(kind), "count", kind->calls,
				      "exposed", kind->exposed, "given_s",
				      s->calls.kind[k].played.given, "s",
				      s->calls.kind[k].played.found));
	}
	return json_pack("{sf sI sI sI sf so}", "bubble_s", s->bubble_s, "stages",
			 (json_int_t)s->stages, "microbatches", (json_int_t)s->microbatches, "vpp",
			 (json_int_t)s->vpp, "calls_s", s->calls.played_found, "kinds", kinds);
}
