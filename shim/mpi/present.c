/* SPDX-License-Identifier: BSD-3-Clause */
/* present.c - does every process of the job have the shim? */
/*
 * A process without it is in its program by now, and may send and receive what it likes. So the
 * question is put by a collective that does not block, whose result says whether it was this one
 * that all took part in. Where it does not end in time, those that asked tell one another by
 * messages: everyone to a number of ranks spread over the job (processes of one host often lack the
 * shim together), and the lowest of them that is there names the silent ones.
 */
#include "config.h"

#include "shim/mpi/world.h"

#include "base/clock.h"
#include "base/mem.h"
#include "shim/say.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ASKED INT64_C(0x706c696e6b) /* no sum that a program would make */
#define TAG 20556                   /* below 32767, the least upper bound there can be */
#define LISTENERS_MAX 64
#define PAUSE_NS 20000

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

/* Did all take part within the time? */
static bool ask(int n, int64_t limit_ns)
{
	/* the library may write to sum after this has returned */
	static int64_t mine = ASKED, sum;
	const int64_t until = pl_clock_ns() + limit_ns;
	MPI_Request request;
	int done = 0;

	PMPI_Iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
	for (;;) {
		PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done || pl_clock_ns() > until)
			return done && sum == ASKED * n;
		pause_shortly();
	}
}

/* Rank of the i-th of those that listen. */
static int listener(int i, int n)
{
	const int n_listeners = n < LISTENERS_MAX ? n : LISTENERS_MAX;

	return (int)((int64_t)i * n / n_listeners);
}

static void tell(int n)
{
	static int nothing;
	MPI_Request request;

	for (int i = 0; i < n && i < LISTENERS_MAX; i++) {
		PMPI_Isend(&nothing, 1, MPI_INT, listener(i, n), TAG, MPI_COMM_WORLD, &request);
		PMPI_Request_free(&request);
	}
}

/* Notes whom it hears in heard[n], until there was silence for so long. */
static void hear(bool *heard, int64_t silence_ns)
{
	int64_t last = pl_clock_ns();
	MPI_Status status;
	int there, nothing;

	while (pl_clock_ns() < last + silence_ns) {
		PMPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
		if (!there) {
			pause_shortly();
			continue;
		}
		PMPI_Recv(&nothing, 1, MPI_INT, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
			  MPI_STATUS_IGNORE);
		heard[status.MPI_SOURCE] = true;
		last = pl_clock_ns();
	}
}

/* "0,3-5" of those that were not heard; cut where @buf ends. */
static void list_silent(const bool *heard, int n, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (int rank = 0; rank < n && len < size; rank++) {
		int last = rank;

		if (heard[rank])
			continue;
		while (last + 1 < n && !heard[last + 1])
			last++;
		len += (size_t)snprintf(buf + len, size - len, "%s%d", len ? "," : "", rank);
		if (last > rank && len < size)
			len += (size_t)snprintf(buf + len, size - len, "-%d", last);
		rank = last;
	}
}

static void name_silent(const bool *heard, int n)
{
	char silent[1024];

	list_silent(heard, n, silent, sizeof(silent));
	pl_shim_say("ranks %s have not answered: do they run without " PL_SHIM_NAME
		    ".so, or with PLINK_MPI_MODE=off and no PLINK_STATS? Start all processes with "
		    "the same LD_PRELOAD and PLINK_ variables, or none. Ending the job",
		    silent);
}

/* Is this the lowest rank that both listens and is there? */
static bool is_speaker(const bool *heard, int rank, int n)
{
	for (int i = 0; i < n && i < LISTENERS_MAX; i++)
		if (heard[listener(i, n)])
			return listener(i, n) == rank;
	return false;
}

void pl_mpi_check_present(int limit_s)
{
	const int64_t limit_ns = (int64_t)limit_s * 1000000000;
	int rank, n;
	bool *heard;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &n);
	if (ask(n, limit_ns))
		return;
	/* all began to ask at about the same time, and gave up so */
	tell(n);
	heard = pl_array_create((size_t)n, sizeof(*heard));
	if (heard) {
		heard[rank] = true;
		hear(heard, limit_ns / 2);
		if (is_speaker(heard, rank, n)) {
			name_silent(heard, n);
			PMPI_Abort(MPI_COMM_WORLD, 1);
		}
		/* it listens as long as this one; then somebody has to end
		 * it */
		hear(heard, limit_ns);
	}
	pl_shim_say("rank %d: not all processes of the job answer: start all of them with the same "
		    "LD_PRELOAD, or none",
		    rank);
	PMPI_Abort(MPI_COMM_WORLD, 1);
}
