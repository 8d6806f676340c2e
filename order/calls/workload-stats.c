/* SPDX-License-Identifier: BSD-3-Clause */
/* workload-stats.c - the calls that a job has made, as plink-stats(5) tells
 * them */
#include "config.h"

#include "order/calls/workload.h"

#include "base/text/kind.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "costmodels/catalogue.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define STATS_MAX ((size_t)64 << 20)

/* One row: all calls of one class, of all processes together. */
struct row {
	const char *function, *kind;
	int64_t ranks, calls, bytes, processes;
};

struct reading {
	struct pl_order_workload *w;
	const struct pl_order_request *q;
	const struct pl_hosts *hosts;
	size_t n_ranks;
	struct pl_err *err;
};

/* MPI_Reduce_scatter_block has algorithms of its own. */
static const char *rule_for(const char *function, enum pl_impl impl)
{
	return (impl == PL_OPENMPI || impl == PL_MPICH) &&
			       !strcmp(function, "reduce-scatter-block")
		       ? "block-default"
		       : NULL;
}

/* "reduce-scatter-block": its collective; -1: plink orders nothing for it. */
static int collective_of(const char *function, enum pl_collective *collective)
{
	if (!strcmp(function, "reduce-scatter-block"))
		function = "reduce-scatter";
	return pl_collective_parse(function, collective, NULL);
}

static void leave_out(struct reading *r, const struct row *row)
{
	const double n = (double)row->calls / (double)row->processes;

	r->w->n_left_out += n;
	if (n <= r->w->n_most)
		return;
	r->w->n_most = n;
	snprintf(r->w->most, sizeof(r->w->most),
		 "%s %.32s of %" PRId64 " ranks", row->kind, row->function,
		 row->ranks);
}

/* Left out are calls of fewer ranks than the job's, which run on other orders;
 * those that a library runs by other algorithms, as it does what is not
 * blocking; and what no algorithm is known for. */
static int take_row(struct reading *r, const struct row *row)
{
	struct pl_order_work work = {.what = r->q->what};
	enum pl_collective collective;
	struct pl_order_names names = r->q->names;
	int64_t elements;

	if (row->calls < 1 || row->processes < 1 || row->bytes < 0)
		return 0;
	r->w->n_calls += (double)row->calls / (double)row->processes;
	if (row->ranks != (int64_t)r->n_ranks ||
	    strcmp(row->kind, "blocking") != 0 ||
	    collective_of(row->function, &collective)) {
		leave_out(r, row);
		return 0;
	}
	names.collective = pl_collective_name(collective);
	names.algorithm = rule_for(row->function, r->q->what.a->impl);
	if (pl_order_algorithm_find(&work.what, &names, r->err))
		return -1;
	elements = row->bytes / row->calls / PL_ORDER_ELEMENT;
	work.what.has_size = collective != PL_BARRIER;
	work.what.bytes =
		(uint64_t)(elements > 0 ? elements : 1) * PL_ORDER_ELEMENT;
	work.weight = (double)row->calls / (double)row->processes;
	if (pl_order_workload_decide(&work, r->hosts, r->err)) {
		if (r->err->code != PL_EUSAGE)
			return -1;
		*r->err = (struct pl_err){.code = PL_OK};
		leave_out(r, row);
		return 0;
	}
	return pl_order_workload_add(r->w, &work, r->err);
}

/* A row's first columns: function kind ranks least most calls bytes
 * processes. */
static int take_line(struct reading *r, struct pl_line *line)
{
	char function[32], kind[16] = "";
	struct pl_word word, first;
	int64_t number[8] = {0};

	if (!pl_line_next(line, &first) || first.s[0] == '#' ||
	    pl_word_is(&first, "collective"))
		return 0;
	snprintf(function, sizeof(function), "%.*s", (int)first.len, first.s);
	for (size_t i = 1; i < 8; i++) {
		if (!pl_line_next(line, &word))
			return pl_err_at(r->err, pl_line_place(line),
					 "a row has 8 columns at least: this "
					 "is not a file of plink-stats(5)");
		if (i == 1)
			snprintf(kind, sizeof(kind), "%.*s", (int)word.len,
				 word.s);
		/* a class may end beyond any size */
		if (i == 1 || i == 3 || i == 4)
			continue;
		if (pl_int_parse(word.s, word.len, 0, INT64_MAX, &number[i]))
			return pl_err_at(r->err, word.place,
					 "\"%.*s\" is not a whole number",
					 (int)(word.len < 40 ? word.len : 40),
					 word.s);
	}
	return take_row(r, &(struct row){.function = function,
					 .kind = kind,
					 .ranks = number[2],
					 .calls = number[5],
					 .bytes = number[6],
					 .processes = number[7]});
}

static int take_text(struct reading *r, struct pl_text *text)
{
	struct pl_line line;
	bool first = true;

	while (pl_text_next(text, &line)) {
		if (first &&
		    (line.len != 15 || memcmp(line.s, "# plink-stats 1", 15)))
			return pl_err_at(
				r->err, pl_line_place(&line),
				"not a file of plink-stats(5), version 1");
		first = false;
		if (take_line(r, &line))
			return -1;
	}
	return 0;
}

static int take_json(struct reading *r, const struct pl_text *text)
{
	json_error_t why;
	json_t *all = json_loadb(text->data, text->len, 0, &why), *row;
	const struct pl_place place = {
		.file = text->name, .line = why.line, .col = why.column};
	size_t i;
	int rc = 0;

	if (!all)
		return pl_err_at(r->err, place, "%s", why.text);
	if (!json_is_array(json_object_get(all, "rows")) ||
	    json_integer_value(json_object_get(all, "plink_stats")) != 1) {
		json_decref(all);
		return pl_err_at(r->err, (struct pl_place){.file = text->name},
				 "not a file of plink-stats(5), version 1");
	}
	json_array_foreach(json_object_get(all, "rows"), i, row)
	{
		const char *function =
			json_string_value(json_object_get(row, "collective"));
		const char *kind =
			json_string_value(json_object_get(row, "kind"));
		const struct row found = {
			.function = function ? function : "",
			.kind = kind ? kind : "",
			.ranks = json_integer_value(
				json_object_get(row, "ranks")),
			.calls = json_integer_value(
				json_object_get(row, "calls")),
			.bytes = json_integer_value(
				json_object_get(row, "bytes")),
			.processes = json_integer_value(
				json_object_get(row, "processes")),
		};

		if (rc == 0)
			rc = take_row(r, &found);
	}
	json_decref(all);
	return rc;
}

int pl_order_workload_read(struct pl_order_workload *w,
			   const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err)
{
	struct reading r = {.w = w,
			    .q = q,
			    .hosts = hosts,
			    .n_ranks = pl_hosts_ranks(hosts),
			    .err = err};
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, q->stats, STATS_MAX, err))
		return -1;
	rc = text.len > 0 && text.data[text.pos] == '{' ? take_json(&r, &text)
							: take_text(&r, &text);
	if (rc == 0 && w->n == 0)
		rc = pl_err_at(err, (struct pl_place){.file = text.name},
			       "no collective among all %zu ranks for which an "
			       "order can be found",
			       r.n_ranks);
	w->counted = true;
	if (rc)
		pl_kind_blame(&text, PL_KIND_STATS, err);
	pl_text_fini(&text);
	return rc;
}
