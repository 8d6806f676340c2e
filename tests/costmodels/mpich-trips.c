/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich-trips.c - from how many bytes on MPICH's messages make a handshake, and its cost */
/*
 * Two ranks, far from one another. Rank 0 prints the size up to which UCX sends
 * at once, as UCX tells it, then for sizes around that given as arguments how
 * often as long a message takes as one of a byte, to the nearest whole number:
 *
 *	limit 19522
 *	19522 1
 *
 * Times are the least of a few there and back. It ends without MPI_Finalize, in
 * which MPICH 4.0 may wait for ever.
 */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEATS 4
#define SIZE_MAX_BYTES (1 << 20)

typedef void *send_function(void *endpoint, const void *buf, size_t count, unsigned long tag,
			    const void *param);

send_function ucp_tag_send_nbx;
typedef void print_function(void *endpoint, FILE *to);

static void *endpoint; /* of the last message */

void *ucp_tag_send_nbx(void *to, const void *buf, size_t count, unsigned long tag,
		       const void *param)
{
	static send_function *next;

	if (!next)
		next = (send_function *)dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
	endpoint = to;
	return next(to, buf, count, tag, param);
}

/* "tag_send: 0..<egr/short>..8185..<egr/zcopy>..19523..<rndv>..(inf)" */
static long limit_of(void *of)
{
	print_function *print = (print_function *)dlsym(RTLD_DEFAULT, "ucp_ep_print_info");
	char line[512];
	long limit = -1;
	FILE *f = tmpfile();

	if (!f || !print || !of)
		return -1;
	print(of, f);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		char *end = strstr(line, "..<rndv>");

		if (!strstr(line, "tag_send:") || !end)
			continue;
		*end = '\0';
		limit = atol(strrchr(line, '.') + 1) - 1;
	}
	fclose(f);
	return limit;
}

static double there_and_back(int rank, size_t bytes)
{
	static char buf[SIZE_MAX_BYTES];
	double best = 0;

	for (int i = 0; i < REPEATS; i++) {
		const double begin = MPI_Wtime();
		double took;

		if (rank == 0)
			MPI_Send(buf, (int)bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(buf, (int)bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(buf, (int)bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
		took = MPI_Wtime() - begin;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}

int main(int argc, char **argv)
{
	double one;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	one = there_and_back(rank, 1);
	if (rank == 0)
		printf("limit %ld\n", limit_of(endpoint));
	for (int i = 1; i < argc; i++) {
		const size_t bytes = strtoul(argv[i], NULL, 10);
		const double took = there_and_back(rank, bytes);

		if (rank == 0)
			printf("%zu %.0f\n", bytes, took / one);
	}
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	_exit(0);
}
