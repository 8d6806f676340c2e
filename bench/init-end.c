/* SPDX-License-Identifier: BSD-3-Clause */
/* init-end.c - preload library: when the MPI library's own MPI_Init is
 * through */
/* It stands behind what is measured, which calls the next PMPI_Init that there is. */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC; what is measured begins here. */
extern int64_t bench_init_end_ns;
int64_t bench_init_end_ns;

typedef int init_fn(int *argc, char ***argv);

int PMPI_Init(int *argc, char ***argv)
{
	init_fn *next = (init_fn *)dlsym(RTLD_NEXT, "PMPI_Init");
	const int rc = next(argc, argv);
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	bench_init_end_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	return rc;
}

int MPI_Init(int *argc, char ***argv) __attribute__((weak, alias("PMPI_Init")));
