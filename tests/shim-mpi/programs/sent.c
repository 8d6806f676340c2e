/* SPDX-License-Identifier: BSD-3-Clause */
/* sent.c - who sends how much to whom in some collectives (under mpirun) */
/*
 *	sent COLLECTIVE:COUNT:ROOT[:half]...
 *
 * Rank 0 prints for each such call a line "call NUMBER", and then lines "SRC
 * DST BYTES MESSAGES" for each pair of launch ranks between which that call on
 * COUNT integers has sent something: what Open MPI's pml/monitoring records,
 * given --mca pml_monitoring_enable 1, by a function whose place this program
 * takes. The same call went before, uncounted: it may make communicators. With
 * "half" it is one of every second rank.
 */
#include "config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 16
#define COUNT_MAX 100000

/* To each launch rank. */
static struct {
	uint64_t bytes, messages;
} sent[RANKS_MAX];
static int counts;

/* Of Open MPI 4.x: called for every message that is handed to the pml. */
void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);

void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag)
{
	(void)tag;
	if (!counts || world_rank >= RANKS_MAX)
		return;
	sent[world_rank].bytes += bytes;
	sent[world_rank].messages++;
}

static void call(const char *collective, int count, int root, MPI_Comm comm)
{
	static int in[COUNT_MAX], out[RANKS_MAX * COUNT_MAX];
	MPI_Request request;

	if (strcmp(collective, "allreduce") == 0)
		MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
	else if (strcmp(collective, "broadcast") == 0)
		MPI_Bcast(in, count, MPI_INT, root, comm);
	else if (strcmp(collective, "reduce") == 0)
		MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, comm);
	else if (strcmp(collective, "barrier") == 0)
		MPI_Barrier(comm);
	else if (strcmp(collective, "allgather") == 0)
		MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, comm);
	else if (strcmp(collective, "ibroadcast") == 0) {
		MPI_Bcast(in, count, MPI_INT, root, comm);
		MPI_Ibcast(in, count, MPI_INT, root, comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

static void print_sent(void)
{
	uint64_t all[RANKS_MAX][RANKS_MAX][2];
	int rank, n;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Gather(sent, 2 * RANKS_MAX, MPI_UINT64_T, all, 2 * RANKS_MAX, MPI_UINT64_T, 0,
		   MPI_COMM_WORLD);
	for (int src = 0; rank == 0 && src < n; src++)
		for (int dst = 0; dst < n; dst++)
			if (all[src][dst][1])
				printf("%d %d %llu %llu\n", src, dst,
				       (unsigned long long)all[src][dst][0],
				       (unsigned long long)all[src][dst][1]);
}

/* As the argument says. False: it says nothing. */
static bool run(const char *what, int rank)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	char collective[16], half[8] = "";
	int count, root;

	if (sscanf(what, "%15[a-z]:%d:%d:%7s", collective, &count, &root, half) < 3)
		return false;
	if (half[0])
		MPI_Comm_split(comm, rank % 2, rank, &comm);
	memset(sent, 0, sizeof(sent));
	call(collective, count, root, comm);
	MPI_Barrier(MPI_COMM_WORLD);
	counts = 1;
	call(collective, count, root, comm);
	counts = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	print_sent();
	if (comm != MPI_COMM_WORLD)
		MPI_Comm_free(&comm);
	return true;
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 1; i < argc; i++) {
		if (rank == 0)
			printf("call %d\n", i);
		if (!run(argv[i], rank))
			MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Finalize();
	return 0;
}
