/* SPDX-License-Identifier: BSD-3-Clause */
/* abi.h - some of what mpi.h has with MPI 5's standard ABI */
#ifndef PLINK_TESTS_SHIM_MPI_ABI_H
#define PLINK_TESTS_SHIM_MPI_ABI_H

#include <stdint.h>

struct MPI_ABI_Comm;
struct MPI_ABI_Session;

#define MPI_SUCCESS 0
#define MPI_COMM_NULL ((struct MPI_ABI_Comm *)(uintptr_t)0x100)
#define MPI_COMM_WORLD ((struct MPI_ABI_Comm *)(uintptr_t)0x101)
#define MPI_INFO_NULL ((void *)(uintptr_t)0x138)
#define MPI_ERRORS_RETURN ((void *)(uintptr_t)0x142)

#define ABI_FUNCTION(name, parameters)                                                             \
	int MPI_##name parameters;                                                                 \
	int PMPI_##name parameters;

ABI_FUNCTION(Init, (int *argc, char ***argv))
ABI_FUNCTION(Init_thread, (int *argc, char ***argv, int wanted, int *given))
ABI_FUNCTION(Finalize, (void))
ABI_FUNCTION(Session_init, (void *info, void *handler, struct MPI_ABI_Session **session))
ABI_FUNCTION(Session_finalize, (struct MPI_ABI_Session * *session))
ABI_FUNCTION(Comm_create_from_session,
	     (struct MPI_ABI_Session * session, struct MPI_ABI_Comm **made))
ABI_FUNCTION(Comm_get_parent, (struct MPI_ABI_Comm * *parent))
ABI_FUNCTION(Comm_dup, (struct MPI_ABI_Comm * comm, struct MPI_ABI_Comm **made))
ABI_FUNCTION(Comm_free, (struct MPI_ABI_Comm * *comm))
ABI_FUNCTION(Comm_rank, (struct MPI_ABI_Comm * comm, int *rank))
ABI_FUNCTION(Barrier, (struct MPI_ABI_Comm * comm))
ABI_FUNCTION(Get_library_version, (char *version, int *len))
ABI_FUNCTION(Abi_get_version, (int *major, int *minor))

#endif
