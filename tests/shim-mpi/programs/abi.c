/* SPDX-License-Identifier: BSD-3-Clause */
/* abi.c - libmpi_abi.so.0: a double of a library with MPI 5's standard ABI */
/*
 * Handles are pointers, which lose something in an int; each must come as it was given. For a
 * process alone. TEST_MPI_TEXT is what it calls itself; with TEST_MPI_ABI=no it does not say that
 * it has the ABI.
 */
#include "config.h"

#include "tests/shim-mpi/programs/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ABI_ALIAS(name)                                                                            \
	__typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)));

/* MPICH's library has it, for which this one can stand */
extern int *const MPI_UNWEIGHTED;
int *const MPI_UNWEIGHTED;

static char made_comm, made_session;

static void *comm(void)
{
	return &made_comm;
}

static void *session(void)
{
	return &made_session;
}

static void check(const char *function, const void *got, const void *want, const void * or)
{
	if (got == want || got == or)
		return;
	printf("not ok %s gets %p\n", function, got);
	fflush(stdout);
	_exit(9);
}

int PMPI_Init(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return MPI_SUCCESS;
}
ABI_ALIAS(Init)

int PMPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
	(void)argc;
	(void)argv;
	*given = wanted;
	return MPI_SUCCESS;
}
ABI_ALIAS(Init_thread)

int PMPI_Finalize(void)
{
	return MPI_SUCCESS;
}
ABI_ALIAS(Finalize)

int PMPI_Session_init(void *info, void *handler, struct MPI_ABI_Session **made)
{
	check("MPI_Session_init", info, MPI_INFO_NULL, NULL);
	check("MPI_Session_init", handler, MPI_ERRORS_RETURN, NULL);
	*made = session();
	return MPI_SUCCESS;
}
ABI_ALIAS(Session_init)

int PMPI_Session_finalize(struct MPI_ABI_Session **ended)
{
	check("MPI_Session_finalize", *ended, session(), session());
	*ended = NULL;
	return MPI_SUCCESS;
}
ABI_ALIAS(Session_finalize)

int PMPI_Comm_create_from_session(struct MPI_ABI_Session *of, struct MPI_ABI_Comm **made)
{
	check("MPI_Comm_create_from_session", of, session(), session());
	*made = comm();
	return MPI_SUCCESS;
}
ABI_ALIAS(Comm_create_from_session)

int PMPI_Comm_get_parent(struct MPI_ABI_Comm **parent)
{
	*parent = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
ABI_ALIAS(Comm_get_parent)

int PMPI_Comm_dup(struct MPI_ABI_Comm *of, struct MPI_ABI_Comm **made)
{
	check("MPI_Comm_dup", of, MPI_COMM_WORLD, comm());
	*made = comm();
	return MPI_SUCCESS;
}
ABI_ALIAS(Comm_dup)

int PMPI_Comm_free(struct MPI_ABI_Comm **freed)
{
	check("MPI_Comm_free", *freed, comm(), comm());
	*freed = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
ABI_ALIAS(Comm_free)

int PMPI_Comm_rank(struct MPI_ABI_Comm *of, int *rank)
{
	check("MPI_Comm_rank", of, MPI_COMM_WORLD, comm());
	*rank = 0;
	return MPI_SUCCESS;
}
ABI_ALIAS(Comm_rank)

int PMPI_Barrier(struct MPI_ABI_Comm *of)
{
	check("MPI_Barrier", of, MPI_COMM_WORLD, comm());
	return MPI_SUCCESS;
}
ABI_ALIAS(Barrier)

int PMPI_Get_library_version(char *version, int *len)
{
	strcpy(version, getenv("TEST_MPI_TEXT"));
	*len = (int)strlen(version);
	return MPI_SUCCESS;
}
ABI_ALIAS(Get_library_version)

int PMPI_Abi_get_version(int *major, int *minor)
{
	const char *says = getenv("TEST_MPI_ABI");

	*major = says && strcmp(says, "no") == 0 ? -1 : 1;
	*minor = *major < 0 ? -1 : 0;
	return MPI_SUCCESS;
}
ABI_ALIAS(Abi_get_version)
