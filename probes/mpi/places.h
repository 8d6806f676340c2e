/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - which host each rank of an MPI job is on */
#ifndef PLINK_PROBES_MPI_PLACES_H
#define PLINK_PROBES_MPI_PLACES_H

#include "base/hosts/hosts.h"

#include <mpi.h>
#include <netinet/in.h>

#define PL_MPI_ADDRS_MAX 16

/* One rank's, as it says. Made of bytes, so that MPI takes it as it is. */
struct pl_mpi_place {
	char name[PL_HOST_NAME_MAX + 1]; /* of its host; empty: too long */
	char node[PL_HOST_NAME_MAX + 1]; /* uname -n */
	struct in6_addr addr[PL_MPI_ADDRS_MAX]; /* [n_addrs], as in pl_self */
	uint32_t n_addrs;
};

/* Start with {0}, end with fini. */
struct pl_mpi_places {
	struct pl_mpi_place *v; /* [n_ranks] */
	int n_ranks, rank;
	MPI_Comm firsts; /* of the first rank of each host, in the order of the
			  * world's; MPI_COMM_NULL on all other ranks */
};

/* Every rank of MPI_COMM_WORLD calls it, each with its own place. 0, or -1: out
 * of memory, and the others are left waiting. */
int pl_mpi_places_gather(struct pl_mpi_places *places,
			 const struct pl_mpi_place *mine, struct pl_err *err);
void pl_mpi_places_fini(struct pl_mpi_places *places);

/*
 * The hosts, in the order of their first ranks, with their nodes and with the
 * ranks on them as slots. @hosts must be empty. 0, or -1 with @err set: a name
 * that a host cannot have (PL_EINPUT), one host alone (PL_EUSAGE), out of
 * memory.
 */
int pl_mpi_places_hosts(const struct pl_mpi_places *places,
			struct pl_hosts *hosts, struct pl_err *err);

#endif
