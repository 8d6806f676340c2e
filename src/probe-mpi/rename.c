/* SPDX-License-Identifier: BSD-3-Clause */
/* rename.c - names for a job's hosts out of a list */
#include "config.h"

#include "src/probe-mpi/args.h"

#include "base/mem.h"
#include "shim/self.h"

#include <stdlib.h>
#include <string.h>

static int find(struct pl_mpi_place *place, const struct pl_hosts *list)
{
	struct pl_self self = {
		.named = strcmp(place->name, place->node) ? place->name : NULL,
		.addr = place->addr,
		.n_addrs = place->n_addrs,
	};

	strcpy(self.node, place->node);
	return pl_self_find(&self, list);
}

/* @host, which is at @place, gets the name of its entry, which no other has. */
static int rename_one(struct pl_host *host, struct pl_mpi_place *place, const struct pl_hosts *list,
		      char *taken, const char *path, struct pl_err *err)
{
	const int at = find(place, list);
	char *name;

	if (at < 0)
		return pl_err_set(err, PL_EINPUT, "host %s of the job is %s %s", place->name,
				  at == PL_SELF_AMBIGUOUS ? "more than once in" : "not in", path);
	if (taken[at]++)
		return pl_err_set(err, PL_EINPUT,
				  "%s in %s matches two hosts of the job, one of them %s",
				  list->v[at].name, path, place->name);
	name = pl_string_copy(list->v[at].name, strlen(list->v[at].name));
	if (!name)
		return pl_err_nomem(err);
	free(host->name);
	host->name = name;
	return 0;
}

int probe_mpi_rename(struct pl_hosts *hosts, const struct pl_mpi_places *places, const char *path,
		     struct pl_err *err)
{
	struct pl_hosts list = {0};
	char *taken;
	size_t h = 0;
	int status = 0;

	if (pl_hosts_read(&list, path, PL_HOSTS_LIST, err))
		return -1;
	taken = pl_array_create(list.n, 1);
	if (!taken)
		status = pl_err_nomem(err);
	/* hosts are in the order in which ranks first name them */
	for (int r = 0; !status && h < hosts->n && r < places->n_ranks; r++)
		if (!strcmp(places->v[r].name, hosts->v[h].name))
			status = rename_one(&hosts->v[h++], &places->v[r], &list, taken, path, err);
	free(taken);
	pl_hosts_fini(&list);
	return status;
}
