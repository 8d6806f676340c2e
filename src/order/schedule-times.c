/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-times.c - what the all-reduces of a schedule take
 * (--predict=FILE) */
#include "config.h"

#include "src/order/schedule-times.h"

#include "base/mem.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "base/text/text.h"
#include "engine/schedule-pattern.h"
#include "order/calls/forecaster.h"
#include "src/common/json.h"
#include "src/common/tool.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)64 << 20)
#define MS 1e3

struct row {
	uint64_t bytes;
	const struct pl_schedule *schedule; /* NULL: there is none */
	struct pl_order_time time;
	bool guessed; /* it depends on rates that are not known */
};

struct times {
	const struct pl_order_input *in;
	const struct pl_reorder_options *o;
	struct pl_schedules schedules;
	struct pl_order_forecaster caster;
	struct pl_protocol protocol;
	size_t *rank_at; /* [n_members] the input's host of each */
	size_t n_ranks;
	size_t n_members; /* ranks and aggregators */
	struct row row[PL_ORDER_SIZES_MAX];
};

static int read_schedules(struct times *t, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, t->o->schedule, FILE_MAX, err))
		return -1;
	rc = pl_schedules_parse(&t->schedules, &text, err);
	pl_text_fini(&text);
	return rc ? -1 : pl_schedules_add_up(&t->schedules, err);
}

/* The input's host of that name; NULL with @err set. */
static const struct pl_host *find_host(const struct times *t, const char *name, struct pl_err *err)
{
	const struct pl_hosts *hosts = &t->in->hosts;

	for (size_t h = 0; h < hosts->n; h++)
		if (!strcmp(hosts->v[h].name, name))
			return &hosts->v[h];
	pl_err_set(err, PL_EINPUT, "%s: host \"%s\" is not one of those given", t->o->schedule,
		   name);
	return NULL;
}

static int seat_ranks(struct times *t, struct pl_err *err)
{
	const struct pl_hosts *hosts = &t->schedules.job.hosts;
	size_t rank = 0;

	t->n_ranks = pl_hosts_ranks(hosts);
	t->n_members = pl_schedules_members(&t->schedules);
	t->rank_at = pl_array_create(t->n_members, sizeof(*t->rank_at));
	if (!t->rank_at)
		return pl_err_nomem(err);
	for (size_t k = 0; k < hosts->n; k++) {
		const struct pl_host *found = find_host(t, hosts->v[k].name, err);

		if (!found)
			return -1;
		for (int i = 0; i < hosts->v[k].slots; i++)
			t->rank_at[rank++] = (size_t)(found - t->in->hosts.v);
	}
	for (size_t k = 0; k < t->schedules.n_aggregators; k++) {
		const struct pl_host *found = find_host(t, t->schedules.aggregator[k], err);

		if (!found)
			return -1;
		t->rank_at[rank++] = (size_t)(found - t->in->hosts.v);
	}
	return 0;
}

static int time_row(struct times *t, struct row *row, struct pl_err *err)
{
	struct pl_pattern p = {0};
	int rc;

	row->schedule = pl_schedules_find(&t->schedules, row->bytes);
	if (!row->schedule)
		return 0;
	rc = pl_schedule_pattern(&p, row->schedule, t->n_members, row->bytes, err);
	if (rc == 0)
		rc = pl_order_time_ranks(&t->caster, &p, t->rank_at, &t->protocol, &row->time, err);
	if (rc == 0)
		rc = pl_order_guessed_ranks(&t->caster, &p, t->rank_at, &t->protocol,
					    row->time.seconds, &row->guessed, err);
	pl_pattern_fini(&p);
	return rc;
}

static int fill(struct times *t, const struct pl_stop *stop, struct pl_err *err)
{
	int rc = 0;

	if (read_schedules(t, err) || seat_ranks(t, err) ||
	    pl_order_forecaster_init(&t->caster, t->in, &t->o->request, err) ||
	    pl_protocol_find("engine-tcp", &t->protocol, err))
		return -1;
	t->caster.stop = stop->flag;
	for (size_t i = 0; rc == 0 && i < t->o->request.n_sizes; i++) {
		t->row[i].bytes = t->o->request.size_bytes[i];
		rc = time_row(t, &t->row[i], err);
	}
	return rc;
}

static void write_table(const struct times *t, FILE *out)
{
	char size[PL_SIZE_CHARS];

	fprintf(out, "# allreduce of a schedule, %zu ranks on %zu hosts, %s\n", t->n_ranks,
		t->schedules.job.hosts.n, t->protocol.name);
	if (!pl_order_forecaster_has_rates(&t->caster))
		fputs("# neither the matrix nor --nic tells a rate\n", out);
	fprintf(out, "%-8s %-28s %11s  %s\n", "size", "algorithm", "ms", "waits for");
	for (size_t i = 0; i < t->o->request.n_sizes; i++) {
		const struct row *row = &t->row[i];

		fprintf(out, "%-8s ", pl_size_format(size, row->bytes));
		if (!row->schedule)
			fprintf(out, "%-28s %11s  no schedule\n", "-", "-");
		else if (row->guessed)
			fprintf(out, "%-28s %11s  %s\n", row->schedule->algorithm, "-",
				PL_ORDER_GUESSED);
		else
			fprintf(out, "%-28s %11.3f  %s %.0f %%\n", row->schedule->algorithm,
				MS * row->time.seconds, pl_bound_name(row->time.bound),
				100 * row->time.share);
	}
}

static json_t *row_json(const struct row *row)
{
	if (!row->schedule)
		return json_pack("{s:o, s:n}", "size", pl_tool_json_whole(row->bytes), "algorithm");
	if (row->guessed)
		return json_pack("{s:o, s:s, s:s}", "size", pl_tool_json_whole(row->bytes),
				 "algorithm", row->schedule->algorithm, "unknown",
				 PL_ORDER_GUESSED);
	return json_pack("{s:o, s:s, s:f, s:s, s:f}", "size", pl_tool_json_whole(row->bytes),
			 "algorithm", row->schedule->algorithm, "seconds", row->time.seconds,
			 "waits_for", pl_bound_name(row->time.bound), "waits_share",
			 row->time.share);
}

static int write_json(const struct times *t, FILE *out, struct pl_err *err)
{
	json_t *sizes = json_array();

	for (size_t i = 0; i < t->o->request.n_sizes; i++)
		pl_list_add(&sizes, row_json(&t->row[i]));
	return pl_tool_json_write(PL_REORDER_TOOL,
				  json_pack("{s:{s:s, s:o, s:o}}", "schedule", "protocol",
					    t->protocol.name, "ranks",
					    pl_tool_json_whole(t->n_ranks), "sizes", sizes),
				  out, err);
}

static int write_times(const struct times *t, struct pl_err *err)
{
	struct pl_outfile out;

	if (pl_outfile_open(&out, t->o->output ? t->o->output : "-", err))
		return -1;
	if (t->o->format != PL_FORMAT_JSON) {
		write_table(t, out.f);
	} else if (write_json(t, out.f, err)) {
		pl_outfile_abort(&out);
		return -1;
	}
	return pl_outfile_commit(&out, err);
}

int pl_reorder_schedule_times(const struct pl_order_input *in, const struct pl_reorder_options *o,
			      const struct pl_stop *stop, struct pl_err *err)
{
	struct times t = {.in = in, .o = o};
	int status = PL_EXIT_DONE;

	if (fill(&t, stop, err) || write_times(&t, err))
		status = pl_tool_fail(PL_REORDER_TOOL, err);
	free(t.rank_at);
	pl_order_forecaster_fini(&t.caster);
	pl_schedules_fini(&t.schedules);
	return status;
}
