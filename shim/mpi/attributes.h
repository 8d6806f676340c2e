/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.h - which world an attribute hangs on */
#ifndef PLINK_SHIM_MPI_ATTRIBUTES_H
#define PLINK_SHIM_MPI_ATTRIBUTES_H

#include "shim/mpi/world.h"

/* A communicator on its way to the library, for an attribute of that key: the
 * predefined ones are the real world's. */
MPI_Comm pl_mpi_enter_for(MPI_Comm comm, int keyval);

#endif
