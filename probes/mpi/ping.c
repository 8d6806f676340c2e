/* SPDX-License-Identifier: BSD-3-Clause */
/* ping.c - messages of a job's own MPI, there and back, timed */
#include "config.h"

#include "probes/mpi/ping.h"

#include "base/clock.h"

#include <time.h>

#define S INT64_C(1000000000)
#define WARM_UP 4          /* before the one that the prober leaves out */
#define NEVER_NS (S << 32) /* far beyond any run */

enum { TAG_PING = 1, TAG_PONG, TAG_ENOUGH };

/* One message there and back; how long it took. */
static int64_t ping(const struct pl_mpi_end *end, const struct pl_mpi_lengths *lengths)
{
	const int64_t begun_ns = pl_clock_ns();

	MPI_Send(end->buffer, lengths->there, MPI_BYTE, end->peer, TAG_PING, end->comm);
	MPI_Recv(end->buffer, lengths->back, MPI_BYTE, end->peer, TAG_PONG, end->comm,
		 MPI_STATUS_IGNORE);
	return pl_clock_ns() - begun_ns;
}

static void sleep_until(int64_t ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(ns / S),
		.tv_nsec = (long)(ns % S),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void send_enough(const struct pl_mpi_end *end)
{
	MPI_Send(end->buffer, 0, MPI_BYTE, end->peer, TAG_ENOUGH, end->comm);
}

int pl_mpi_ask(const struct pl_mpi_end *end, const struct pl_mpi_lengths *lengths,
	       const struct pl_prober_options *o, struct pl_probed_pair *pair)
{
	struct pl_prober_options options = *o;
	struct pl_prober p;

	*pair = (struct pl_probed_pair){0};
	options.n_flows = 1;
	options.packets_max -= WARM_UP;
	options.silence_ns = NEVER_NS;
	if (options.limit_ns <= 0) {
		send_enough(end);
		return 0;
	}
	for (int i = 0; i < WARM_UP; i++)
		ping(end, lengths);
	if (pl_prober_init(&p, &options, pl_clock_ns()))
		return -1;
	while (!p.done && !(end->stop && *end->stop)) {
		const int64_t now_ns = pl_clock_ns();
		uint32_t seq;

		/* what the step itself takes is no part of the round trip */
		if (pl_prober_step(&p, now_ns, &seq))
			pl_prober_reply(&p, seq, 0, now_ns + ping(end, lengths));
		else if (!p.done)
			sleep_until(pl_prober_wake(&p));
	}
	send_enough(end);
	pl_prober_result(&p, pair);
	pair->packets += WARM_UP;
	pl_prober_fini(&p);
	return 0;
}

void pl_mpi_answer(const struct pl_mpi_end *end, const struct pl_mpi_lengths *lengths)
{
	MPI_Status status;

	for (;;) {
		MPI_Recv(end->buffer, lengths->there, MPI_BYTE, end->peer, MPI_ANY_TAG, end->comm,
			 &status);
		if (status.MPI_TAG == TAG_ENOUGH)
			return;
		MPI_Send(end->buffer, lengths->back, MPI_BYTE, end->peer, TAG_PONG, end->comm);
	}
}
