/* SPDX-License-Identifier: BSD-3-Clause */
/* fortran.c - attributes of the world, from Fortran */
#include "config.h"

#include "shim/mpi/fortran.h"

#include "shim/mpi/attributes.h"

typedef MPI_Fint fint;

/* The handle of the world on which an attribute of that key hangs. */
static fint enter(fint comm, fint keyval)
{
	const MPI_Comm own = PMPI_Comm_f2c(comm);
	const MPI_Comm real = pl_mpi_enter_for(own, keyval);

	return real == own ? comm : PMPI_Comm_c2f(real);
}

/* Defines a function that is called with the handle @real in place of *comm. */
#define ON_WORLD(function, parameters, arguments)                                                  \
	PL_FORTRAN_EXPORT void function parameters;                                                \
	void function parameters                                                                   \
	{                                                                                          \
		fint real = enter(*comm, *keyval);                                                 \
                                                                                                   \
		PL_MPI_NEXT(function) arguments;                                                   \
	}

/* clang-format off */
ON_WORLD(ompi_comm_get_attr_f,
	 (fint *comm, fint *keyval, MPI_Aint *value, fint *flag, fint *ierr),
	 (&real, keyval, value, flag, ierr))
PL_FORTRAN_NAMES(ompi_comm_get_attr_f, comm_get_attr, COMM_GET_ATTR,
		 Comm_get_attr)

ON_WORLD(ompi_comm_set_attr_f,
	 (fint *comm, fint *keyval, MPI_Aint *value, fint *ierr),
	 (&real, keyval, value, ierr))
PL_FORTRAN_NAMES(ompi_comm_set_attr_f, comm_set_attr, COMM_SET_ATTR,
		 Comm_set_attr)

ON_WORLD(ompi_attr_get_f,
	 (fint *comm, fint *keyval, fint *value, fint *flag, fint *ierr),
	 (&real, keyval, value, flag, ierr))
PL_FORTRAN_NAMES(ompi_attr_get_f, attr_get, ATTR_GET, Attr_get)

ON_WORLD(ompi_attr_put_f,
	 (fint *comm, fint *keyval, fint *value, fint *ierr),
	 (&real, keyval, value, ierr))
PL_FORTRAN_NAMES(ompi_attr_put_f, attr_put, ATTR_PUT, Attr_put)
