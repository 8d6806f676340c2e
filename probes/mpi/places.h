/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - which host each rank of an MPI job is on */
#ifndef PLINK_PROBES_MPI_PLACES_H
#define PLINK_PROBES_MPI_PLACES_H

#include "base/hosts/hosts.h"

#include <mpi.h>
#include <netinet/in.h>

#define PL_MPI_ADDRS_MAX 16

/* The place of one rank, as the rank gives it. Made of bytes, so that MPI can send it as it is. */
struct pl_mpi_place {
	char name[PL_HOST_NAME_MAX + 1];        /* its host; empty: too long */
	char node[PL_HOST_NAME_MAX + 1];        /* uname -n */
	struct in6_addr addr[PL_MPI_ADDRS_MAX]; /* [n_addrs], as in pl_self */
	uint32_t n_addrs;
};

/* Start with {0}, end with fini. */
struct pl_mpi_places {
	struct pl_mpi_place *v; /* [n_ranks] */
	int n_ranks, rank;
	MPI_Comm firsts; /* the first rank of each host, in the order of the
			  * world's ranks; MPI_COMM_NULL on all other ranks */
};

/* Collects the places of all ranks; every rank of MPI_COMM_WORLD calls it with its own place. 0, or
 * -1 with @err set: out of memory, and the others are left waiting. */
int pl_mpi_places_gather(struct pl_mpi_places *places, const struct pl_mpi_place *mine,
			 struct pl_err *err);
void pl_mpi_places_fini(struct pl_mpi_places *places);

/*
 * Fills @hosts, which must be empty, with the hosts in the order of their first ranks, with their
 * nodes and with their ranks as slots. 0, or -1 with @err set: a name that a host cannot have
 * (PL_EINPUT), only one host (PL_EUSAGE), out of memory.
 */
int pl_mpi_places_hosts(const struct pl_mpi_places *places, struct pl_hosts *hosts,
			struct pl_err *err);

#endif
