/* SPDX-License-Identifier: BSD-3-Clause */
/* inspector.c - the lines of NCCL Inspector, a profiler plugin, of one process
 */
/*
 *   {"header": {"id": "0x7f8c496ae9f661", "rank": 2, "n_ranks": 8, ...},
 *    "metadata": {...}, "coll_perf": {"coll": "AllReduce",
 *    "coll_msg_size_bytes": 1048576, ...}}
 *
 * Others have p2p_perf ("p2p": "Send", "p2p_peer": 3, "p2p_msg_size_bytes":
 * 4096) or dump_stats, which tells what was dropped; from version 4.3 on these
 * alone have a header, which holds for the lines behind them. "id" is the same
 * in the files of all ranks of the communicator. The size of an all-gather, an
 * all-to-all or a reduce-scatter is that of one rank's block. Where the plugin
 * does not know the type of the elements, it writes numbers near 2^64.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "job/import/joined.h"
#include "job/import/operation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers up to this are exact as double; times PL_JOB_RANKS_MAX, it is
 * an int64_t. */
#define SIZE_MOST ((int64_t)1 << 42)

struct reader {
	struct pl_recording *r;
	struct pl_text *text;
	struct pl_stats stats;
	size_t member; /* that of the last header */
	bool dropped;  /* the plugin has dropped calls */
	struct pl_err *err;
};

static int fault(const struct reader *a, const char *what)
{
	const struct pl_place place = {.file = a->text->name, .line = a->text->line, .col = 1};

	return pl_err_at(a->err, place, "%s", what);
}

/* The whole number of that name, or -1: it is not there, or not in 0 ..
 * @most. */
static int64_t count_in(const json_t *object, const char *key, int64_t most)
{
	const json_t *value = json_object_get(object, key);
	const double n = json_real_value(value);

	return json_is_real(value) && n >= 0 && n <= (double)most && n == floor(n) ? (int64_t)n
										   : -1;
}

static size_t find_member(const struct pl_stats *s, const char *id)
{
	size_t m = 0;

	while (m < s->n_members && strcmp(s->member[m].id, id) != 0)
		m++;
	return m;
}

static int add_member(struct reader *a, const struct pl_stats_member *member)
{
	struct pl_stats *s = &a->stats;

	if (pl_array_grow((void **)&s->member, &s->member_room, s->n_members, sizeof(*s->member)))
		return pl_err_nomem(a->err);
	s->member[s->n_members++] = *member;
	return 0;
}

static int take_header(struct reader *a, const json_t *header)
{
	const char *id = json_string_value(json_object_get(header, "id"));
	const char *name = json_string_value(json_object_get(header, "comm_name"));
	struct pl_stats_member member = {.ranks = count_in(header, "n_ranks", PL_JOB_RANKS_MAX)};
	const struct pl_stats_member *known;

	member.rank = count_in(header, "rank", member.ranks - 1);
	if (!id || strlen(id) >= sizeof(member.id) || member.rank < 0)
		return fault(a, "in the header of a line id, rank or n_ranks "
				"is missing or impossible");
	snprintf(member.id, sizeof(member.id), "%s", id);
	if (name && strcmp(name, "unknown") != 0)
		snprintf(member.name, sizeof(member.name), "%s", name);
	a->member = find_member(&a->stats, id);
	if (a->member == a->stats.n_members)
		return add_member(a, &member);
	known = &a->stats.member[a->member];
	if (known->rank != member.rank || known->ranks != member.ranks)
		return fault(a, "another rank of a communicator that stands "
				"above: only files of processes with one rank "
				"can be read");
	return 0;
}

static int lose_sizeless(const struct reader *a, const char *name)
{
	return pl_recording_lose(a->r,
				 "calls of %s are left out: NCCL "
				 "Inspector did not know their size",
				 name)
		       ? pl_err_nomem(a->err)
		       : 0;
}

static int take_call(struct reader *a, const json_t *call)
{
	const char *name = json_string_value(json_object_get(call, "coll"));
	const int64_t ranks = a->stats.member[a->member].ranks;
	const int64_t bytes = count_in(call, "coll_msg_size_bytes", SIZE_MOST);
	struct pl_stats *s = &a->stats;
	struct pl_stats_line row = {.ranks = ranks,
				    .calls = 1,
				    .bytes = bytes,
				    .processes = 1,
				    .seconds = NAN,
				    .group = a->member};
	enum pl_collective collective;

	if (!name || !json_object_get(call, "coll_msg_size_bytes"))
		return fault(a, "coll_perf without coll or "
				"coll_msg_size_bytes");
	if (bytes < 0)
		return lose_sizeless(a, name);
	collective = pl_operation_parse(name).collective;
	if (collective == PL_REDUCE_SCATTER || collective == PL_ALLTOALL)
		row.bytes *= ranks;
	snprintf(row.function, sizeof(row.function), "%s", name);
	if (pl_array_grow((void **)&s->row, &s->room, s->n, sizeof(*s->row)))
		return pl_err_nomem(a->err);
	s->row[s->n++] = row;
	return 0;
}

/* A message counts where it is sent. */
static int take_message(struct reader *a, const json_t *call)
{
	const char *name = json_string_value(json_object_get(call, "p2p"));
	const struct pl_stats_message sent = {
		.member = a->member,
		.rank = count_in(call, "p2p_peer", a->stats.member[a->member].ranks - 1),
		.calls = 1,
		.bytes = count_in(call, "p2p_msg_size_bytes", SIZE_MOST)};
	struct pl_stats *s = &a->stats;

	if (!name || sent.rank < 0 || !json_object_get(call, "p2p_msg_size_bytes"))
		return fault(a, "p2p_perf without p2p, p2p_peer or "
				"p2p_msg_size_bytes");
	if (pl_operation_parse(name).form != PL_OPERATION_SEND)
		return 0;
	if (sent.bytes < 0)
		return lose_sizeless(a, name);
	if (pl_array_grow((void **)&s->message, &s->message_room, s->n_messages,
			  sizeof(*s->message)))
		return pl_err_nomem(a->err);
	s->message[s->n_messages++] = sent;
	return 0;
}

static int take_line(struct reader *a, const json_t *line)
{
	const json_t *header = json_object_get(line, "header");
	const json_t *call = json_object_get(line, "coll_perf");
	const json_t *message = json_object_get(line, "p2p_perf");
	const json_t *dump = json_object_get(line, "dump_stats");

	if (header && take_header(a, header))
		return -1;
	if (a->stats.n_members == 0)
		return fault(a, "a line of NCCL Inspector without a header");
	a->dropped |= count_in(dump, "coll_dropped_total", SIZE_MOST) > 0 ||
		      count_in(dump, "p2p_dropped_total", SIZE_MOST) > 0;
	if (call)
		return take_call(a, call);
	return message ? take_message(a, message) : 0;
}

/* A process that is killed may leave half a line at the end of its file. */
static int lose_half(const struct reader *a)
{
	return pl_recording_lose(a->r, "the last line of a file is left out: "
				       "it is cut off")
		       ? pl_err_nomem(a->err)
		       : 0;
}

static int read_lines(struct reader *a)
{
	const struct pl_text *text = a->text;
	struct pl_line line;

	while (pl_text_next(a->text, &line)) {
		json_error_t why;
		json_t *json = json_loadb(line.s, line.len, JSON_DECODE_INT_AS_REAL, &why);
		int rc;

		if (!json && line.s + line.len == text->data + text->len)
			return lose_half(a);
		if (!json)
			return pl_err_at(a->err,
					 (struct pl_place){.file = text->name,
							   .line = line.number,
							   .col = why.column},
					 "%s", why.text);
		rc = take_line(a, json);
		json_decref(json);
		if (rc)
			return -1;
	}
	return 0;
}

static int by_call(const void *a, const void *b)
{
	const struct pl_stats_line *x = a, *y = b;
	const int64_t p = x->bytes / x->calls, q = y->bytes / y->calls;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return p != q ? (p > q) - (p < q) : strcmp(x->function, y->function);
}

/* Equal calls become one row: files have a line for each call. */
static void join_rows(struct pl_stats *s)
{
	size_t n = 0;

	if (s->n > 0)
		qsort(s->row, s->n, sizeof(*s->row), by_call);
	for (size_t i = 0; i < s->n; i++) {
		struct pl_stats_line *last = &s->row[n ? n - 1 : 0];

		if (n > 0 && by_call(last, &s->row[i]) == 0 &&
		    last->bytes <= INT64_MAX - s->row[i].bytes) {
			last->bytes += s->row[i].bytes;
			last->calls++;
		} else {
			s->row[n++] = s->row[i];
		}
	}
	s->n = n;
}

int pl_import_inspector(struct pl_recording *r, struct pl_text *text, double n_steps,
			struct pl_err *err)
{
	struct reader a = {.r = r, .text = text, .stats = {.rank = -1}, .err = err};
	int rc = read_lines(&a);

	if (rc == 0 && a.stats.n_members == 0)
		rc = fault(&a, "no whole line of NCCL Inspector");
	if (rc == 0 && a.dropped)
		rc = pl_recording_lose(r, "a file lacks calls: NCCL Inspector "
					  "had dropped them")
			     ? pl_err_nomem(err)
			     : 0;
	join_rows(&a.stats);
	if (rc == 0)
		rc = pl_joined_take(&r->joined, text->name, &a.stats, n_steps) ? pl_err_nomem(err)
									       : 0;
	pl_stats_fini(&a.stats);
	return rc;
}
