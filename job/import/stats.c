/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - the calls that plink's own libraries have counted (plink-stats(5))
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "job/import/import.h"
#include "job/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct pl_recording *r;
	struct pl_place place;
	const struct pl_stats *s;
	size_t rank;     /* whose file it is, or PL_RECORDED_NO_RANK */
	uint32_t *world; /* [ranks] */
	struct pl_err *err;
};

static bool is_message(const char *function)
{
	return strstr(function, "send") != NULL;
}

/* Of a reduce-scatter, files tell two functions. */
static struct pl_operation operation_of(const char *function)
{
	if (!strcmp(function, "reduce-scatter-block"))
		function = "reduce-scatter";
	return pl_operation_parse(function);
}

static int lose(const struct reader *a, const struct pl_stats_line *row, const char *why)
{
	return pl_recording_lose(a->r, "calls of %s are left out: %s", row->function, why)
		       ? pl_err_nomem(a->err)
		       : 0;
}

/* A file without communicators does not say more than their size. */
static bool is_world(const struct reader *a, const struct pl_stats_line *row)
{
	return row->group == PL_STATS_WORLD || (a->s->n_groups == 0 && row->ranks == a->s->ranks);
}

/* The group of a row; its name is that in the file. */
static int find_group(const struct reader *a, const struct pl_stats_line *row, size_t *group)
{
	const bool world = is_world(a, row);
	const struct pl_stats_members all = {a->world, (size_t)a->s->ranks};
	const struct pl_stats_members *m = world ? &all : &a->s->group[row->group];
	char name[64] = "world";

	if (!world && a->s->n_members == 0)
		snprintf(name, sizeof(name), "communicator-%zu", row->group + 1);
	else if (!world)
		snprintf(name, sizeof(name), "%s",
			 *a->s->member[row->group].name ? a->s->member[row->group].name : "comm");
	return pl_recording_group(a->r, a->place, name, NULL, m->rank, m->n, group, a->err);
}

/* The mean of the calls; of a reduce-scatter, as much more as makes equal blocks of elements of 4
 * bytes (struct pl_call). */
static uint64_t bytes_of(const struct pl_stats_line *row, enum pl_collective collective)
{
	const uint64_t unit = collective == PL_REDUCE_SCATTER ? 4 * (uint64_t)row->ranks : 1;
	const uint64_t mean = pl_operation_bytes(collective, (uint64_t)(row->bytes / row->calls), 0,
						 (size_t)row->ranks);

	return (mean + unit - 1) / unit * unit;
}

static int add_row(const struct reader *a, const struct pl_stats_line *row)
{
	const struct pl_operation op = operation_of(row->function);
	size_t group;

	if (row->calls < 1 || row->processes < 1)
		return 0;
	if (is_message(row->function) && a->s->n_messages > 0)
		return 0; /* add_messages() adds them */
	if (is_message(row->function))
		return lose(a, row, "the file does not tell their destinations");
	if (op.form == PL_OPERATION_RECEIVE && row->group < a->s->n_groups &&
	    a->s->group[row->group].n > 0)
		return 0; /* the sender tells of them */
	if (op.form != PL_OPERATION_COLLECTIVE && op.form != PL_OPERATION_RECEIVE)
		return lose(a, row, "no job has them (plink-job(5))");
	if (row->group == PL_STATS_UNKNOWN && !is_world(a, row))
		return lose(a, row, "the file does not tell their communicator");
	if (row->group < a->s->n_groups && a->s->group[row->group].n == 0)
		return lose(a, row, "some ranks of their communicator have no file");
	if (row->ranks < 2)
		return 0;
	if (find_group(a, row, &group))
		return -1;
	return pl_recording_calls(a->r, group, op.collective, bytes_of(row, op.collective),
				  (double)row->calls / (double)row->processes)
		       ? pl_err_nomem(a->err)
		       : 0;
}

static int add_messages(const struct reader *a)
{
	for (size_t i = 0; i < a->s->n_messages; i++) {
		const struct pl_stats_message *m = &a->s->message[i];
		const struct pl_stats_members *g = &a->s->group[m->member];
		int rc;

		if (g->n == 0)
			rc = pl_recording_lose(a->r, "messages are left out: some ranks of their "
						     "communicator have no file");
		else if (m->rank >= (int64_t)g->n || g->rank[m->rank] == (uint32_t)a->rank)
			continue;
		else
			rc = pl_recording_message(
				a->r, &(struct pl_recorded_message){.src = (uint32_t)a->rank,
								    .dst = g->rank[m->rank],
								    .bytes = (double)m->bytes,
								    .messages = (double)m->calls});
		if (rc)
			return pl_err_nomem(a->err);
	}
	return 0;
}

static int add_all(struct reader *a, double n_steps)
{
	struct pl_recorded_file file = {.place = a->place,
					.rank = a->rank,
					.n_steps = n_steps,
					.n_ranks = (size_t)a->s->ranks};

	a->world = pl_array_create(file.n_ranks, sizeof(*a->world));
	if (!a->world)
		return pl_err_nomem(a->err);
	for (size_t i = 0; i < file.n_ranks; i++)
		a->world[i] = (uint32_t)i;
	if (pl_recording_begin(a->r, &file, a->err))
		return -1;
	for (size_t i = 0; i < a->s->n; i++)
		if (add_row(a, &a->s->row[i]))
			return -1;
	if (add_messages(a))
		return -1;
	return pl_recording_end(a->r) ? pl_err_nomem(a->err) : 0;
}

static int add_file(struct pl_recording *r, const char *name, const struct pl_stats *s, size_t rank,
		    double n_steps, struct pl_err *err)
{
	struct reader a = {.r = r, .place = {.file = name}, .s = s, .rank = rank, .err = err};
	int rc;

	if (s->ranks < 1 || s->ranks > (int64_t)PL_JOB_RANKS_MAX)
		return pl_err_at(err, a.place, "the ranks of the job are not in the file");
	if (pl_import_steps(r, &n_steps))
		return pl_err_nomem(err);
	rc = add_all(&a, n_steps);
	free(a.world);
	return rc;
}

int pl_import_stats(struct pl_recording *r, struct pl_text *text, double n_steps,
		    struct pl_err *err)
{
	struct pl_stats s = {0};
	int rc = pl_stats_parse(&s, text, err);

	if (rc == 0 && s.n_members > 0)
		rc = pl_joined_take(&r->joined, text->name, &s, n_steps) ? pl_err_nomem(err) : 0;
	else if (rc == 0)
		rc = add_file(r, text->name, &s, PL_RECORDED_NO_RANK, n_steps, err);
	pl_stats_fini(&s);
	return rc;
}

int pl_import_end(struct pl_recording *r, struct pl_err *err)
{
	if (pl_joined_fill(&r->joined, err))
		return -1;
	for (size_t i = 0; i < r->joined.n; i++) {
		const struct pl_joined_file *file = &r->joined.file[i];

		if (add_file(r, file->name, &file->stats, (size_t)file->stats.rank, file->n_steps,
			     err))
			return -1;
	}
	return 0;
}
