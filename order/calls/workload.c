/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.c - the calls that an order is for, and how much each counts */
#include "config.h"

#include "order/calls/workload.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"

#include <stdlib.h>
#include <string.h>

void pl_order_workload_fini(struct pl_order_workload *w)
{
	free(w->v);
	free(w->guessed);
	memset(w, 0, sizeof(*w));
}

bool pl_order_workload_is_mixed(const struct pl_order_workload *w)
{
	for (size_t i = 1; i < w->n; i++)
		if (w->v[i].what.a->collective != w->v[0].what.a->collective)
			return true;
	return false;
}

int pl_order_workload_add(struct pl_order_workload *w, const struct pl_order_work *work,
			  struct pl_err *err)
{
	struct pl_order_work *v = realloc(w->v, (w->n + w->n_ties + 1) * sizeof(*v));

	if (!v)
		return pl_err_nomem(err);
	w->v = v;
	v[w->n++] = *work;
	return 0;
}

int pl_order_workload_decide(struct pl_order_work *work, const struct pl_hosts *hosts,
			     struct pl_err *err)
{
	struct pl_call call, decided;
	struct pl_shape shape;

	if (pl_order_call(&work->what, hosts, 0, &call, err) ||
	    pl_algorithm_shape(work->what.a, &call, &shape, err))
		return -1;
	pl_shape_fini(&shape);
	work->taken =
		work->what.a->decide ? pl_algorithm_decide(work->what.a, &call, &decided) : NULL;
	return 0;
}

/* If no size was given, it is that of the whole buffer, in equal blocks. */
static uint64_t usual_bytes(enum pl_collective collective, uint64_t bytes, size_t n_ranks)
{
	const uint64_t each = PL_ORDER_ELEMENT * (uint64_t)n_ranks;
	const uint64_t blocks = bytes / each ? bytes / each : 1;

	if (pl_collective_is_by_block(collective))
		return blocks * PL_ORDER_ELEMENT;
	return collective == PL_REDUCE_SCATTER ? blocks * each : bytes;
}

/* Each size of one collective. */
static int add_sizes(struct pl_order_workload *w, const struct pl_order_algorithm *what,
		     const struct pl_hosts *hosts, const struct pl_order_request *q,
		     struct pl_err *err)
{
	const bool sized = what->a->collective != PL_BARRIER;
	const size_t n_ranks = pl_hosts_ranks(hosts);
	struct pl_call call;

	/* finds faults that do not depend on the size */
	if (pl_order_call(what, hosts, 0, &call, err))
		return -1;
	for (size_t s = 0; s < (sized ? q->n_sizes : 1); s++) {
		struct pl_order_work work = {
			.what = *what,
			.weight = sized ? q->size_weight[s] : 1,
		};

		work.what.has_size = sized;
		work.what.bytes =
			q->usual_sizes ? usual_bytes(what->a->collective, q->size_bytes[s], n_ranks)
				       : q->size_bytes[s];
		if (pl_order_workload_decide(&work, hosts, err)) {
			if (!q->usual_sizes || err->code != PL_EUSAGE)
				return -1;
			w->refused = *err;
			*err = (struct pl_err){.code = PL_OK};
			continue;
		}
		if (pl_order_workload_add(w, &work, err))
			return -1;
	}
	return 0;
}

/* Each collective of the list "allreduce,broadcast". */
static int add_collectives(struct pl_order_workload *w, const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err)
{
	const char *rest = q->names.collective;
	char one[PL_ORDER_NAME_CHARS];

	do {
		struct pl_order_algorithm what = q->what;
		struct pl_order_names names = q->names;

		names.collective = pl_order_next_name(&rest, one);
		what.has_size = false; /* takes each size in turn */
		if (pl_order_algorithm_find(&what, &names, err) ||
		    pl_order_algorithm_check(&what, err) || add_sizes(w, &what, hosts, q, err))
			return -1;
	} while (rest);
	return 0;
}

/* Adds, after all others, what the library runs by itself at the usual sizes, if the calls stated
 * are of one kind: many orders may be equally good for these. */
static int add_ties(struct pl_order_workload *w, const struct pl_hosts *hosts,
		    const struct pl_order_request *q, struct pl_err *err)
{
	const size_t n = w->n;
	struct pl_order_request usual = *q;
	int rc;

	if (q->usual_sizes && !q->names.algorithm)
		return 0;
	usual.names.algorithm = NULL;
	usual.names.collective = pl_collective_name(w->v[0].what.a->collective);
	usual.what.segment_bytes = 0;
	pl_order_request_usual(&usual);
	rc = add_collectives(w, hosts, &usual, err);
	w->n_ties = w->n - n;
	w->n = n;
	return rc;
}

/* Weights that add up to 1. */
static void normalize(struct pl_order_workload *w)
{
	double sum = 0;

	for (size_t i = 0; i < w->n; i++)
		sum += w->v[i].weight;
	for (size_t i = 0; i < w->n; i++)
		w->v[i].weight /= sum;
}

int pl_order_workload_leave(struct pl_order_workload *w, const bool *guess, struct pl_err *err)
{
	const size_t n = w->n, n_all = w->n + w->n_ties;

	w->guessed = pl_array_create(n, sizeof(*w->guessed));
	if (!w->guessed)
		return pl_err_nomem(err);
	w->n = 0;
	for (size_t i = 0; i < n; i++)
		if (guess[i])
			w->guessed[w->n_guessed++] = w->v[i];
		else
			w->v[w->n++] = w->v[i];
	memmove(&w->v[w->n], &w->v[n], (n_all - n) * sizeof(*w->v));
	normalize(w);
	return 0;
}

int pl_order_workload_init(struct pl_order_workload *w, const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err)
{
	memset(w, 0, sizeof(*w));
	if (q->stats ? pl_order_workload_read(w, hosts, q, err) : add_collectives(w, hosts, q, err))
		goto fail;
	if (w->n == 0) {
		*err = w->refused;
		goto fail;
	}
	normalize(w);
	if (add_ties(w, hosts, q, err))
		goto fail;
	return 0;
fail:
	pl_order_workload_fini(w);
	return -1;
}
