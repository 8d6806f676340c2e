/* SPDX-License-Identifier: BSD-3-Clause */
/* killed.c - an MPI program of which one process goes away, or is late */
/*
 * usage: killed now|late|nonblocking|SECONDS [RANK]. "late": that rank, by default the last, comes
 * SECONDS late to the third of five all-reduces; otherwise it ends itself, by a signal, before the
 * third or in it. The other ranks print what their all-reduces say.
 */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COUNT 4000000

static int rank, n;
static float in[COUNT], out[COUNT];

static double clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *end_soon(void *unused)
{
	(void)unused;
	usleep(20000);
	raise(SIGKILL);
	return NULL;
}

/* Before the third all-reduce. */
static void go_wrong(const char *how)
{
	pthread_t thread;

	if (strcmp(how, "now") == 0)
		raise(SIGKILL);
	if (atoi(how) > 0)
		sleep((unsigned)atoi(how));
	else if (pthread_create(&thread, NULL, end_soon, NULL))
		abort();
}

static int reduce(const char *how)
{
	MPI_Request request;

	if (strcmp(how, "nonblocking") != 0)
		return MPI_Allreduce(in, out, COUNT, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Iallreduce(in, out, COUNT, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
	return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int is_right(void)
{
	for (int i = 0; i < COUNT; i++)
		if (out[i] != (float)(n * (i % 100)))
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "now";
	int class, rc = MPI_SUCCESS, wrong;
	double begun_s = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	wrong = argc > 2 ? atoi(argv[2]) : n - 1;
	for (int i = 0; i < COUNT; i++)
		in[i] = (float)(i % 100);
	for (int i = 0; i < 5 && rc == MPI_SUCCESS; i++) {
		if (i == 2) {
			begun_s = clock_s();
			printf("rank %d begins the third\n", rank);
			fflush(stdout);
		}
		if (i == 2 && rank == wrong)
			go_wrong(how);
		rc = reduce(how);
		if (rc == MPI_SUCCESS && !is_right())
			printf("rank %d has a wrong sum\n", rank);
	}
	MPI_Error_class(rc, &class);
	printf("rank %d: %s after %.0f s\n", rank,
	       rc == MPI_SUCCESS        ? "all is well"
	       : class == MPI_ERR_OTHER ? "MPI_ERR_OTHER"
					: "another error",
	       clock_s() - begun_s);
	fflush(stdout);
	if (rc != MPI_SUCCESS)
		_exit(0);
	MPI_Finalize();
	return 0;
}
