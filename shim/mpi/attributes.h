/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.h - which world an attribute hangs on */
#ifndef PLINK_SHIM_MPI_ATTRIBUTES_H
#define PLINK_SHIM_MPI_ATTRIBUTES_H

#include "shim/mpi/world.h"

/* A communicator on its way to the library, for an attribute of that key: the
 * predefined ones are the real world's. */
MPI_Comm pl_mpi_enter_for(MPI_Comm comm, int keyval);

/* What the program made a key with. As a key may outlive its freeing, never
 * released, and chained so that it is not lost either. */
struct pl_mpi_key {
	MPI_Comm_copy_attr_function *copy;
	MPI_Comm_delete_attr_function *delete;
	void *extra;
	int keyval;
	/* what MPICH calls these two by, where it is not C (mpich.c) */
	void (*copy_caller)(void), (*delete_caller)(void);
	struct pl_mpi_key *next;
};

/* The latest key of that number, or NULL: none of a communicator, or not one
 * that functions of ours are called for. */
struct pl_mpi_key *pl_mpi_key_of(int keyval);

#endif
