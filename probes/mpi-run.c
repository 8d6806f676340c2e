/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-run.c - measure the hosts of an MPI job by its own messages: a matrix */
#include "config.h"

#include "probes/mpi-run.h"

#include "probes/collect.h"
#include "probes/mpi-ping.h"
#include "probes/schedule.h"
#include "src/mem.h"
#include "src/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of one way of a pair, as process 0 gets it. */
enum { SENT, MIN, P10, P50, P90, P99, TRANSFERS, TRANSFER_P10, N_FIGURES };

struct run {
	MPI_Comm comm;
	const struct pl_mpi_options *options;
	size_t n, self;
	int64_t *row;    /* [n * N_FIGURES] from this host to each */
	int64_t *column; /* [n * N_FIGURES] on process 0: from each to one */
	char *buffer;
};

static int init(struct run *r, MPI_Comm comm,
		const struct pl_mpi_options *options)
{
	int n, self;

	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &self);
	*r = (struct run){.comm = comm,
			  .options = options,
			  .n = (size_t)n,
			  .self = (size_t)self};
	r->row = pl_array_create(r->n, N_FIGURES * sizeof(*r->row));
	r->column = pl_array_create(r->n, N_FIGURES * sizeof(*r->column));
	r->buffer = pl_array_create((size_t)options->ping_bytes +
					    (size_t)options->transfer_bytes + 1,
				    1);
	return r->row && r->column && r->buffer ? 0 : -1;
}

static void fini(struct run *r)
{
	free(r->row);
	free(r->column);
	free(r->buffer);
}

/* This host asks @peer. */
static int ask(const struct run *r, const struct pl_mpi_end *end)
{
	const struct pl_mpi_options *o = r->options;
	const struct pl_mpi_lengths pings = {o->ping_bytes, o->ping_bytes};
	const struct pl_mpi_lengths transfers = {o->transfer_bytes,
						 o->ping_bytes};
	int64_t *figure = &r->row[(size_t)end->peer * N_FIGURES];
	struct pl_pair pair;

	if (pl_mpi_ask(end, &pings, &o->prober, &pair))
		return -1;
	figure[SENT] = (int64_t)pair.sent;
	figure[MIN] = pair.rtt.min_ns;
	figure[P10] = pair.rtt.p10_ns;
	figure[P50] = pair.rtt.p50_ns;
	figure[P90] = pair.rtt.p90_ns;
	figure[P99] = pair.rtt.p99_ns;
	if (o->transfer_bytes == 0)
		return 0;
	if (pl_mpi_ask(end, &transfers, &o->prober, &pair))
		return -1;
	figure[TRANSFERS] = (int64_t)pair.sent;
	figure[TRANSFER_P10] = pair.rtt.p10_ns;
	return 0;
}

/* The same from the other end. */
static void answer(const struct run *r, const struct pl_mpi_end *end)
{
	const struct pl_mpi_options *o = r->options;
	const struct pl_mpi_lengths pings = {o->ping_bytes, o->ping_bytes};
	const struct pl_mpi_lengths transfers = {o->transfer_bytes,
						 o->ping_bytes};

	pl_mpi_answer(end, &pings);
	if (o->transfer_bytes > 0)
		pl_mpi_answer(end, &transfers);
}

/* Both ways, one after the other: a message of one would delay those of the
 * other in MPI's own queues. */
static int meet(const struct run *r, size_t peer)
{
	const struct pl_mpi_end end = {
		.comm = r->comm, .peer = (int)peer, .buffer = r->buffer};
	int status;

	if (r->self > peer)
		answer(r, &end);
	status = ask(r, &end);
	if (!status && r->self < peer)
		answer(r, &end);
	return status;
}

static int measure(const struct run *r)
{
	const size_t n_rounds = pl_schedule_rounds(r->n);
	int status = 0;

	for (size_t round = 0; !status && round < n_rounds; round++) {
		const size_t peer = pl_schedule_peer(r->n, round, r->self);

		MPI_Barrier(r->comm);
		if (peer != PL_SCHEDULE_REST)
			status = meet(r, peer);
	}
	return status;
}

static int set_bandwidth(struct pl_collect *c, size_t src, size_t dst,
			 const int64_t *figure, int bytes)
{
	struct pl_layer *layer = &c->matrix->layer[c->matrix->n_layers - 1];
	const double ns =
		(double)figure[TRANSFER_P10] - (double)figure[P10] / 2;

	if (ns <= 0)
		return pl_collect_note(c, src, dst,
				       "transfers are too short to tell the "
				       "bandwidth");
	layer->cell[src * c->matrix->hosts.n + dst] = round(bytes * 1e9 / ns);
	return 0;
}

/* On process 0: r->column, the ways to @dst, into the matrix. */
static int take_column(struct run *r, struct pl_collect *c, size_t dst,
		       struct pl_mpi_report *report)
{
	for (size_t src = 0; src < r->n; src++) {
		const int64_t *figure = &r->column[src * N_FIGURES];
		const struct pl_pair pair = {
			.sent = (uint64_t)figure[SENT],
			.answered = (uint64_t)figure[SENT],
			.rtt = {.min_ns = figure[MIN],
				.p10_ns = figure[P10],
				.p50_ns = figure[P50],
				.p90_ns = figure[P90],
				.p99_ns = figure[P99]},
		};

		if (src == dst)
			continue;
		report->messages +=
			(uint64_t)(figure[SENT] + figure[TRANSFERS]);
		if (pl_collect_pair(c, src, dst, &pair, "") ||
		    (r->options->transfer_bytes > 0 &&
		     set_bandwidth(c, src, dst, figure,
				   r->options->transfer_bytes)))
			return -1;
	}
	return 0;
}

/* All rows to process 0, a column at a time; the others have no @c. */
static int gather(struct run *r, struct pl_collect *c,
		  struct pl_mpi_report *report)
{
	int status = 0;

	for (size_t dst = 0; !status && dst < r->n; dst++) {
		MPI_Gather(&r->row[dst * N_FIGURES], N_FIGURES, MPI_INT64_T,
			   r->column, N_FIGURES, MPI_INT64_T, 0, r->comm);
		if (c)
			status = take_column(r, c, dst, report);
	}
	return status;
}

/* Which MPI it was, and what makes values comparable. */
static int describe(struct pl_matrix *m, const struct pl_mpi_options *o)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", text[64];
	int len;

	free(m->method);
	m->method = pl_string_copy("mpi", strlen("mpi"));
	MPI_Get_library_version(library, &len);
	library[strcspn(library, ",\n")] = '\0';
	for (char *c = library; *c; c++)
		if (*c < ' ')
			*c = ' ';
	snprintf(text, sizeof(text), "gap-us=%.10g flows=1",
		 (double)o->prober.gap_ns / 1e3);
	if (!m->method || pl_matrix_add_header(m, "mpi", library) ||
	    pl_matrix_add_header(m, "pace", text))
		return -1;
	snprintf(text, sizeof(text), "ping=%d transfer=%d", o->ping_bytes,
		 o->transfer_bytes);
	if (pl_matrix_add_header(m, "bytes", text))
		return -1;
	return o->transfer_bytes == 0 ||
			       pl_matrix_add_layer(m, "p10-time", PL_BANDWIDTH,
						   PL_BYTES_PER_S)
		       ? 0
		       : -1;
}

/* What process 0 alone does: it has the matrix. */
static int run_first(struct run *r, const struct pl_hosts *hosts,
		     struct pl_matrix **matrix, struct pl_mpi_report *report,
		     struct pl_err *err)
{
	const int64_t begun_ns = pl_tool_clock_ns();
	struct pl_collect c = {0};
	int status = -1;

	if (pl_collect_init(&c, hosts, err))
		return -1;
	if (describe(c.matrix, r->options) || measure(r) ||
	    gather(r, &c, report)) {
		pl_err_nomem(err);
	} else {
		*matrix = c.matrix;
		c.matrix = NULL;
		status = 0;
	}
	pl_collect_fini(&c);
	report->n_rounds = pl_schedule_rounds(r->n);
	report->elapsed_ns = pl_tool_clock_ns() - begun_ns;
	return status;
}

int pl_mpi_run(MPI_Comm comm, const struct pl_hosts *hosts,
	       const struct pl_mpi_options *options, struct pl_matrix **matrix,
	       struct pl_mpi_report *report, struct pl_err *err)
{
	struct run r;
	int status;

	*matrix = NULL;
	*report = (struct pl_mpi_report){0};
	if (init(&r, comm, options))
		status = pl_err_nomem(err);
	else if (r.self == 0)
		status = run_first(&r, hosts, matrix, report, err);
	else if (measure(&r) || gather(&r, NULL, report))
		status = pl_err_nomem(err);
	else
		status = 0;
	fini(&r);
	return status;
}
