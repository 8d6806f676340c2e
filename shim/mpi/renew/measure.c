/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - the round trips between the hosts of a job, by messages of MPI */
#include "config.h"

#include "shim/mpi/renew/renew.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/tournament.h"

#include <math.h>
#include <stdlib.h>

/* Of each pair; the least counts, the first one warms up the connection. */
#define TRIPS 3

enum { TAG_TRIP, TAG_ROW };

static void send(MPI_Comm comm, int to)
{
	char byte = 0;

	PL_MPI_NEXT(PMPI_Send)(&byte, 1, MPI_BYTE, to, TAG_TRIP, comm);
}

static void receive(MPI_Comm comm, int from)
{
	char byte;

	PL_MPI_NEXT(PMPI_Recv)
	(&byte, 1, MPI_BYTE, from, TAG_TRIP, comm, MPI_STATUS_IGNORE);
}

/* The least round trip to @peer, which calls reflect() meanwhile. */
static double time_trips(MPI_Comm comm, int peer)
{
	double least = INFINITY;

	for (int i = 0; i < TRIPS; i++) {
		const int64_t begin = pl_clock_ns();

		send(comm, peer);
		receive(comm, peer);
		least = fmin(least, (double)(pl_clock_ns() - begin));
	}
	return least;
}

static void reflect(MPI_Comm comm, int peer)
{
	for (int i = 0; i < TRIPS; i++) {
		receive(comm, peer);
		send(comm, peer);
	}
}

/* Of each pair, the host with the lower number measures. */
static void meet_all(MPI_Comm comm, const int *leader, size_t n, size_t mine,
		     double *row)
{
	for (size_t round = 0; round < pl_tournament_rounds(n); round++) {
		const size_t peer = pl_tournament_peer(n, round, mine);

		if (peer == PL_TOURNAMENT_REST)
			continue;
		if (mine < peer)
			row[peer] = time_trips(comm, leader[peer]);
		else
			reflect(comm, leader[peer]);
	}
}

/* Both ways of a pair take what one of its hosts has measured. */
static void take_row(double *rtt_ns, size_t n, size_t host, const double *row)
{
	for (size_t peer = host + 1; peer < n; peer++)
		rtt_ns[host * n + peer] = rtt_ns[peer * n + host] = row[peer];
}

int pl_renew_measure(MPI_Comm comm, const int *leader, size_t n, size_t mine,
		     double *rtt_ns)
{
	double *row = pl_array_create(n, sizeof(*row));

	if (!row)
		return -1;
	meet_all(comm, leader, n, mine, row);
	if (!rtt_ns) {
		PL_MPI_NEXT(PMPI_Send)
		(row, (int)n, MPI_DOUBLE, 0, TAG_ROW, comm);
		free(row);
		return 0;
	}
	take_row(rtt_ns, n, mine, row);
	for (size_t host = 0; host < n; host++) {
		if (host == mine)
			continue;
		PL_MPI_NEXT(PMPI_Recv)
		(row, (int)n, MPI_DOUBLE, leader[host], TAG_ROW, comm,
		 MPI_STATUS_IGNORE);
		take_row(rtt_ns, n, host, row);
	}
	free(row);
	return 0;
}
