/* SPDX-License-Identifier: BSD-3-Clause */
/* rename.h - renames a job's hosts by a host list */
#ifndef PLINK_SRC_PROBE_MPI_RENAME_H
#define PLINK_SRC_PROBE_MPI_RENAME_H

#include "probes/mpi/places.h"

/*
 * Gives @hosts, which pl_mpi_places_hosts made of @places, their names in the
 * list at @path. Hosts are found in the list as in a plan (pl_self_find): by
 * name, then by address. 0, or -1 with @err set: the list cannot be read, a
 * host is not in it, or two hosts of the job match one entry.
 */
int probe_mpi_rename(struct pl_hosts *hosts, const struct pl_mpi_places *places,
		     const char *path, struct pl_err *err);

#endif
