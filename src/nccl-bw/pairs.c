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

/* A pair's parts, made of these bits: round trips and transfers there, then back. */
enum { TRANSFERS = 1, BACK = 2, PARTS = 4 };

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

/* One part: to[NCCL_BW_FIGURES] of the rank that asks. */
static int one_way(struct run *r, int other, bool asks, unsigned int part, double *to,
		   struct pl_err *err)
{
	const size_t bytes = part & TRANSFERS ? (size_t)r->o->bytes : 1;

	if (!asks)
		return answer(r, other, bytes, err);
	if (ask(r, other, bytes, err))
		return -1;
	if (part & TRANSFERS) {
		to[NCCL_BW_TRANSFER] = percentile(r, 0.1);
	} else {
		to[NCCL_BW_P10] = percentile(r, 0.1);
		to[NCCL_BW_P50] = percentile(r, 0.5);
	}
	return 0;
}

/* The host of the lower number measures first. */
static int meet(struct run *r, size_t host, unsigned int part, double *figure, struct pl_err *err)
{
	const struct nccl_bw_job *job = r->job;
	const size_t n = job->hosts.n;
	const int other = job->rank_at[host * job->n_rails + job->rail];
	const bool first = job->host < host;
	double *to = &figure[((job->rail * n + job->host) * n + host) * NCCL_BW_FIGURES];

	nccl_bw_watch(r->o->timeout_s, "rank %d on %s", other, job->hosts.v[host].name);
	return one_way(r, other, part & BACK ? !first : first, part, to, err);
}

static int barrier(struct run *r, size_t round, struct pl_err *err)
{
	nccl_bw_watch(r->o->timeout_s, "another rank in round %zu", round + 1);
	return nccl_bw_barrier(r->gpu, err);
}

/* All rails begin a part at the same time: they share what connects the hosts, and NCCL may take
 * longer to connect one of them. */
static int parts(struct run *r, size_t round, double *figure, struct pl_err *err)
{
	const size_t host = pl_tournament_peer(r->job->hosts.n, round, r->job->host);

	for (unsigned int part = 0; part < PARTS; part++) {
		if (part & TRANSFERS && r->o->bytes == 0)
			continue;
		if (barrier(r, round, err) ||
		    (host != PL_TOURNAMENT_REST && meet(r, host, part, figure, err)))
			return -1;
	}
	return 0;
}

static int rounds(struct run *r, double *figure, struct pl_err *err)
{
	for (size_t i = 0; i < pl_tournament_rounds(r->job->hosts.n); i++)
		if (parts(r, i, figure, err))
			return -1;
	return 0;
}

int nccl_bw_measure(const struct nccl_bw_job *job, const struct nccl_bw_options *o,
		    struct nccl_bw_gpu *gpu, double *figure, struct pl_err *err)
{
	const size_t n_figures = job->n_rails * job->hosts.n * job->hosts.n * NCCL_BW_FIGURES;
	struct run r = {.job = job,
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
