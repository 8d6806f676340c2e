/* SPDX-License-Identifier: BSD-3-Clause */
/* start-probe.c - how long MPI_Init takes, and the memory after it (under mpirun) */
/*
 * With libplink-bench-init.so preloaded last it knows when the MPI library was through, and so how
 * much of MPI_Init is another library's. In that part the processes wait for one another: the one
 * that comes last waits least.
 */
#include "config.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* kB of the keys of /proc/self/smaps_rollup that start so; -1: not known. */
static double memory_kb(const char *start)
{
	FILE *f = fopen("/proc/self/smaps_rollup", "re");
	char line[256], key[64];
	double sum = -1, kb;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%63[A-Za-z_]: %lf kB", key, &kb) == 2 &&
		    strncmp(key, start, strlen(start)) == 0)
			sum = sum < 0 ? kb : sum + kb;
	fclose(f);
	return sum;
}

static double reduce(double value, MPI_Op op)
{
	double result = 0;

	MPI_Reduce(&value, &result, 1, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
	return result;
}

static void show(const char *name, double value)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("%s %.3f\n", name, value);
}

int main(int argc, char **argv)
{
	const int64_t start_ns = pl_clock_ns();
	const int64_t *library_ns;
	double all_us, own_us, rss_kb, private_kb;
	int64_t end_ns;
	int n;

	MPI_Init(&argc, &argv);
	end_ns = pl_clock_ns();
	MPI_Barrier(MPI_COMM_WORLD);
	rss_kb = memory_kb("Rss");
	private_kb = memory_kb("Private_");
	library_ns = dlsym(RTLD_DEFAULT, "bench_init_end_ns");
	if (!library_ns) {
		fputs("start-probe: libplink-bench-init.so is not preloaded\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
		return 2;
	}
	all_us = 1e-3 * (double)(end_ns - start_ns);
	own_us = 1e-3 * (double)(end_ns - *library_ns);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	show("init", reduce(all_us, MPI_MAX));
	show("own-least", reduce(own_us, MPI_MIN));
	show("own-most", reduce(own_us, MPI_MAX));
	show("rss", reduce(rss_kb, MPI_SUM) / n);
	show("private", reduce(private_kb, MPI_SUM) / n);
	MPI_Finalize();
	return 0;
}
