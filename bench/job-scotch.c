/* SPDX-License-Identifier: BSD-3-Clause */
/* job-scotch.c - a job's communicators as traffic between hosts, for Scotch */
#include "config.h"

#include "bench/job-scotch.h"

#include "base/mem.h"
#include "bench/qap-baselines.h"
#include "costmodels/catalogue.h"
#include "order/job/calls.h"
#include "order/job/groups.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What seats send to each other in a step. */
struct flows {
	struct pl_assign_flow *v;
	size_t n, room;
};

static int add(struct flows *f, size_t src, size_t dst, double messages, double bytes,
	       struct pl_err *err)
{
	void *array = f->v;

	if (pl_array_grow(&array, &f->room, f->n, sizeof(*f->v)))
		return pl_err_nomem(err);
	f->v = array;
	f->v[f->n++] = (struct pl_assign_flow){
		.src = (uint32_t)src, .dst = (uint32_t)dst, .messages = messages, .bytes = bytes};
	return 0;
}

/* The hops of a group's algorithm, @times each. */
static int add_group(struct flows *f, const struct pl_job_kind *kind,
		     const struct pl_order_algorithm *what, const struct pl_costs *costs,
		     const size_t *seat, size_t n, double share, struct pl_err *err)
{
	const struct pl_call call = pl_job_call(kind, what, seat, n);
	struct pl_shape shape;
	double times;
	int rc = 0;

	if (pl_job_factor(what->a, &call, costs, &times, err) ||
	    pl_algorithm_shape(what->a, &call, &shape, err))
		return -1;
	times *= kind->calls * kind->exposed;
	for (size_t h = 0; rc == 0 && h < shape.n_hops; h++) {
		const struct pl_hop *hop = &shape.hop[h];

		rc = add(f, seat[hop->src], seat[hop->dst], times * hop->times,
			 times * hop->times * hop->bytes * share, err);
	}
	pl_shape_fini(&shape);
	return rc;
}

/* All microbatches, from each stage to the next and back, in each part of the model; between parts
 * from the last stage to the first. */
static int add_pipeline(struct flows *f, const struct pl_job_kind *kind, const size_t *seat,
			size_t n, double share, struct pl_err *err)
{
	const double messages = kind->calls * kind->exposed * (double)kind->microbatches;
	const double bytes = messages * (double)kind->bytes * share;

	for (size_t i = 0; i < n; i++) {
		const size_t next = seat[(i + 1) % n];
		const double times = (double)(i + 1 < n ? kind->vpp : kind->vpp - 1);

		if (times > 0 && (add(f, seat[i], next, times * messages, times * bytes, err) ||
				  add(f, next, seat[i], times * messages, times * bytes, err)))
			return -1;
	}
	return 0;
}

static int add_kind(struct flows *f, const struct pl_job_cost_options *o,
		    const struct pl_job_kind *kind, struct pl_err *err)
{
	struct pl_order_algorithm what;
	struct pl_job_seated g;
	int rc = 0;

	if (pl_job_find_algorithm(&what, o->job, kind, o->library, err))
		return -1;
	if (pl_job_seated_init(&g, kind, &o->seats, 1))
		return pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < g.n; i++) {
		const size_t *seat = g.seat + g.first[i];
		const size_t n = g.first[i + 1] - g.first[i];

		rc = kind->form == PL_JOB_PIPELINE
			     ? add_pipeline(f, kind, seat, n, (double)g.share, err)
			     : add_group(f, kind, &what, &o->costs, seat, n, (double)g.share, err);
	}
	pl_job_seated_fini(&g);
	return rc;
}

int job_scotch(const struct pl_job_cost_options *o, size_t rack, const size_t *by_rack,
	       size_t *host_at, struct pl_err *err)
{
	struct flows f = {0};
	struct qap_instance in = {.name = "job", .known = NAN, .leaf = by_rack};
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < o->job->n_kinds; k++)
		rc = add_kind(&f, o, &o->job->kind[k], err);
	in.problem = (struct pl_assign_problem){
		.n_pos = o->seats.n, .flow = f.v, .n_flows = f.n, .costs = &o->costs};
	snprintf(in.tree, sizeof(in.tree), "tleaf 2 %zu 30 %zu 10", o->seats.n / rack, rack);
	if (rc == 0)
		rc = qap_scotch(&in, host_at, err);
	free(f.v);
	return rc;
}
