/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.c - rounds of disjoint pairs: messages there and back, timed by the
 * GPU */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/tournament.h"

#include <stdlib.h>
#include <string.h>

#define WARM_UP 5 /* messages in which NCCL may connect */

struct run {
	const struct nccl_bw_job *job;
	const struct nccl_bw_options *o;
	struct nccl_bw_gpu *gpu;
	double *took; /* [o->repeat] */
};

/* Messages to the other rank, each sent when the one before is answered. */
static int ask(struct run *r, int other, size_t bytes, struct pl_err *err)
{
	const size_t n = (size_t)r->o->repeat;

	for (size_t i = 0; i < WARM_UP + n; i++)
		if ((i >= WARM_UP && nccl_bw_mark(r->gpu, i - WARM_UP, err)) ||
		    nccl_bw_send(r->gpu, bytes, other, err) ||
		    nccl_bw_receive(r->gpu, 1, other, err))
			return -1;
	if (nccl_bw_mark(r->gpu, n, err) || nccl_bw_wait(r->gpu, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (nccl_bw_took(r->gpu, i, &r->took[i], err))
			return -1;
	pl_sort_doubles(r->took, n);
	return 0;
}

static int answer(struct run *r, int other, size_t bytes, struct pl_err *err)
{
	for (size_t i = 0; i < WARM_UP + (size_t)r->o->repeat; i++)
		if (nccl_bw_receive(r->gpu, bytes, other, err) ||
		    nccl_bw_send(r->gpu, 1, other, err))
			return -1;
	return nccl_bw_wait(r->gpu, err);
}

static double percentile(const struct run *r, double p)
{
	return r->took[pl_percentile_index((size_t)r->o->repeat, p)];
}

/* One direction: round trips, then transfers; to[NCCL_BW_FIGURES] of the rank
 * that asks. */
static int one_way(struct run *r, int other, bool asks, double *to,
		   struct pl_err *err)
{
	const size_t bytes = (size_t)r->o->bytes;

	if (asks) {
		if (ask(r, other, 1, err))
			return -1;
		to[NCCL_BW_P10] = percentile(r, 0.1);
		to[NCCL_BW_P50] = percentile(r, 0.5);
		if (bytes == 0)
			return 0;
		if (ask(r, other, bytes, err))
			return -1;
		to[NCCL_BW_TRANSFER] = percentile(r, 0.1);
		return 0;
	}
	return answer(r, other, 1, err) ||
			       (bytes > 0 && answer(r, other, bytes, err))
		       ? -1
		       : 0;
}

/* The host of the lower number measures first. */
static int meet(struct run *r, size_t host, double *figure, struct pl_err *err)
{
	const struct nccl_bw_job *job = r->job;
	const size_t n = job->hosts.n;
	const int other = job->rank_at[host * job->n_rails + job->rail];
	const bool first = job->host < host;
	double *to = &figure[((job->rail * n + job->host) * n + host) *
			     NCCL_BW_FIGURES];

	nccl_bw_watch(r->o->timeout_s, "rank %d on %s", other,
		      job->hosts.v[host].name);
	return one_way(r, other, first, to, err) ||
			       one_way(r, other, !first, to, err)
		       ? -1
		       : 0;
}

static int barrier(struct run *r, size_t round, struct pl_err *err)
{
	nccl_bw_watch(r->o->timeout_s, "another rank before round %zu",
		      round + 1);
	return nccl_bw_barrier(r->gpu, err);
}

static int rounds(struct run *r, double *figure, struct pl_err *err)
{
	const size_t n = r->job->hosts.n;

	for (size_t round = 0; round < pl_tournament_rounds(n); round++) {
		const size_t host = pl_tournament_peer(n, round, r->job->host);

		if (barrier(r, round, err) ||
		    (host != PL_TOURNAMENT_REST && meet(r, host, figure, err)))
			return -1;
	}
	return 0;
}

int nccl_bw_measure(const struct nccl_bw_job *job,
		    const struct nccl_bw_options *o, struct nccl_bw_gpu *gpu,
		    double *figure, struct pl_err *err)
{
	const size_t n_figures =
		job->n_rails * job->hosts.n * job->hosts.n * NCCL_BW_FIGURES;
	struct run r = {
		.job = job,
		.o = o,
		.gpu = gpu,
		.took = pl_array_create((size_t)o->repeat, sizeof(double))};
	int rc = r.took ? 0 : pl_err_nomem(err);

	memset(figure, 0, n_figures * sizeof(*figure));
	if (!rc)
		rc = rounds(&r, figure, err);
	if (!rc) {
		nccl_bw_watch(o->timeout_s, "another rank at the end");
		rc = nccl_bw_sum(gpu, figure, n_figures, err);
	}
	free(r.took);
	return rc;
}
