/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.h - which of the two worlds holds an attribute */
#ifndef PLINK_SHIM_MPI_ATTRIBUTES_H
#define PLINK_SHIM_MPI_ATTRIBUTES_H

#include "shim/mpi/world.h"

/* Translates a communicator of the program for a call about the attribute @keyval: MPI_COMM_WORLD
 * becomes the permuted world, but stays the real one for MPI's predefined attributes. */
MPI_Comm pl_mpi_enter_for(MPI_Comm comm, int keyval);

/* What the program passed when it created a key. The records are chained and never freed, because a
 * freed key may still be in use. */
struct pl_mpi_key {
	MPI_Comm_copy_attr_function *copy;
	MPI_Comm_delete_attr_function *delete;
	void *extra;
	int keyval;
	/* the functions by which MPICH calls these two for another language than C (mpich.c) */
	void (*copy_caller)(void), (*delete_caller)(void);
	struct pl_mpi_key *next;
};

/* The latest record of that key, or NULL: it is not a key of communicators, or was created without
 * functions or while the shim stood aside. */
struct pl_mpi_key *pl_mpi_key_of(int keyval);

#endif
