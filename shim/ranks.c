/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - the ranks that an order gives to the processes of a job */
#include "config.h"

#include "shim/ranks.h"

#include "src/mem.h"

#include <stdlib.h>

static int check_slots(const struct pl_hosts *hosts, const int *n_on,
		       struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const struct pl_host *host = &hosts->v[i];

		if (n_on[i] != host->slots)
			return pl_err_set(err, PL_EPARTIAL,
					  "%d ranks of this job run on host "
					  "%s, and the plan says slots=%d",
					  n_on[i], host->name, host->slots);
	}
	return 0;
}

int pl_shim_ranks(const struct pl_plan *plan, const int *host_of, size_t n,
		  int *new_rank, struct pl_err *err)
{
	const struct pl_hosts *hosts = &plan->hosts;
	/* by host: first its processes, then the next free rank in its block */
	int *on = pl_array_create(hosts->n, sizeof(*on));
	int next = 0, rc;

	if (!on)
		return pl_err_nomem(err);
	for (size_t rank = 0; rank < n; rank++)
		on[host_of[rank]]++;
	rc = check_slots(hosts, on, err);
	for (size_t pos = 0; rc == 0 && pos < hosts->n; pos++) {
		const size_t host = plan->order[0].host_at[pos];
		const int n_on = on[host];

		on[host] = next;
		next += n_on;
	}
	for (size_t rank = 0; rc == 0 && rank < n; rank++)
		new_rank[rank] = on[host_of[rank]]++;
	free(on);
	return rc;
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
