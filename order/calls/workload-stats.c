/* SPDX-License-Identifier: BSD-3-Clause */
/* workload-stats.c - the calls that a job has made, from its plink-stats(5) file */
#include "config.h"

#include "order/calls/workload.h"

#include "costmodels/catalogue.h"
#include "job/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct reading {
	struct pl_order_workload *w;
	const struct pl_order_request *q;
	const struct pl_hosts *hosts;
	size_t n_ranks;
	struct pl_err *err;
};

/* MPI_Reduce_scatter_block has algorithms of its own. */
static const char *rule_for(const char *function, enum pl_impl impl)
{
	return (impl == PL_OPENMPI || impl == PL_MPICH) && !strcmp(function, "reduce-scatter-block")
		       ? "block-default"
		       : NULL;
}

/* The collective of a name such as "reduce-scatter-block"; -1: plink orders nothing for it. */
static int collective_of(const char *function, enum pl_collective *collective)
{
	if (!strcmp(function, "reduce-scatter-block"))
		function = "reduce-scatter";
	return pl_collective_parse(function, collective, NULL);
}

static void leave_out(struct reading *r, const struct pl_stats_line *row)
{
	const double n = (double)row->calls / (double)row->processes;

	r->w->n_left_out += n;
	if (n <= r->w->n_most)
		return;
	r->w->n_most = n;
	snprintf(r->w->most, sizeof(r->w->most), "%s %.32s of %" PRId64 " ranks", row->kind,
		 row->function, row->ranks);
}

/* Leaves out calls of fewer ranks than the job's, which run in other orders; calls that a library
 * runs by other algorithms, such as those that do not block; and calls without a known
 * algorithm. */
static int take_row(struct reading *r, const struct pl_stats_line *row)
{
	struct pl_order_work work = {.what = r->q->what};
	enum pl_collective collective;
	struct pl_order_names names = r->q->names;
	int64_t elements;

	if (row->calls < 1 || row->processes < 1 || row->bytes < 0)
		return 0;
	r->w->n_calls += (double)row->calls / (double)row->processes;
	if (row->ranks != (int64_t)r->n_ranks || strcmp(row->kind, "blocking") != 0 ||
	    collective_of(row->function, &collective)) {
		leave_out(r, row);
		return 0;
	}
	names.collective = pl_collective_name(collective);
	names.algorithm = rule_for(row->function, r->q->what.a->impl);
	if (pl_order_algorithm_find(&work.what, &names, r->err))
		return -1;
	elements = row->bytes / row->calls / PL_ORDER_ELEMENT;
	if (collective == PL_ALLTOALL)
		elements /= row->ranks;
	work.what.has_size = collective != PL_BARRIER;
	work.what.bytes = (uint64_t)(elements > 0 ? elements : 1) * PL_ORDER_ELEMENT;
	work.weight = (double)row->calls / (double)row->processes;
	if (pl_order_workload_decide(&work, r->hosts, r->err)) {
		if (r->err->code != PL_EUSAGE)
			return -1;
		*r->err = (struct pl_err){.code = PL_OK};
		leave_out(r, row);
		return 0;
	}
	return pl_order_workload_add(r->w, &work, r->err);
}

int pl_order_workload_take(struct pl_order_workload *w, const struct pl_stats *s,
			   const struct pl_hosts *hosts, const struct pl_order_request *q,
			   struct pl_err *err)
{
	struct reading r = {
		.w = w, .q = q, .hosts = hosts, .n_ranks = pl_hosts_ranks(hosts), .err = err};

	w->counted = true;
	for (size_t i = 0; i < s->n; i++)
		if (take_row(&r, &s->row[i]))
			return -1;
	if (w->n == 0)
		return pl_err_at(
			err, (struct pl_place){.file = q->stats},
			"no collective among all %zu ranks for which an order can be found",
			r.n_ranks);
	return 0;
}

int pl_order_workload_read(struct pl_order_workload *w, const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err)
{
	struct pl_stats s = {0};
	int rc = pl_stats_read(&s, q->stats, err);

	if (rc == 0)
		rc = pl_order_workload_take(w, &s, hosts, q, err);
	pl_stats_fini(&s);
	return rc;
}
