/* SPDX-License-Identifier: BSD-3-Clause */
/* rename.h - names for a job's hosts out of a list */
#ifndef PLINK_SRC_PROBE_MPI_RENAME_H
#define PLINK_SRC_PROBE_MPI_RENAME_H

#include "probes/mpi/places.h"

/*
 * Gives @hosts, which pl_mpi_places_hosts made of @places, the names they have
 * in the list at @path: it is looked into as a plan is (pl_self_find), by
 * names, then by addresses. 0, or -1 with @err set: the list is none, or a host
 * is not in it, or one of the list's is two.
 */
int probe_mpi_rename(struct pl_hosts *hosts, const struct pl_mpi_places *places,
		     const char *path, struct pl_err *err);

#endif
