/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.c - rounds in which two hosts of an MPI job measure one another */
#include "config.h"

#include "probes/mpi/turns.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/tournament.h"
#include "probes/mpi/ping.h"
#include "probes/run/budget.h"

#include <stdlib.h>
#include <string.h>

#define REST UINT32_MAX
#define NEVER_NS (INT64_C(1) << 62)

static int pass_init(struct pl_mpi_pass *pass, size_t n_rounds)
{
	pass->n_rounds = n_rounds;
	pass->peer = pl_array_create(n_rounds, sizeof(*pass->peer));
	pass->n_pairs = pl_array_create(n_rounds, sizeof(*pass->n_pairs));
	if (!pass->peer || !pass->n_pairs)
		return -1;
	for (size_t k = 0; k < n_rounds; k++)
		pass->peer[k] = REST;
	return 0;
}

void pl_mpi_pass_fini(struct pl_mpi_pass *pass)
{
	free(pass->peer);
	free(pass->n_pairs);
	*pass = (struct pl_mpi_pass){0};
}

int pl_mpi_pass_all(struct pl_mpi_pass *pass, size_t n, size_t self)
{
	if (pass_init(pass, pl_tournament_rounds(n)))
		return -1;
	for (size_t k = 0; k < pass->n_rounds; k++) {
		const size_t peer = pl_tournament_peer(n, k, self);

		if (peer != PL_TOURNAMENT_REST)
			pass->peer[k] = (uint32_t)peer;
		pass->n_pairs[k] = (uint32_t)(n / 2);
	}
	return 0;
}

int pl_mpi_pass_of(struct pl_mpi_pass *pass, const struct pl_meet *v, size_t m, size_t self)
{
	if (pass_init(pass, m ? (size_t)v[m - 1].round + 1 : 0))
		return -1;
	for (size_t i = 0; i < m; i++) {
		pass->n_pairs[v[i].round]++;
		if (v[i].a == self)
			pass->peer[v[i].round] = v[i].b;
		else if (v[i].b == self)
			pass->peer[v[i].round] = v[i].a;
	}
	return 0;
}

int pl_mpi_turns_init(struct pl_mpi_turns *t, MPI_Comm comm, const struct pl_mpi_options *options)
{
	int n, self;

	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &self);
	*t = (struct pl_mpi_turns){.comm = comm,
				   .options = options,
				   .n = (size_t)n,
				   .self = (size_t)self,
				   .begun_ns = pl_clock_ns()};
	t->row = pl_array_create(t->n, PL_MPI_FIGURES * sizeof(*t->row));
	t->buffer = pl_array_create(
		(size_t)options->ping_bytes + (size_t)options->transfer_bytes + 1, 1);
	return t->row && t->buffer ? 0 : -1;
}

void pl_mpi_turns_fini(struct pl_mpi_turns *t)
{
	free(t->row);
	free(t->buffer);
}

/* This host asks a peer, by messages of one length. */
static int ask(struct pl_mpi_turns *t, const struct pl_mpi_end *end,
	       const struct pl_mpi_lengths *lengths, uint32_t packets_max,
	       struct pl_probed_pair *pair)
{
	const struct pl_probe_options *o = t->options->probe;
	const struct pl_prober_options options = {
		.probes_min = o->probes_min,
		.probes_max = o->probes_max,
		.packets_max = packets_max,
		.tolerance = {.share = o->precision, .ns = PL_PROBE_PRECISION_NS},
		.gap_ns = o->gap_ns,
		.pair_ns = o->pair_ns,
		.limit_ns = t->until_ns - pl_clock_ns(),
	};

	if (pl_mpi_ask(end, lengths, &options, pair))
		return -1;
	t->n_sent += pair->packets;
	t->n_cut += pair->answered < o->probes_min;
	return 0;
}

static struct pl_mpi_lengths lengths_of_pings(const struct pl_mpi_turns *t)
{
	return (struct pl_mpi_lengths){t->options->ping_bytes, t->options->ping_bytes};
}

static struct pl_mpi_lengths lengths_of_transfers(const struct pl_mpi_turns *t)
{
	return (struct pl_mpi_lengths){t->options->transfer_bytes, t->options->ping_bytes};
}

/* One way: pings, then transfers where they are wanted. */
static int ask_all(struct pl_mpi_turns *t, const struct pl_mpi_end *end, uint32_t packets_max,
		   bool transfers)
{
	int64_t *figure = &t->row[(size_t)end->peer * PL_MPI_FIGURES];
	struct pl_mpi_lengths lengths = lengths_of_pings(t);
	struct pl_probed_pair pair;

	if (ask(t, end, &lengths, packets_max, &pair))
		return -1;
	figure[PL_MPI_SENT] = (int64_t)pair.sent;
	figure[PL_MPI_MIN] = pair.rtt.min_ns;
	figure[PL_MPI_P10] = pair.rtt.p10_ns;
	figure[PL_MPI_P50] = pair.rtt.p50_ns;
	figure[PL_MPI_P90] = pair.rtt.p90_ns;
	figure[PL_MPI_P99] = pair.rtt.p99_ns;
	if (!transfers)
		return 0;
	lengths = lengths_of_transfers(t);
	if (ask(t, end, &lengths, packets_max, &pair))
		return -1;
	figure[PL_MPI_TRANSFERS] = (int64_t)pair.sent;
	figure[PL_MPI_TRANSFER_P10] = pair.rtt.p10_ns;
	return 0;
}

/* The same from the other end. */
static void answer_all(const struct pl_mpi_turns *t, const struct pl_mpi_end *end, bool transfers)
{
	struct pl_mpi_lengths lengths = lengths_of_pings(t);

	pl_mpi_answer(end, &lengths);
	lengths = lengths_of_transfers(t);
	if (transfers)
		pl_mpi_answer(end, &lengths);
}

/* Both ways, one after the other: a message of one would delay those of the other in MPI's own
 * queues. */
static int meet(struct pl_mpi_turns *t, size_t peer, uint32_t packets_max, bool transfers)
{
	const struct pl_mpi_end end = {
		.comm = t->comm,
		.peer = (int)peer,
		.buffer = t->buffer,
		.stop = t->options->probe->stop,
	};
	int status;

	if (t->self > peer)
		answer_all(t, &end, transfers);
	status = ask_all(t, &end, packets_max, transfers);
	if (!status && t->self < peer)
		answer_all(t, &end, transfers);
	return status;
}

/* All wait for one another. They learn what was sent before and, from process 0, how long the
 * budget lasts: it ends at once when that is told to stop. */
static void agree(struct pl_mpi_turns *t)
{
	const struct pl_probe_options *o = t->options->probe;
	int64_t v[] = {(int64_t)t->n_sent, (int64_t)t->n_cut, 0}, sum[3];

	if (t->self == 0 && !(o->stop && *o->stop))
		v[2] = o->budget_ns > 0 ? t->begun_ns + o->budget_ns - pl_clock_ns() : NEVER_NS;
	MPI_Allreduce(v, sum, 3, MPI_INT64_T, MPI_SUM, t->comm);
	t->n_before += (uint64_t)sum[0];
	t->spent = t->spent || sum[1] > 0;
	t->left_ns = sum[2];
	t->until_ns = pl_clock_ns() + sum[2];
	t->n_sent = t->n_cut = 0;
}

/* Messages that each way and length may take in a round of @n_pairs, @n_left
 * being still to come, these included; 0: the budget is spent. The same on
 * all. */
static uint32_t allowance(const struct pl_mpi_turns *t, size_t n_pairs, size_t n_left,
			  bool transfers)
{
	const struct pl_probe_options *o = t->options->probe;
	const size_t lengths = transfers ? 2 : 1;
	uint32_t share;

	if (t->left_ns <= 0)
		return 0;
	if (o->budget_probes == 0)
		return PL_PACKETS_LIMIT;
	share = pl_budget_share(o->budget_probes, t->n_before, n_left * lengths, o->probes_min);
	return t->n_before + 2 * (uint64_t)share * n_pairs * lengths > o->budget_probes ? 0 : share;
}

int pl_mpi_turns_run(struct pl_mpi_turns *t, const struct pl_mpi_pass *pass, bool transfers)
{
	size_t n_left = 0;
	int status = 0;

	memset(t->row, 0, t->n * PL_MPI_FIGURES * sizeof(*t->row));
	t->spent = false;
	for (size_t k = 0; k < pass->n_rounds; k++)
		n_left += pass->n_pairs[k];
	for (size_t k = 0; !status && !t->spent && k < pass->n_rounds; k++) {
		uint32_t most;

		agree(t);
		most = allowance(t, pass->n_pairs[k], n_left, transfers);
		if (most == 0)
			t->spent = true;
		else if (pass->peer[k] != REST)
			status = meet(t, pass->peer[k], most, transfers);
		n_left -= pass->n_pairs[k];
	}
	if (!status)
		agree(t);
	return status;
}
