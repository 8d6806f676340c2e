/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - a prediction for people */
#include "config.h"

#include "src/srift/predict.h"

#include "base/text/size.h"
#include "src/srift/network.h"
#include "src/srift/units.h"

#include <inttypes.h>
#include <math.h>

static void write_job(const struct srift_prediction *p, FILE *out)
{
	const size_t n_machines = pl_selection_machines(&p->sel);
	const size_t n_ranks = pl_selection_ranks(&p->sel);

	fprintf(out, "%s: %zu machine%s, %zu rank%s, %" PRIu64 " samples\n", p->profile.model,
		n_machines, n_machines == 1 ? "" : "s", n_ranks, n_ranks == 1 ? "" : "s",
		pl_selection_batch(&p->sel));
	for (size_t i = 0; i < p->sel.n_parts; i++) {
		const struct pl_selection_part *part = &p->sel.part[i];

		fprintf(out,
			"  %zu x %s: %" PRIu64
			" samples each, forward %s, backward %s, straggler %g\n",
			part->count, part->instance->name, part->batch,
			PL_TIME_TEXT(part->forward_s - pl_selection_data_s(part)),
			PL_TIME_TEXT(part->backward_s), part->instance->straggler);
	}
}

static void write_exchange(const struct pl_iteration *it, FILE *out)
{
	if (it->buckets.n == 0) {
		fprintf(out, "exchange   none\n");
		return;
	}
	fprintf(out,
		"exchange   %s from the beginning of the backward pass: %zu all-reduce%s of %.6g "
		"MB in all, up to %zu at once, together at most %.6g GB/s\n",
		PL_TIME_TEXT(it->exchange_s), it->buckets.n, it->buckets.n == 1 ? "" : "s",
		(double)it->bytes / 1e6, it->exchange.most_at_once, it->cap_bytes_per_s / 1e9);
}

static void write_cost(const struct srift_prediction *p, const struct pl_iteration *it, FILE *out)
{
	const struct srift_options *o = p->o;
	const double s = it->seconds;

	if (o->prices)
		fprintf(out, "cost       %s for 1000 iterations, at %s an hour\n",
			SRIFT_MONEY(pl_selection_cost(&p->sel, 1000 * s)),
			SRIFT_MONEY(pl_selection_per_hour(&p->sel)));
	if (!o->iterations)
		return;
	fprintf(out, "job        %s for %" PRIu64 " iterations",
		PL_TIME_TEXT(s * (double)o->iterations), o->iterations);
	if (o->prices)
		fprintf(out, ", %s",
			SRIFT_MONEY(pl_selection_cost(&p->sel, s * (double)o->iterations)));
	fputc('\n', out);
}

static void write_interpolated(const struct srift_prediction *p, FILE *out)
{
	size_t between[2];

	if (pl_busbw_between(&p->table, pl_selection_ranks(&p->sel), between))
		fprintf(out, "network    interpolated between %zu and %zu ranks\n", between[0],
			between[1]);
}

static void write_iteration(const struct srift_prediction *p, const struct pl_iteration *it,
			    FILE *out)
{
	write_exchange(it, out);
	write_interpolated(p, out);
	srift_write_rated(p->o, out);
	fprintf(out, "iteration  %s, of which %s wait for the exchange; %.6g samples/s\n",
		PL_TIME_TEXT(it->seconds),
		PL_TIME_TEXT(it->seconds - it->forward_s - it->backward_s),
		(double)pl_selection_batch(&p->sel) / it->seconds);
	write_cost(p, it, out);
}

/* What the hubs gain. */
static void write_hubs(const struct srift_prediction *p, FILE *out)
{
	const struct pl_selection *sel = &p->sel;
	struct pl_selection alone = *sel;
	const double with_s = p->it.seconds, alone_s = p->alone.seconds;

	alone.n_hubs = 0;
	fprintf(out, "hubs       ");
	if (with_s < alone_s)
		fprintf(out, "%zu%s%s: %.3g times as fast as without", sel->n_hubs,
			sel->hub ? " of " : "", sel->hub ? sel->hub : "", alone_s / with_s);
	else
		fprintf(out, "gain nothing: as fast as without");
	fprintf(out, ", where the exchange takes %s, the iteration %s",
		PL_TIME_TEXT(p->alone.exchange_s), PL_TIME_TEXT(alone_s));
	if (p->o->prices)
		fprintf(out, ", and 1000 iterations cost %s",
			SRIFT_MONEY(pl_selection_cost(&alone, 1000 * alone_s)));
	fputc('\n', out);
}

static void write_step(const struct srift_prediction *p, FILE *out)
{
	srift_step_write(&p->step, out);
	fprintf(out, "step       %s; %.6g samples/s\n", PL_TIME_TEXT(p->it.seconds),
		(double)pl_selection_batch(&p->sel) / p->it.seconds);
	write_cost(p, &p->it, out);
}

static void write_gain(const struct srift_prediction *p, FILE *out)
{
	const double gain_s = p->given.seconds - p->it.seconds;
	const double jobs = p->o->iterations ? (double)p->o->iterations : 1;

	fprintf(out, "the order %s %s of each iteration, %.3g %%", gain_s < 0 ? "loses" : "saves",
		PL_TIME_TEXT(fabs(gain_s)), 100 * fabs(gain_s) / p->given.seconds);
	if (p->o->iterations)
		fprintf(out, "; %s of the job", PL_TIME_TEXT(fabs(gain_s) * jobs));
	if (p->o->prices)
		fprintf(out, ", %s", SRIFT_MONEY(pl_selection_cost(&p->sel, fabs(gain_s) * jobs)));
	fputc('\n', out);
}

int srift_write_text(const struct srift_prediction *p, FILE *out, struct pl_err *err)
{
	const struct pl_iteration *it = &p->it;

	write_job(p, out);
	fprintf(out,
		"forward    %s of the slowest machine (%zu draws, seed %" PRIu64
		": %.4g times the mean)\n"
		"backward   %s\n",
		PL_TIME_TEXT(it->forward_s - it->prep_s - it->fetch_s), p->o->iteration.draws,
		p->o->iteration.seed, it->slowness, PL_TIME_TEXT(it->backward_s));
	if (p->has_given && !p->o->job) {
		fprintf(out, "given order\n");
		write_iteration(p, &p->given, out);
		fprintf(out, "found order\n");
	}
	if (p->o->job)
		write_step(p, out);
	else
		write_iteration(p, it, out);
	srift_terms_write(&p->terms, p->sel.n_hubs > 0, out);
	if (p->sel.n_hubs)
		write_hubs(p, out);
	if (p->has_given)
		write_gain(p, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}
