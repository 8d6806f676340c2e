/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.c - a C program that loads the Fortran bindings at run time */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

typedef void get_attr_fn(MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
			 MPI_Fint *ierr);

int main(int argc, char **argv)
{
	MPI_Fint world = 0, keyval = MPI_TAG_UB, flag = 0, ierr = -1;
	MPI_Aint value = 0;
	get_attr_fn *get_attr;
	void *bindings;

	MPI_Init(&argc, &argv);
	bindings = dlopen("libmpi_mpifh.so.40", RTLD_NOW | RTLD_LOCAL);
	/* what a function of the plugin would call: the first that there is */
	get_attr = (get_attr_fn *)dlsym(RTLD_DEFAULT, "mpi_comm_get_attr_");
	if (!get_attr && bindings)
		get_attr = (get_attr_fn *)dlsym(bindings, "mpi_comm_get_attr_");
	if (get_attr)
		get_attr(&world, &keyval, &value, &flag, &ierr);
	printf("MPI_TAG_UB is %s\n",
	       flag && ierr == MPI_SUCCESS && value >= 32767 ? "there" : "missing");
	MPI_Finalize();
	return 0;
}
