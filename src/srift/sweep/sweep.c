/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c - what each number of machines of each type would do */
#include "config.h"

#include "src/srift/sweep/sweep.h"

#include "base/mem.h"
#include "base/text/outfile.h"
#include "planner/srift/iteration/iteration.h"
#include "src/srift/verbs.h"

#include <inttypes.h>
#include <stdlib.h>

/* A number of machines that has no row, and why; the first of a type. */
struct left_out {
	size_t n, first;
	struct pl_err why;
};

static void leave_out(struct left_out *left, size_t machines, const struct pl_err *why)
{
	if (left->n++ > 0)
		return;
	left->first = machines;
	left->why = *why;
}

static void say_left_out(const struct left_out *left, const struct srift_sweep_row *row)
{
	if (left->n > 0)
		srift_say("%s, %s scaling: %zu number%s of machines left out, the first %zu: %s",
			  row->type->instance->name, row->strong ? "strong" : "weak", left->n,
			  left->n == 1 ? "" : "s", left->first, left->why.text);
}

/* The largest batch, or the one that is asked for. */
static uint64_t samples_each(const struct srift_sweep *w, const struct pl_market_type *type)
{
	return w->s->samples ? w->s->samples : type->batch[type->n_batches - 1];
}

static int select_machines(struct pl_selection *sel, const struct srift_sweep *w,
			   const struct srift_sweep_row *row, struct pl_err *err)
{
	const char *name = row->type->instance->name;
	char *choice = NULL;
	int rc;

	if (row->machines > row->type->available)
		return pl_err_set(err, PL_EUSAGE, "there are %zu", row->type->available);
	if ((row->strong ? asprintf(&choice, "%zux%s", row->machines, name)
			 : asprintf(&choice, "%zux%s@%" PRIu64, row->machines, name,
				    samples_each(w, row->type))) < 0)
		return pl_err_nomem(err);
	rc = pl_selection_parse(sel, choice, row->strong ? w->s->o.batch : 0, &w->profile, err);
	free(choice);
	return rc;
}

/* Fills in the rest of a row. 0, or -1 with @err set. */
static int predict(const struct srift_sweep *w, struct srift_sweep_row *row, struct pl_err *err)
{
	const size_t which = (size_t)(row->type - w->market.type);
	const struct pl_comm *comm = &w->network.comm[w->network.n_comms > 1 ? which : 0];
	struct pl_selection sel = {0};
	struct pl_iteration it = {0};
	size_t between[2];
	int rc = select_machines(&sel, w, row, err);

	if (rc == 0)
		rc = pl_iterate(&it, &w->profile, &sel, comm, &w->s->o.iteration, err);
	if (rc == 0) {
		row->ranks = pl_selection_ranks(&sel);
		row->samples = pl_selection_batch(&sel);
		row->iteration_s = it.seconds;
		row->samples_per_s = (double)row->samples / it.seconds;
		row->per_hour = pl_market_price(row->type, row->machines);
		row->interpolated = row->ranks > 1 &&
				    srift_network_between(&w->network, which, row->ranks, between);
	}
	pl_iteration_fini(&it);
	pl_selection_fini(&sel);
	return rc;
}

/* The rows of a type in one scaling. 0, or -1 with @err set. */
static int sweep_type(struct srift_sweep *w, const struct pl_market_type *type, bool strong,
		      struct pl_err *err)
{
	struct srift_sweep_row row = {.strong = strong, .type = type};
	struct srift_sweep_row *first = &w->row[w->n_rows];
	struct left_out left = {.n = 0};

	for (size_t i = 0; i < w->s->machines.n; i++) {
		row.machines = w->s->machines.v[i];
		if (predict(w, &row, err)) {
			if (err->code != PL_EUSAGE)
				return -1;
			leave_out(&left, row.machines, err);
			continue;
		}
		w->row[w->n_rows] = row;
		w->row[w->n_rows].efficiency =
			row.samples_per_s / (double)row.ranks /
			(w->row + w->n_rows == first ? row.samples_per_s / (double)row.ranks
						     : first->samples_per_s / (double)first->ranks);
		w->n_rows++;
	}
	say_left_out(&left, &row);
	return 0;
}

static int sweep(struct srift_sweep *w, struct pl_err *err)
{
	const struct srift_options *o = &w->s->o;
	const int n_scalings = o->batch ? 2 : 1;

	if (srift_profile_load(&w->profile, o, err) ||
	    pl_catalogue_read(&w->catalogue, w->s->catalogue, err) ||
	    pl_market_init(&w->market, &w->profile, &w->catalogue, &w->s->rule, err) ||
	    srift_network_read(&w->network, o, &w->market, err))
		return -1;
	w->row = pl_array_create((size_t)n_scalings * w->market.n_types * w->s->machines.n,
				 sizeof(*w->row));
	if (!w->row)
		return pl_err_nomem(err);
	for (int strong = 0; strong < n_scalings; strong++)
		for (size_t i = 0; i < w->market.n_types; i++)
			if (sweep_type(w, &w->market.type[i], strong, err))
				return -1;
	if (w->n_rows > 0)
		return 0;
	return pl_err_set(err, PL_EPARTIAL, "no number of machines can be predicted");
}

double srift_sweep_per_dollar(const struct srift_sweep_row *row)
{
	return row->samples_per_s * 3600 / row->per_hour;
}

static int write_all(const struct srift_sweep *w, struct pl_err *err)
{
	const struct srift_options *o = &w->s->o;
	struct pl_outfile out = {0}, csv = {0};
	int rc = pl_outfile_open(&out, o->output, err);

	if (rc == 0 && w->s->csv)
		rc = pl_outfile_open(&csv, w->s->csv, err);
	if (rc == 0 && o->json)
		rc = srift_sweep_json(w, out.f, err);
	else if (rc == 0)
		srift_sweep_text(w, out.f);
	if (rc == 0 && w->s->csv)
		srift_sweep_csv(w, csv.f);
	/* (sync does nothing for what is not open) */
	if (rc == 0 &&
	    (pl_outfile_sync(&out, err) || pl_outfile_sync(&csv, err) ||
	     (w->s->csv && pl_outfile_commit(&csv, err)) || pl_outfile_commit(&out, err)))
		rc = -1;
	pl_outfile_abort(&csv);
	pl_outfile_abort(&out);
	return rc;
}

int srift_sweep_main(int argc, char **argv)
{
	struct srift_sweep_options options;
	struct srift_sweep w = {.s = &options};
	struct pl_err err = {0};
	const int status = srift_sweep_options_parse(&options, argc, argv);
	int rc;

	if (status != PL_EXIT_DONE || options.o.done)
		return status;
	rc = sweep(&w, &err) || write_all(&w, &err);
	free(w.row);
	srift_network_fini(&w.network);
	pl_catalogue_fini(&w.catalogue);
	pl_profile_fini(&w.profile);
	return rc ? pl_tool_fail(SRIFT_TOOL, &err) : pl_tool_end_output(SRIFT_TOOL);
}
