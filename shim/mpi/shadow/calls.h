/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.h - the collectives that may run on a shadow */
/* pl_mpi_X has the arguments and the result of MPI_X. The wrapper PMPI_X calls it if X is in the
 * list `shadowed` of generate.awk. As with PL_MPI_NEXT(PMPI_X), the communicator is a handle of the
 * library, already translated. */
#ifndef PLINK_SHIM_MPI_SHADOW_CALLS_H
#define PLINK_SHIM_MPI_SHADOW_CALLS_H

#include "shim/mpi/world.h"

int pl_mpi_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
		     MPI_Comm comm);
int pl_mpi_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int pl_mpi_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
		  MPI_Comm comm);
int pl_mpi_Barrier(MPI_Comm comm);
int pl_mpi_Allgather(const void *in, int n_in, MPI_Datatype type_in, void *out, int n_out,
		     MPI_Datatype type_out, MPI_Comm comm);

int pl_mpi_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
		      MPI_Comm comm, MPI_Request *request);
int pl_mpi_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
		  MPI_Request *request);
int pl_mpi_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
		   MPI_Comm comm, MPI_Request *request);
int pl_mpi_Ibarrier(MPI_Comm comm, MPI_Request *request);

int pl_mpi_Allreduce_init(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
			  MPI_Comm comm, MPI_Info info, MPI_Request *request);
int pl_mpi_Bcast_init(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
		      MPI_Info info, MPI_Request *request);
int pl_mpi_Reduce_init(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
		       MPI_Comm comm, MPI_Info info, MPI_Request *request);
int pl_mpi_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request);

/* For a library with large counts. */
#if PL_MPI_HAS_LARGE
__typeof__(PMPI_Allreduce_c) pl_mpi_Allreduce_c;
__typeof__(PMPI_Bcast_c) pl_mpi_Bcast_c;
__typeof__(PMPI_Reduce_c) pl_mpi_Reduce_c;
__typeof__(PMPI_Allgather_c) pl_mpi_Allgather_c;
__typeof__(PMPI_Iallreduce_c) pl_mpi_Iallreduce_c;
__typeof__(PMPI_Ibcast_c) pl_mpi_Ibcast_c;
__typeof__(PMPI_Ireduce_c) pl_mpi_Ireduce_c;
__typeof__(PMPI_Allreduce_init_c) pl_mpi_Allreduce_init_c;
__typeof__(PMPI_Bcast_init_c) pl_mpi_Bcast_init_c;
__typeof__(PMPI_Reduce_init_c) pl_mpi_Reduce_init_c;
#endif

#endif
