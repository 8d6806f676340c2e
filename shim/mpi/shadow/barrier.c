/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c - barriers, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/pick.h"

/* clang-format off */

PL_SHADOWED(Barrier, PMPI_Barrier, (MPI_Comm comm),
	    pl_shadow_pick_barrier(PL_SHADOW_MAKE, comm),
	    (s->comm),
	    (comm))

PL_SHADOWED(Ibarrier, PMPI_Ibarrier, (MPI_Comm comm, MPI_Request *request),
	    pl_shadow_pick_barrier(PL_SHADOW_AS_IS, comm),
	    (s->comm, request),
	    (comm, request))

PL_SHADOWED(Barrier_init, PL_MPI_PERSISTENT(Barrier),
	    (MPI_Comm comm, MPI_Info info, MPI_Request *request),
	    pl_shadow_pick_barrier(PL_SHADOW_AS_IS, comm),
	    (s->comm, info, request),
	    (comm, info, request))
