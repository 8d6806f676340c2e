/* SPDX-License-Identifier: BSD-3-Clause */
/* large.h - every second rank calls the collectives with large counts */
/* Each process may call either form of a collective: both are the same call. */
#ifndef PLINK_TESTS_SHIM_MPI_PROGRAMS_LARGE_H
#define PLINK_TESTS_SHIM_MPI_PROGRAMS_LARGE_H

#include <mpi.h>

static inline int is_large(MPI_Comm comm)
{
	int rank;

	MPI_Comm_rank(comm, &rank);
	return rank % 2;
}

#define EITHER(name, comm, ...) (is_large(comm) ? name##_c(__VA_ARGS__) : name(__VA_ARGS__))

#define MPI_Allreduce(in, out, n, type, op, comm)                                                  \
	EITHER(MPI_Allreduce, comm, in, out, n, type, op, comm)
#define MPI_Bcast(buffer, n, type, root, comm) EITHER(MPI_Bcast, comm, buffer, n, type, root, comm)
#define MPI_Reduce(in, out, n, type, op, root, comm)                                               \
	EITHER(MPI_Reduce, comm, in, out, n, type, op, root, comm)
#define MPI_Allgather(in, n_in, type_in, out, n, type, comm)                                       \
	EITHER(MPI_Allgather, comm, in, n_in, type_in, out, n, type, comm)
#define MPI_Iallreduce(in, out, n, type, op, comm, request)                                        \
	EITHER(MPI_Iallreduce, comm, in, out, n, type, op, comm, request)
#define MPI_Ibcast(buffer, n, type, root, comm, request)                                           \
	EITHER(MPI_Ibcast, comm, buffer, n, type, root, comm, request)
#define MPI_Ireduce(in, out, n, type, op, root, comm, request)                                     \
	EITHER(MPI_Ireduce, comm, in, out, n, type, op, root, comm, request)
#define PMPI_Allreduce_init(in, out, n, type, op, comm, info, request)                             \
	EITHER(PMPI_Allreduce_init, comm, in, out, n, type, op, comm, info, request)
#define PMPI_Bcast_init(buffer, n, type, root, comm, info, request)                                \
	EITHER(PMPI_Bcast_init, comm, buffer, n, type, root, comm, info, request)
#define PMPI_Reduce_init(in, out, n, type, op, root, comm, info, request)                          \
	EITHER(PMPI_Reduce_init, comm, in, out, n, type, op, root, comm, info, request)

#endif
