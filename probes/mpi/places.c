/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c - which host each rank of an MPI job is on */
#include "config.h"

#include "probes/mpi/places.h"

#include "base/mem.h"
#include "base/text/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_first(const struct pl_mpi_places *places)
{
	const char *mine = places->v[places->rank].name;

	for (int i = 0; i < places->rank; i++)
		if (!strcmp(places->v[i].name, mine))
			return false;
	return true;
}

int pl_mpi_places_gather(struct pl_mpi_places *places, const struct pl_mpi_place *mine,
			 struct pl_err *err)
{
	const int size = sizeof(*mine);

	places->firsts = MPI_COMM_NULL;
	MPI_Comm_rank(MPI_COMM_WORLD, &places->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &places->n_ranks);
	places->v = pl_array_create((size_t)places->n_ranks, sizeof(*mine));
	if (!places->v)
		return pl_err_nomem(err);
	MPI_Allgather(mine, size, MPI_BYTE, places->v, size, MPI_BYTE, MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, is_first(places) ? 0 : MPI_UNDEFINED, 0, &places->firsts);
	return 0;
}

void pl_mpi_places_fini(struct pl_mpi_places *places)
{
	if (places->v && places->firsts != MPI_COMM_NULL)
		MPI_Comm_free(&places->firsts);
	free(places->v);
	*places = (struct pl_mpi_places){0};
}

static int add(struct pl_hosts *hosts, struct pl_names *names, const struct pl_mpi_places *places,
	       int rank, struct pl_err *err)
{
	struct pl_mpi_place *place = &places->v[rank];
	const struct pl_host host = {.name = place->name, .node = place->node, .slots = 1};
	const size_t len = strlen(place->name);
	const char *fault;
	size_t at;

	fault = pl_host_name_fault(place->name, len, &at);
	if (fault)
		return pl_err_set(
			err, PL_EINPUT,
			"rank %d is on \"%s\": %s; set PLINK_HOST to give hosts other names", rank,
			place->name, fault);
	if (pl_names_add(names, place->name, len, hosts->n) < 0 || pl_hosts_add(hosts, &host))
		return pl_err_nomem(err);
	return 0;
}

static int add_all(struct pl_hosts *hosts, struct pl_names *names,
		   const struct pl_mpi_places *places, struct pl_err *err)
{
	for (int rank = 0; rank < places->n_ranks; rank++) {
		const char *name = places->v[rank].name;
		const ptrdiff_t i = pl_names_find(names, name, strlen(name));

		if (i < 0 && add(hosts, names, places, rank, err))
			return -1;
		if (i >= 0 && hosts->v[i].slots < PL_HOST_SLOTS_MAX)
			hosts->v[i].slots++;
	}
	return 0;
}

int pl_mpi_places_hosts(const struct pl_mpi_places *places, struct pl_hosts *hosts,
			struct pl_err *err)
{
	struct pl_names names = {0};
	int status = add_all(hosts, &names, places, err);

	pl_names_fini(&names);
	if (!status && hosts->n == 1)
		status = pl_err_set(err, PL_EUSAGE,
				    "%d ranks, all on %s: there is nothing to measure; set "
				    "PLINK_HOST to tell hosts of the same name apart",
				    places->n_ranks, hosts->v[0].name);
	if (status)
		pl_hosts_fini(hosts);
	return status;
}
