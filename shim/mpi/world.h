/* SPDX-License-Identifier: BSD-3-Clause */
/* world.h - the communicator that stands for MPI_COMM_WORLD, and the real library */
/*
 * The shim wraps the library at the level of PMPI_X: it defines PMPI_X, with MPI_X as a weak alias.
 * The real PMPI_X is the next one that the dynamic linker finds. So Fortran, whose bindings call
 * PMPI_X, sees the same ranks as C, and a tool that wraps MPI_X works in front of the shim.
 */
#ifndef PLINK_SHIM_MPI_WORLD_H
#define PLINK_SHIM_MPI_WORLD_H

#include PL_MPI_LIBRARY_H /* of the wrapped library */

/* The permuted world; MPI_COMM_WORLD itself before MPI_Init has made one, after MPI_Finalize has
 * freed it, and where the shim stands aside. */
extern MPI_Comm pl_mpi_world;

/* Translates a communicator that the program passes to the library. */
static inline MPI_Comm pl_mpi_enter(MPI_Comm comm)
{
	return comm == MPI_COMM_WORLD ? pl_mpi_world : comm;
}

/* Translates a communicator that the library passes to a function of the program. */
static inline MPI_Comm pl_mpi_leave(MPI_Comm comm)
{
	return comm == pl_mpi_world ? MPI_COMM_WORLD : comm;
}

/* Does MPI_COMM_WORLD keep its ranks, as it does in shadow mode, too? Known when MPI_Init has
 * returned. */
static inline int pl_mpi_is_aside(void)
{
	return pl_mpi_world == MPI_COMM_WORLD;
}

/* The real function @name, for a wrapper that returns to @caller. If the library has none, says so
 * and aborts the process. Ends the job if the caller belongs to another MPI library (library.h). */
void *pl_mpi_next(const char *name, const void *caller);

/* The real @function, looked up at the first call. */
#define PL_MPI_NEXT(function) PL_MPI_NEXT_OF(function)
#define PL_MPI_NEXT_OF(function)                                                                   \
	({                                                                                         \
		static __typeof__(function) *next_;                                                \
		__typeof__(function) *here_ = __atomic_load_n(&next_, __ATOMIC_RELAXED);           \
                                                                                                   \
		if (__builtin_expect(!here_, 0)) {                                                 \
			here_ = pl_mpi_next(#function, __builtin_return_address(0));               \
			__atomic_store_n(&next_, here_, __ATOMIC_RELAXED);                         \
		}                                                                                  \
		here_;                                                                             \
	})

/* Makes MPI_X a weak alias of the shim's PMPI_X. */
#define PL_MPI_ALIAS(name) __typeof__(P##name) name __attribute__((weak, alias("P" #name)));

/*
 * Collective, called at the end of MPI_Init: agrees with all processes on the plan, and makes the
 * permuted world or starts shadow mode; or leaves all ranks as they are and says why. Starts the
 * statistics, if they are wanted. May end the job (PLINK_STRICT, or a process without the shim).
 */
void pl_mpi_start(void);

/* Programs read their rank in the environment, too: what stands there becomes @rank. Nothing for
 * NULL. */
void pl_mpi_tell_rank(const char *rank);

/*
 * present.c: collective over MPI_COMM_WORLD: returns when every process of the job has called this
 * function. If some have not after @limit_s seconds, prints their ranks and ends the job: they
 * would not take part in the shim's next collectives, and all processes would hang.
 */
void pl_mpi_check_present(int limit_s);

/* Has @end called at the beginning of MPI_Finalize, when the attributes that the program has set on
 * MPI_COMM_SELF are deleted, and all is still there. What was asked for last comes first. */
void pl_mpi_at_finalize(void (*end)(void));

/* Makes @world the permuted world. MPI_Finalize frees it. */
void pl_mpi_set_world(MPI_Comm world);

#endif
