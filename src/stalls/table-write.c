/* SPDX-License-Identifier: BSD-3-Clause */
/* table-write.c - the table of stalls, as text and as JSON */
#include "config.h"

#include "src/stalls/table.h"

#include "base/text/size.h"
#include "planner/stalls/advice.h"
#include "planner/stalls/parts.h"
#include "src/common/json.h"
#include "src/stalls/stalls.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_CHARS 64

const char *stalls_table_machine(const struct pl_stall_run *run, bool apart)
{
	return apart && run->apart ? run->apart : run->machine;
}

static void name_row(char cell[CELL_CHARS], const struct pl_stall_run *run, bool apart)
{
	if (apart)
		snprintf(cell, CELL_CHARS, "%" PRIu64 " x %.40s", run->machines,
			 stalls_table_machine(run, true));
	else
		snprintf(cell, CELL_CHARS, "%.60s", run->machine);
}

bool stalls_table_apart(const struct pl_stall_run *run)
{
	return !isnan(run->t_s[PL_STALL_T5]);
}

struct widths {
	int model, machine;
};

static struct widths find_widths(const struct pl_stall_runs *runs)
{
	struct widths w = {.model = 5, .machine = 7};
	char cell[CELL_CHARS];

	for (size_t i = 0; i < runs->n; i++) {
		const int model = (int)strlen(runs->v[i].model);

		w.model = model > w.model ? model : w.model;
		for (int apart = 0; apart <= stalls_table_apart(&runs->v[i]); apart++) {
			name_row(cell, &runs->v[i], apart);
			if ((int)strlen(cell) > w.machine)
				w.machine = (int)strlen(cell);
		}
	}
	return w;
}

static void put_share(double share, int width, FILE *out)
{
	char cell[CELL_CHARS] = "-";

	if (!isnan(share))
		snprintf(cell, sizeof(cell), "%+.1f%%", 100 * share);
	fprintf(out, "  %*s", width, cell);
}

static void put_time(double s, bool added, int width, FILE *out)
{
	char cell[CELL_CHARS] = "-", time[PL_TIME_CHARS];

	if (!isnan(s))
		snprintf(cell, sizeof(cell), "%s%s", added ? "~" : "", pl_time_format(time, s));
	fprintf(out, "  %*s", width, cell);
}

static void put_row(const struct stalls_table *t, const struct pl_stall_run *run, bool apart,
		    struct widths w, FILE *out)
{
	const struct pl_stall_parts p = pl_stall_parts_of(run);
	const struct pl_stall_epoch e = pl_stall_epoch_of(
		run, apart, stalls_table_price(t, stalls_table_machine(run, apart)));
	const enum pl_stall_step step = apart ? PL_STALL_T5 : e.step;
	char cell[CELL_CHARS];

	name_row(cell, run, apart);
	fprintf(out, "%-*s  %-*s  %4" PRIu64, w.model, apart ? "" : run->model, w.machine, cell,
		run->gpus);
	put_time(pl_stall_seconds(run, step), false, 8, out);
	fprintf(out, " %s", isnan(pl_stall_seconds(run, step)) ? "  " : pl_stall_step_name(step));
	put_share(apart ? NAN : p.share[PL_STALL_INTERCONNECT], 12, out);
	put_share(apart ? p.share[PL_STALL_NETWORK] : NAN, 8, out);
	put_share(apart ? NAN : p.share[PL_STALL_PREP], 7, out);
	put_share(apart ? NAN : p.share[PL_STALL_FETCH], 7, out);
	put_time(e.s, e.added, 9, out);
	if (isnan(e.dollars))
		fputs("        -\n", out);
	else
		fprintf(out, "  %s$%.*f\n", e.added ? "~" : "", e.dollars < 1 ? 4 : 2, e.dollars);
}

int stalls_table_text(const void *table, FILE *out, struct pl_err *err)
{
	const struct stalls_table *t = table;
	const struct widths w = find_widths(&t->runs);

	fprintf(out,
		"%-*s  %-*s  GPUs      step     interconnect   network     prep    fetch      "
		"epoch     cost\n",
		w.model, "model", w.machine, "machine");
	for (size_t i = 0; i < t->runs.n; i++)
		for (int apart = 0; apart <= stalls_table_apart(&t->runs.v[i]); apart++)
			put_row(t, &t->runs.v[i], apart, w, out);
	for (size_t i = 0; i < t->runs.n; i++) {
		const struct pl_stall_run *run = &t->runs.v[i];

		fprintf(out, "\n%s on %s\n", run->model, run->machine);
		pl_stall_advise(run, "  ", out);
	}
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static json_t *steps(const struct pl_stall_run *run)
{
	json_t *all = json_object();

	for (int i = 0; i < PL_STALL_STEPS; i++)
		pl_obj_set(&all, pl_stall_step_name((enum pl_stall_step)i),
			   pl_tool_json_number(run->t_s[i]));
	return all;
}

static json_t *stalls(const struct pl_stall_run *run)
{
	const struct pl_stall_parts p = pl_stall_parts_of(run);
	json_t *all = json_object();

	for (int i = 0; i < PL_STALLS; i++)
		pl_obj_set(&all, pl_stall_name((enum pl_stall)i),
			   json_pack("{so so so}", "s", pl_tool_json_number(p.s[i]), "share",
				     pl_tool_json_number(p.share[i]), "error_s",
				     p.error_s[i] > 0 ? pl_tool_json_number(p.error_s[i])
						      : json_null()));
	return all;
}

static json_t *epoch(const struct stalls_table *t, const struct pl_stall_run *run, bool apart)
{
	const char *machine = stalls_table_machine(run, apart);
	const double price = stalls_table_price(t, machine);
	const struct pl_stall_epoch e = pl_stall_epoch_of(run, apart, price);

	return json_pack("{so sI so so so sb}", "instance", pl_tool_json_text(machine), "count",
			 (json_int_t)(apart ? run->machines : 1), "price_per_hour",
			 pl_tool_json_number(price), "epoch_s", pl_tool_json_number(e.s),
			 "epoch_dollars", pl_tool_json_number(e.dollars), "estimated", e.added);
}

/* An array of the lines of advice. */
static json_t *advice(const struct pl_stall_run *run)
{
	json_t *all = json_array();
	char *text = NULL, *rest, *line;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (out)
		pl_stall_advise(run, "", out);
	if (!out || fclose(out)) {
		json_decref(all);
		free(text);
		return NULL;
	}
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			pl_list_add(&all, pl_tool_json_text(line));
	free(text);
	return all;
}

static json_t *one(const struct stalls_table *t, const struct pl_stall_run *run)
{
	return json_pack("{so sI sI sI so so so so so}", "model", pl_tool_json_text(run->model),
			 "gpus", (json_int_t)run->gpus, "batch", (json_int_t)run->batch, "samples",
			 (json_int_t)run->samples, "steps_s", steps(run), "stalls", stalls(run),
			 "machine", epoch(t, run, false), "apart",
			 stalls_table_apart(run) ? epoch(t, run, true) : json_null(), "advice",
			 advice(run));
}

int stalls_table_json(const void *table, FILE *out, struct pl_err *err)
{
	const struct stalls_table *t = table;
	json_t *all = json_array();

	for (size_t i = 0; i < t->runs.n; i++)
		pl_list_add(&all, one(t, &t->runs.v[i]));
	return pl_tool_json_write(STALLS_TOOL, json_pack("{so}", "runs", all), out, err);
}
