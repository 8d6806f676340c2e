/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c - the groups of hosts in a schedule of two levels */
#include "config.h"

#include "shim/nccl/groups.h"

#include "base/mem.h"

#include <stdlib.h>

/* master[n]: of each process; its own number for a master. */
static int find_masters(uint32_t *master, size_t n, const struct pl_slice *first, const char *file,
			struct pl_err *err)
{
	for (size_t r = 0; r < n; r++)
		master[r] = (uint32_t)r;
	for (size_t i = 0; i < first->n_transfers; i++) {
		const struct pl_slice_transfer *t = &first->transfer[i];

		if (t->round == 0 && t->adds)
			master[t->src] = t->dst;
	}
	for (size_t r = 0; r < n; r++)
		if (master[master[r]] != master[r])
			return pl_err_at(err, (struct pl_place){.file = file},
					 "no two levels: in the first round process %u both sends "
					 "and receives",
					 master[r]);
	return 0;
}

/* Are the processes of each host in one group? */
static int check_hosts(const struct pl_hosts *hosts, const uint32_t *master, const char *file,
		       struct pl_err *err)
{
	size_t rank = 0;

	for (size_t host = 0; host < hosts->n; host++) {
		const uint32_t of_host = master[rank];

		for (int i = 0; i < hosts->v[host].slots; i++)
			if (master[rank++] != of_host)
				return pl_err_at(err, (struct pl_place){.file = file},
						 "the processes of %s are in several groups",
						 hosts->v[host].name);
	}
	return 0;
}

/* size[n]: of the group of each master, 0 for others. */
static void count(struct pl_nccl_groups *groups, const uint32_t *master, size_t n,
		  uint32_t own_master, size_t *size)
{
	*groups = (struct pl_nccl_groups){.n_all = (int)n, .n_least = (int)n};
	for (size_t r = 0; r < n; r++) {
		if (size[master[r]]++ == 0) {
			if (master[r] == own_master)
				groups->own = groups->n;
			groups->n++;
		}
	}
	groups->n_own = (int)size[own_master];
	for (size_t r = 0; r < n; r++)
		if (size[r] && (int)size[r] < groups->n_least)
			groups->n_least = (int)size[r];
}

int pl_nccl_groups_find(struct pl_nccl_groups *groups, const struct pl_hosts *hosts, size_t host,
			const struct pl_slice *first, const char *file, struct pl_err *err)
{
	const size_t n = pl_hosts_ranks(hosts);
	uint32_t *master = pl_array_create(n, sizeof(*master));
	size_t *size = pl_array_create(n, sizeof(*size));
	size_t rank = 0;
	int rc = -1;

	for (size_t i = 0; i < host; i++)
		rank += (size_t)hosts->v[i].slots;
	if (!master || !size) {
		pl_err_nomem(err);
	} else if (find_masters(master, n, first, file, err) == 0 &&
		   check_hosts(hosts, master, file, err) == 0) {
		count(groups, master, n, master[rank], size);
		rc = 0;
	}
	free(master);
	free(size);
	return rc;
}
