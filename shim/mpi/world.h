/* SPDX-License-Identifier: BSD-3-Clause */
/* world.h - the communicator that stands for MPI_COMM_WORLD, and the real
 * library */
/*
 * The library is wrapped at the level of PMPI_X: what the shim defines is
 * PMPI_X, with MPI_X as a weak alias, and the real PMPI_X is the next one that
 * the dynamic linker knows. So Fortran, whose bindings call PMPI_X, sees the
 * same ranks as C, and a tool that wraps MPI_X works in front of the shim.
 */
#ifndef PLINK_SHIM_MPI_WORLD_H
#define PLINK_SHIM_MPI_WORLD_H

#include PL_MPI_LIBRARY_H /* of the library that is wrapped */

/* The permuted world; MPI_COMM_WORLD itself before MPI_Init has made one, after
 * MPI_Finalize has freed it, and where the shim stands aside. */
extern MPI_Comm pl_mpi_world;

/* A communicator on its way from the program to the library. */
static inline MPI_Comm pl_mpi_enter(MPI_Comm comm)
{
	return comm == MPI_COMM_WORLD ? pl_mpi_world : comm;
}

/* And from the library to one of the program's functions. */
static inline MPI_Comm pl_mpi_leave(MPI_Comm comm)
{
	return comm == pl_mpi_world ? MPI_COMM_WORLD : comm;
}

/* Does the shim leave everything as it is? Known when MPI_Init has returned. */
static inline int pl_mpi_is_aside(void)
{
	return pl_mpi_world == MPI_COMM_WORLD;
}

/* The real function of that name. Where there is none, ends the process: the
 * program has called what its MPI library lacks. */
void *pl_mpi_next(const char *name);

/* The real @function, looked up at the first call. */
#define PL_MPI_NEXT(function) PL_MPI_NEXT_OF(function)
#define PL_MPI_NEXT_OF(function)                                               \
	({                                                                     \
		static __typeof__(function) *next_;                            \
		__typeof__(function) *here_ =                                  \
			__atomic_load_n(&next_, __ATOMIC_RELAXED);             \
                                                                               \
		if (__builtin_expect(!here_, 0)) {                             \
			here_ = pl_mpi_next(#function);                        \
			__atomic_store_n(&next_, here_, __ATOMIC_RELAXED);     \
		}                                                              \
		here_;                                                         \
	})

/* MPI_X is PMPI_X of this library. */
#define PL_MPI_ALIAS(name)                                                     \
	__typeof__(P##name) name __attribute__((weak, alias("P" #name)));

/*
 * Agrees with all processes on the plan and makes the permuted world, or leaves
 * everything as it is and says why. Called by every process when MPI_Init is
 * through; may end the job (PLINK_STRICT, or a process without the shim).
 */
void pl_mpi_start(void);

/* The permuted world is @world from here on, until MPI_Finalize frees it. */
void pl_mpi_set_world(MPI_Comm world);

#endif
