/* SPDX-License-Identifier: BSD-3-Clause */
/* risk-write.c - choices of machines, some of which are taken away, told */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/text/size.h"
#include "src/common/json.h"
#include "src/srift/units.h"

#include <math.h>

#define PERCENT 100

static const char *remark(const struct srift_advice *a, const struct srift_row *row)
{
	const struct srift_risks *r = &a->risks;

	if (row == &r->row[r->chosen])
		return "  <- recommended";
	if (isnan(row->risk.mean_s))
		return "  does not always end";
	return row->allowed ? "" : "  misses a limit";
}

static void write_row(const struct srift_advice *a, const struct srift_row *row, FILE *out)
{
	const struct pl_risk *risk = &row->risk;
	const bool ends = isfinite(risk->mean_s);

	fprintf(out, "  %8s %8s %10s %10s %6.4g ", ends ? PL_TIME_TEXT(risk->mean_s) : "-",
		isfinite(risk->p_s) ? PL_TIME_TEXT(risk->p_s) : "-",
		ends ? SRIFT_MONEY(risk->mean_dollars) : "-",
		isfinite(risk->p_dollars) ? SRIFT_MONEY(risk->p_dollars) : "-", risk->losses);
	if (risk->interval > 0)
		fprintf(out, "%10.0f", risk->interval);
	else
		fprintf(out, "%10s", "-");
	fprintf(out, " %5zu  ", risk->n_spot);
	srift_write_choice(&a->market, &row->quote.choice, out);
	fprintf(out, "%s\n", remark(a, row));
}

void srift_write_risks(const struct srift_advice *a, FILE *out)
{
	const struct srift_risks *r = &a->risks;
	char share[16];

	if (r->n_rows == 0)
		return;
	snprintf(share, sizeof(share), "%.4g %%", PERCENT * r->rules.p);
	fprintf(out,
		"losses     mean and %s of %zu replays; a checkpoint takes %s\n"
		"  %8s %8s %10s %10s %6s %10s %5s\n",
		share, r->rules.n_replays, PL_TIME_TEXT(r->rules.save_s), "time", share, "cost",
		share, "lost", "saved each", "spot");
	for (size_t i = 0; i < r->n_rows; i++)
		write_row(a, &r->row[i], out);
}

static json_t *row_json(const struct srift_advice *a, const struct srift_row *row)
{
	const struct pl_risk *risk = &row->risk;
	json_t *all =
		srift_quote_json(a, row->on_demand ? &a->risks.on_demand : &a->market, &row->quote);

	pl_obj_set(&all, "mean_s", pl_tool_json_number(risk->mean_s));
	pl_obj_set(&all, "quantile_s", pl_tool_json_number(risk->p_s));
	pl_obj_set(&all, "mean_cost", pl_tool_json_number(risk->mean_dollars));
	pl_obj_set(&all, "quantile_cost", pl_tool_json_number(risk->p_dollars));
	pl_obj_set(&all, "lost", json_real(risk->losses));
	pl_obj_set(&all, "interval", json_real(risk->interval));
	pl_obj_set(&all, "quantiles_within_limits", json_boolean(row->allowed));
	return all;
}

json_t *srift_risks_json(const struct srift_advice *a)
{
	const struct srift_risks *r = &a->risks;
	json_t *rows = json_array();

	if (r->n_rows == 0) {
		json_decref(rows);
		return json_null();
	}
	for (size_t i = 0; i < r->n_rows; i++)
		pl_list_add(&rows, row_json(a, &r->row[i]));
	return json_pack("{sf sI sf sI so}", "confidence", r->rules.p, "replays",
			 (json_int_t)r->rules.n_replays, "save_s", r->rules.save_s, "recommended",
			 (json_int_t)r->chosen, "choices", rows);
}
