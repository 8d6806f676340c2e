/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-text.c - --predict as a table, and advice from it */
#include "config.h"

#include "src/order/output.h"

#include "base/text/size.h"
#include "costmodels/catalogue.h"
#include "src/order/setting.h"

#include <math.h>
#include <string.h>

#define MS 1e3

static void write_rate(const char *what, double bps, FILE *out)
{
	if (bps > 0)
		fprintf(out, ", %s %.10g Mbit/s", what, bps / 1e6);
}

static void write_head(const struct pl_reorder_answer *a, int width, FILE *out)
{
	const struct pl_reorder_forecast *f = a->forecast;

	fprintf(out, "# %s of %s, %zu ranks on %zu hosts, %s",
		pl_collective_name(a->o->request.what.a->collective),
		pl_impl_name(a->o->request.what.a->impl), f->n_ranks, f->n_hosts, f->protocol.name);
	if (pl_collective_has_root(a->o->request.what.a->collective))
		fprintf(out, ", root %zu", a->o->request.what.root);
	if (f->n_racks)
		fprintf(out, ", %zu racks", f->n_racks);
	write_rate("cards of", a->o->request.nic_bps, out);
	write_rate("uplinks of", a->o->request.uplink_bps, out);
	if (!f->has_rates)
		fputs("\n# neither the matrix nor --nic tells a rate", out);
	fprintf(out, "\n%-8s %-*s %11s %11s %7s  %s\n", "size", width, "algorithm", "given ms",
		"found ms", "gain", "waits for");
}

const char *pl_reorder_with_taken(char buf[PL_REORDER_ROW_NAME], const char *name,
				  const struct pl_algorithm *taken)
{
	snprintf(buf, PL_REORDER_ROW_NAME, "%s%s%s%s", name, taken ? " (" : "",
		 taken ? taken->name : "", taken ? ")" : "");
	return buf;
}

static const char *row_name(char buf[PL_REORDER_ROW_NAME], const struct pl_reorder_row *row)
{
	return pl_reorder_with_taken(buf, row->what.name, row->taken);
}

/* The width of the column of names. */
static int name_width(const struct pl_reorder_forecast *f)
{
	char name[PL_REORDER_ROW_NAME];
	size_t most = 28;

	for (size_t i = 0; i < f->n_sizes * f->n_algorithms; i++) {
		const size_t len = strlen(row_name(name, &f->row[i]));

		most = len > most ? len : most;
	}
	return (int)most;
}

static void write_row(const struct pl_reorder_row *row, const char *size, int width, FILE *out)
{
	const struct pl_order_time *found = &row->found;
	char name[PL_REORDER_ROW_NAME];

	fprintf(out, "%-8s %-*s ", size, width, row_name(name, row));
	if (*row->why) {
		fprintf(out, "%11s %11s %7s  %s\n", "-", "-", "-", row->why);
		return;
	}
	fprintf(out, "%11.3f %11.3f %5.1f %%  ", MS * row->given.seconds, MS * found->seconds,
		pl_order_gain(row->given.seconds, found->seconds));
	if (found->share > 0)
		fprintf(out, "%s %.0f %%\n", pl_bound_name(found->bound), 100 * found->share);
	else
		fputs("-\n", out);
}

static double least(const struct pl_reorder_row *row)
{
	return fmin(row->given.seconds, row->found.seconds);
}

/* The library's own choice was determined for the order that is written. */
static const char *own_order(const struct pl_reorder_row *row)
{
	return row->taken ? "the order found" : "an order of its own";
}

/* The library's own choice, if it is known. */
static void write_default(const struct pl_reorder_row *row, FILE *out)
{
	if (row)
		fprintf(out, "; left alone it takes %s: %.3f ms in the given order, %.3f ms in %s",
			row->taken ? row->taken->name : row->what.name, MS * row->given.seconds,
			MS * row->found.seconds, own_order(row));
	fputc('\n', out);
}

/* The setting that gains most at this size, if it beats the best row without a setting. */
static void write_eager(const struct pl_reorder_answer *a, size_t size, double best_s, FILE *out)
{
	const struct pl_reorder_forecast *f = a->forecast;
	const struct pl_reorder_row *found = NULL;
	char setting[PL_SETTING_CHARS], force[PL_REORDER_SETTING];

	for (size_t i = 0; i < f->n_algorithms; i++) {
		const struct pl_reorder_row *row = &f->row[size * f->n_algorithms + i];

		if (pl_reorder_counts(f, row) && row->eager_bytes &&
		    (!found || row->raised_found.seconds < found->raised_found.seconds))
			found = row;
	}
	if (!found || !pl_reorder_worth(found->raised_found.seconds, best_s))
		return;
	pl_reorder_row_setting(force, &a->o->mpi, found);
	fprintf(out, "#   %s in its own order would take %.3f ms with: %s%s%s\n", found->what.name,
		MS * found->raised_found.seconds, pl_reorder_eager_setting(setting, found),
		*force ? " " : "", force);
}

static void write_advice(const struct pl_reorder_answer *a, size_t size, const char *size_name,
			 FILE *out)
{
	const struct pl_reorder_forecast *f = a->forecast;
	const struct pl_reorder_row *own = pl_reorder_default(f, size);
	char setting[PL_REORDER_SETTING];
	bool given = true;
	const struct pl_reorder_row *best = pl_reorder_best(f, size, &given);

	if (!best)
		return;
	fprintf(out, "# %s: best is %s in %s, %.3f ms", size_name, best->what.name,
		given ? "the given order" : own_order(best), MS * least(best));
	write_default(own == best ? NULL : own, out);
	pl_reorder_row_setting(setting, &a->o->mpi, best);
	if (own && *setting && pl_reorder_worth(least(best), least(own)))
		fprintf(out, "#   which is taken with: %s\n", setting);
	write_eager(a, size, least(best), out);
}

/* The size of a row as people write it; a barrier has none. */
static const char *size_name(char buf[PL_SIZE_CHARS], const struct pl_reorder_row *row)
{
	return row->what.has_size ? pl_size_format(buf, row->what.bytes) : "-";
}

void pl_reorder_write_forecast(const struct pl_reorder_answer *a, FILE *out)
{
	const struct pl_reorder_forecast *f = a->forecast;
	const int width = name_width(f);
	char size[PL_SIZE_CHARS];

	write_head(a, width, out);
	for (size_t i = 0; i < f->n_sizes * f->n_algorithms; i++)
		write_row(&f->row[i], size_name(size, &f->row[i]), width, out);
	for (size_t s = 0; s < f->n_sizes; s++)
		write_advice(a, s, size_name(size, &f->row[s * f->n_algorithms]), out);
}
