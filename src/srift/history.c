/* SPDX-License-Identifier: BSD-3-Clause */
/* history.c - journals of earlier jobs: read, and told */
#include "config.h"

#include "src/srift/history.h"

#include "base/text/size.h"
#include "src/common/json.h"

int srift_history_read(struct pl_history *h, const struct srift_histories *from, struct pl_err *err)
{
	for (size_t i = 0; i < from->n; i++)
		if (pl_history_read(h, from->file[i], err))
			return -1;
	return 0;
}

void srift_write_launch(const struct pl_replan_times *times, FILE *out)
{
	fputs(PL_TIME_TEXT(times->launch_s), out);
	if (times->launch_from == PL_TIME_MEASURED)
		fprintf(out, " (mean of %zu launch%s)", times->n_launches,
			times->n_launches == 1 ? "" : "es");
	else
		fprintf(out, " (%s)", pl_time_origin_name[times->launch_from]);
}

/* Losses come at a constant rate, as far as these few tell. */
static double life_s(const struct pl_history_kind *kind)
{
	return kind->held_s / (double)kind->n_lost;
}

static const char *kind_name(const struct pl_history_kind *kind)
{
	return kind->spot ? "spot" : "on-demand";
}

static void write_kind(const struct pl_history_kind *kind, FILE *out)
{
	fprintf(out, "history    %s %s: ", kind->type, kind_name(kind));
	if (kind->launch.n)
		fprintf(out, "up after %s (mean of %zu), ",
			PL_TIME_TEXT(pl_history_mean_s(&kind->launch)), kind->launch.n);
	fprintf(out, "%zu of %zu lost in %s", kind->n_lost, kind->n_machines,
		PL_TIME_TEXT(kind->held_s));
	if (kind->n_lost)
		fprintf(out, ", one in %s", PL_TIME_TEXT(life_s(kind)));
	fputc('\n', out);
}

void srift_write_history(const struct pl_history *h, FILE *out)
{
	for (size_t i = 0; i < h->n; i++)
		write_kind(&h->kind[i], out);
	if (h->save.n)
		fprintf(out, "history    the model is saved %s after a loss (mean of %zu)\n",
			PL_TIME_TEXT(pl_history_mean_s(&h->save)), h->save.n);
}

static json_t *kind_json(const struct pl_history_kind *kind)
{
	return json_pack("{so ss so sI sI sI sf so}", "type", pl_tool_json_text(kind->type), "kind",
			 kind_name(kind), "launch_s",
			 pl_tool_json_number(pl_history_mean_s(&kind->launch)), "launches",
			 (json_int_t)kind->launch.n, "machines", (json_int_t)kind->n_machines,
			 "lost", (json_int_t)kind->n_lost, "held_s", kind->held_s, "life_s",
			 kind->n_lost ? json_real(life_s(kind)) : json_null());
}

json_t *srift_history_json(const struct pl_history *h)
{
	json_t *all = json_array();

	for (size_t i = 0; i < h->n; i++)
		pl_list_add(&all, kind_json(&h->kind[i]));
	return json_pack("{so sI so}", "save_s", pl_tool_json_number(pl_history_mean_s(&h->save)),
			 "saves", (json_int_t)h->save.n, "machines", all);
}
