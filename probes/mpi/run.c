/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - measure the hosts of an MPI job by its own messages: a matrix */
#include "config.h"

#include "probes/mpi/run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/tournament.h"
#include "probes/run/again.h"
#include "probes/run/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* meetings in one message: fewer bytes than an int holds */
#define BLOCK 65536

/* One process' run; from collect on, process 0's alone. */
struct run {
	struct pl_mpi_turns turns;
	const struct pl_mpi_options *options;
	struct pl_meet *meet; /* [n_meets] of the second look */
	uint64_t n_meets;
	int64_t *column; /* [n * PL_MPI_FIGURES] from each host to one */
	struct pl_collect collect;
	struct pl_again again;
	struct pl_probe_report *report;
};

static size_t n_hosts(const struct run *r)
{
	return r->turns.n;
}

static bool is_first(const struct run *r)
{
	return r->turns.self == 0;
}

/* A figure of the way that process 0 is working on; 0, or -1: out of memory. */
typedef int take_way(struct run *r, size_t src, size_t dst, const int64_t *figure,
		     const struct pl_probed_pair *pair);

static bool is_stopped(const struct run *r)
{
	return r->options->probe->stop && *r->options->probe->stop;
}

/* Why a way was not measured. */
static const char *ended_before(const struct run *r)
{
	return is_stopped(r) ? "interrupted before it was measured"
			     : "the budget was spent before it was measured";
}

static int set_bandwidth(struct run *r, size_t src, size_t dst, const int64_t *figure)
{
	struct pl_matrix *m = r->collect.matrix;
	struct pl_layer *layer = &m->layer[m->n_layers - 1];
	const double ns = (double)figure[PL_MPI_TRANSFER_P10] - (double)figure[PL_MPI_P10] / 2;

	if (figure[PL_MPI_TRANSFERS] == 0)
		return pl_collect_note(
			&r->collect, src, dst,
			is_stopped(r) ? "interrupted before its bandwidth was measured"
				      : "the budget was spent before its bandwidth was measured");
	if (ns <= 0)
		return pl_collect_note(&r->collect, src, dst,
				       "transfers are too short to tell the bandwidth");
	layer->cell[src * m->hosts.n + dst] = round(r->options->transfer_bytes * 1e9 / ns);
	return 0;
}

static int take_first(struct run *r, size_t src, size_t dst, const int64_t *figure,
		      const struct pl_probed_pair *pair)
{
	char note[64] = "";

	if (pair->sent == 0)
		return pl_collect_miss(&r->collect, src, dst, ended_before(r));
	if (pair->answered < r->options->probe->probes_min)
		snprintf(note, sizeof(note), "only %llu messages before the %s",
			 (unsigned long long)pair->answered,
			 is_stopped(r) ? "interruption" : "budget was spent");
	r->report->probes_sent += (uint64_t)(figure[PL_MPI_SENT] + figure[PL_MPI_TRANSFERS]);
	if (pl_collect_pair(&r->collect, src, dst, pair, note))
		return -1;
	return r->options->transfer_bytes > 0 ? set_bandwidth(r, src, dst, figure) : 0;
}

static int take_second(struct run *r, size_t src, size_t dst, const int64_t *figure,
		       const struct pl_probed_pair *pair)
{
	(void)figure; /* there were no transfers */
	return pl_again_take(&r->again, src, dst, pair);
}

static int take_column(struct run *r, size_t dst, take_way *take)
{
	for (size_t src = 0; src < n_hosts(r); src++) {
		const int64_t *figure = &r->column[src * PL_MPI_FIGURES];
		const struct pl_probed_pair pair = {
			.sent = (uint64_t)figure[PL_MPI_SENT],
			.answered = (uint64_t)figure[PL_MPI_SENT],
			.rtt = {.min_ns = figure[PL_MPI_MIN],
				.p10_ns = figure[PL_MPI_P10],
				.p50_ns = figure[PL_MPI_P50],
				.p90_ns = figure[PL_MPI_P90],
				.p99_ns = figure[PL_MPI_P99],
				.raw_ns = figure[PL_MPI_P10]},
		};

		if (src != dst && take(r, src, dst, figure, &pair))
			return -1;
	}
	return 0;
}

/* All rows to process 0, a column at a time. */
static int gather(struct run *r, take_way *take)
{
	int status = 0;

	for (size_t dst = 0; !status && dst < n_hosts(r); dst++) {
		MPI_Gather(&r->turns.row[dst * PL_MPI_FIGURES], PL_MPI_FIGURES, MPI_INT64_T,
			   r->column, PL_MPI_FIGURES, MPI_INT64_T, 0, r->turns.comm);
		if (is_first(r))
			status = take_column(r, dst, take);
	}
	return status;
}

static int measure_all(struct run *r)
{
	struct pl_mpi_pass pass = {0};
	int status = pl_mpi_pass_all(&pass, n_hosts(r), r->turns.self);

	if (!status)
		status = pl_mpi_turns_run(&r->turns, &pass, r->options->transfer_bytes > 0) ||
			 gather(r, take_first);
	if (is_first(r))
		r->report->n_rounds = pass.n_rounds;
	pl_mpi_pass_fini(&pass);
	return status;
}

/* The pairs that were begun before all others. */
static size_t first_round(const struct run *r, struct pl_meet *v)
{
	size_t m = 0;

	for (size_t i = 0; i < n_hosts(r); i++) {
		const size_t peer = pl_tournament_peer(n_hosts(r), 0, i);

		if (peer != PL_TOURNAMENT_REST && i < peer)
			v[m++] = (struct pl_meet){
				.a = (uint32_t)i, .b = (uint32_t)peer, .ways = PL_MEET_BOTH};
	}
	return m;
}

/* On process 0: which pairs are measured again. */
static int choose(struct run *r)
{
	struct pl_meet *first = pl_array_create(n_hosts(r), sizeof(*first));
	size_t n_rounds;
	int status = first ? 0 : -1;

	r->again.collect = &r->collect;
	r->again.options = r->options->probe;
	if (!status)
		status = pl_again_choose(&r->again, first, first_round(r, first), NULL);
	r->n_meets = r->again.n;
	r->meet = pl_array_create(r->again.n, sizeof(*r->meet));
	if (!status && r->meet && r->again.n > 0)
		memcpy(r->meet, r->again.v, r->again.n * sizeof(*r->meet));
	if (!r->meet ||
	    (!status && pl_rounds_assign(r->meet, r->n_meets, n_hosts(r), &n_rounds, NULL)))
		status = -1;
	free(first);
	return status;
}

/* All learn from process 0 what it is. */
static int share(struct run *r)
{
	MPI_Bcast(&r->n_meets, 1, MPI_UINT64_T, 0, r->turns.comm);
	if (!is_first(r))
		r->meet = pl_array_create(r->n_meets, sizeof(*r->meet));
	if (!r->meet)
		return -1;
	for (uint64_t at = 0; at < r->n_meets; at += BLOCK) {
		const uint64_t n = r->n_meets - at < BLOCK ? r->n_meets - at : BLOCK;

		MPI_Bcast(&r->meet[at], (int)(n * sizeof(*r->meet)), MPI_BYTE, 0, r->turns.comm);
	}
	return 0;
}

/* The second look, unless the budget did not last for the first one. */
static int measure_again(struct run *r)
{
	struct pl_mpi_pass pass = {0};
	int status;

	if (is_first(r) && choose(r))
		return -1;
	status = share(r) || pl_mpi_pass_of(&pass, r->meet, r->n_meets, r->turns.self);
	if (!status && r->n_meets > 0)
		status = pl_mpi_turns_run(&r->turns, &pass, false) || gather(r, take_second);
	pl_mpi_pass_fini(&pass);
	if (!status && is_first(r)) {
		r->report->again_cut = r->n_meets > 0 && r->turns.spent;
		status = pl_again_report(&r->again, r->report);
	}
	return status;
}

static int measure(struct run *r)
{
	bool spent;

	if (measure_all(r))
		return -1;
	spent = r->turns.spent;
	if (is_first(r))
		r->report->budget_spent = spent;
	if (is_first(r))
		r->report->interrupted = spent && is_stopped(r);
	return spent ? 0 : measure_again(r);
}

/* Which MPI it was, and what makes values comparable. */
static int describe(struct pl_matrix *m, const struct pl_mpi_options *o)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int len;

	MPI_Get_library_version(library, &len);
	library[strcspn(library, ",\n")] = '\0';
	for (char *c = library; *c; c++)
		if (*c < ' ')
			*c = ' ';
	if (pl_matrix_set_method(m, "mpi") || pl_matrix_add_header(m, "mpi", library) ||
	    pl_matrix_print_header(m, "pace", "gap-us=%.10g flows=1",
				   (double)o->probe->gap_ns / 1e3) ||
	    pl_matrix_print_header(m, "bytes", "ping=%d transfer=%d", o->ping_bytes,
				   o->transfer_bytes))
		return -1;
	return o->transfer_bytes == 0 ||
			       pl_matrix_add_layer(m, "p10-time", PL_BANDWIDTH, PL_BYTES_PER_S)
		       ? 0
		       : -1;
}

/* Counts, and says in the matrix whether it is all there. */
static int finish(struct run *r)
{
	struct pl_probe_report *report = r->report;
	const uint64_t n_sent = report->probes_sent;

	pl_collect_count(&r->collect, report);
	report->probes_sent = n_sent;
	report->packets_sent = r->turns.n_before;
	report->elapsed_ns = pl_clock_ns() - r->turns.begun_ns;
	if (report->pairs_missing == 0)
		return 0;
	return pl_matrix_print_header(r->collect.matrix, "partial", "ways-missing=%zu %s",
				      report->pairs_missing,
				      report->interrupted ? "interrupted" : "budget spent");
}

/* What process 0 alone does: it has the matrix. */
static int run_first(struct run *r, const struct pl_hosts *hosts, struct pl_matrix **matrix,
		     struct pl_err *err)
{
	int status = 0;

	r->report->n_hosts = hosts->n;
	r->column = pl_array_create(n_hosts(r), PL_MPI_FIGURES * sizeof(*r->column));
	if (!r->column)
		return pl_err_nomem(err);
	if (pl_collect_init(&r->collect, hosts, false, err))
		return -1;
	if (describe(r->collect.matrix, r->options) || measure(r) || finish(r)) {
		status = pl_err_nomem(err);
	} else {
		*matrix = r->collect.matrix;
		r->collect.matrix = NULL;
	}
	pl_again_fini(&r->again);
	pl_collect_fini(&r->collect);
	return status;
}

int pl_mpi_run(MPI_Comm comm, const struct pl_hosts *hosts, const struct pl_mpi_options *options,
	       struct pl_matrix **matrix, struct pl_probe_report *report, struct pl_err *err)
{
	struct run r = {.options = options, .report = report};
	int status;

	*matrix = NULL;
	*report = (struct pl_probe_report){
		.gap_ns = options->probe->gap_ns,
		.flows = 1,
	};
	if (pl_mpi_turns_init(&r.turns, comm, options))
		status = pl_err_nomem(err);
	else if (is_first(&r))
		status = run_first(&r, hosts, matrix, err);
	else
		status = measure(&r) ? pl_err_nomem(err) : 0;
	pl_mpi_turns_fini(&r.turns);
	free(r.column);
	free(r.meet);
	return status;
}
