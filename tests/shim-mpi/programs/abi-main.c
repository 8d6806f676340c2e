/* SPDX-License-Identifier: BSD-3-Clause */
/* abi-main.c - a program of MPI's standard ABI: linked with it, or loading it as it runs
 * (TEST_LOADS) */
#include "config.h"

#include "tests/shim-mpi/programs/abi-job.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
#ifdef TEST_LOADS
	void *job = dlopen("libjob.so", RTLD_NOW | RTLD_LOCAL);
	int (*run)(int, char **) = job ? (__typeof__(run))dlsym(job, "abi_job") : NULL;

	if (!run)
		printf("%s\n", dlerror());
	return run ? run(argc, argv) : 3;
#else
	return abi_job(argc, argv);
#endif
}
