/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - the ranks that an order gives to the processes of a job */
#include "config.h"

#include "shim/ranks.h"

#include "base/mem.h"

#include <stdlib.h>

/* A host without any process is not in the job. */
static int check_slots(const struct pl_hosts *hosts, const int *n_on, struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const struct pl_host *host = &hosts->v[i];

		if (n_on[i] != 0 && n_on[i] != host->slots)
			return pl_err_set(err, PL_EPARTIAL,
					  "%d %s on host %s, and the plan says slots=%d", n_on[i],
					  n_on[i] == 1 ? "rank of this job runs"
						       : "ranks of this job run",
					  host->name, host->slots);
	}
	return 0;
}

/* on[hosts.n] of the processes of each host; NULL: no memory. */
static int *count_on(const struct pl_plan *plan, const int *host_of, size_t n)
{
	int *on = pl_array_create(plan->hosts.n, sizeof(*on));

	for (size_t rank = 0; on && rank < n; rank++)
		on[host_of[rank]]++;
	return on;
}

int pl_shim_place(const struct pl_plan *plan, size_t order, const int *host_of, size_t n,
		  int *new_rank)
{
	/* first a host's processes, then the next free rank in its block */
	int *on = count_on(plan, host_of, n);
	int next = 0;

	if (!on)
		return -1;
	for (size_t pos = 0; pos < plan->hosts.n; pos++) {
		const size_t host = plan->order[order].host_at[pos];
		const int n_on = on[host];

		on[host] = next;
		next += n_on;
	}
	for (size_t rank = 0; rank < n; rank++)
		new_rank[rank] = on[host_of[rank]]++;
	free(on);
	return 0;
}

int pl_shim_ranks(const struct pl_plan *plan, const int *host_of, size_t n, int *new_rank,
		  struct pl_err *err)
{
	int *on = count_on(plan, host_of, n), rc;

	if (!on)
		return pl_err_nomem(err);
	rc = check_slots(&plan->hosts, on, err);
	free(on);
	if (rc)
		return -1;
	return pl_shim_place(plan, 0, host_of, n, new_rank) ? pl_err_nomem(err) : 0;
}

int pl_shim_check_all(const struct pl_hosts *hosts, const int *host_of, size_t n,
		      struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		size_t rank = 0;

		while (rank < n && host_of[rank] != (int)i)
			rank++;
		if (rank == n)
			return pl_err_set(err, PL_EPARTIAL,
					  "no rank of this job runs on host %s, and a schedule "
					  "needs all its hosts",
					  hosts->v[i].name);
	}
	return 0;
}

int pl_shim_block(const struct pl_plan *plan, size_t host)
{
	const size_t *host_at = plan->order[0].host_at;
	int first = 0;

	for (size_t pos = 0; host_at[pos] != host; pos++)
		first += plan->hosts.v[host_at[pos]].slots;
	return first;
}

bool pl_shim_is_identity(const int *new_rank, size_t n)
{
	for (size_t rank = 0; rank < n; rank++)
		if (new_rank[rank] != (int)rank)
			return false;
	return true;
}
