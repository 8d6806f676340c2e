/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - the round trips between the hosts of a job, by messages of MPI */
#include "config.h"

#include "shim/mpi/renew/renew.h"

#include "base/clock.h"
#include "base/tournament.h"

#include <math.h>
#include <stdbool.h>

/* Of each pair; the least counts, the first one warms up the connection. Where
 * processors are busy, more are made, until two are about the least. */
#define TRIPS 3
#define TRIPS_MAX 8
#define ABOUT 1.5

enum { TAG_TRIP, TAG_ROW };

/* 0, or an error of MPI; so all below. */
static int send(MPI_Comm comm, int to, bool more)
{
	const char byte = more;

	return PL_MPI_NEXT(PMPI_Send)(&byte, 1, MPI_BYTE, to, TAG_TRIP, comm);
}

static int receive(MPI_Comm comm, int from, bool *more)
{
	char byte = 0;
	const int rc =
		PL_MPI_NEXT(PMPI_Recv)(&byte, 1, MPI_BYTE, from, TAG_TRIP, comm, MPI_STATUS_IGNORE);

	*more = byte;
	return rc;
}

/* The least round trip to @peer, which calls reflect() meanwhile. */
static int time_trips(MPI_Comm comm, int peer, double *least)
{
	double second = INFINITY;
	bool more;
	int rc = 0;

	*least = INFINITY;
	for (int i = 0; rc == 0 && i < TRIPS_MAX; i++) {
		const int64_t begin = pl_clock_ns();
		double took;

		rc = send(comm, peer, true);
		if (rc == 0)
			rc = receive(comm, peer, &more);
		took = (double)(pl_clock_ns() - begin);
		second = fmin(second, fmax(*least, took));
		*least = fmin(*least, took);
		if (i + 1 >= TRIPS && second <= ABOUT * *least)
			break;
	}
	return rc ? rc : send(comm, peer, false);
}

static int reflect(MPI_Comm comm, int peer)
{
	bool more = true;
	int rc;

	while ((rc = receive(comm, peer, &more)) == 0 && more && (rc = send(comm, peer, true)) == 0)
		;
	return rc;
}

/* Of each pair, the host with the lower number measures. */
static int meet_all(MPI_Comm comm, const int *leader, size_t n, size_t mine, double *row)
{
	int rc = 0;

	for (size_t round = 0; rc == 0 && round < pl_tournament_rounds(n); round++) {
		const size_t peer = pl_tournament_peer(n, round, mine);

		if (peer == PL_TOURNAMENT_REST)
			continue;
		if (mine < peer)
			rc = time_trips(comm, leader[peer], &row[peer]);
		else
			rc = reflect(comm, leader[peer]);
	}
	return rc;
}

/* Both ways of a pair take what one of its hosts has measured. */
static void take_row(double *rtt_ns, size_t n, size_t host, const double *row)
{
	for (size_t peer = host + 1; peer < n; peer++)
		rtt_ns[host * n + peer] = rtt_ns[peer * n + host] = row[peer];
}

/* Rank 0's part: the rows of all. */
static int gather(MPI_Comm comm, const int *leader, size_t n, size_t mine, double *row,
		  double *rtt_ns)
{
	int rc = 0;

	take_row(rtt_ns, n, mine, row);
	for (size_t host = 0; host < n && rc == 0; host++) {
		if (host == mine)
			continue;
		rc = PL_MPI_NEXT(PMPI_Recv)(row, (int)n, MPI_DOUBLE, leader[host], TAG_ROW, comm,
					    MPI_STATUS_IGNORE);
		take_row(rtt_ns, n, host, row);
	}
	return rc;
}

int pl_renew_measure(MPI_Comm comm, const int *leader, size_t n, size_t mine, double *row,
		     double *rtt_ns)
{
	int rc = meet_all(comm, leader, n, mine, row);

	if (rc == 0 && rtt_ns)
		rc = gather(comm, leader, n, mine, row, rtt_ns);
	else if (rc == 0)
		rc = PL_MPI_NEXT(PMPI_Send)(row, (int)n, MPI_DOUBLE, 0, TAG_ROW, comm);
	return rc ? -1 : 0;
}
