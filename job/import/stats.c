/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - the calls that plink's own libraries have counted (plink-stats(5))
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "job/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct pl_recording *r;
	struct pl_place place;
	const struct pl_stats *s;
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

static int lose(const struct reader *a, const struct pl_stats_line *row,
		const char *why)
{
	return pl_recording_lose(a->r, "calls of %s are left out: %s",
				 row->function, why)
		       ? pl_err_nomem(a->err)
		       : 0;
}

/* A file without communicators does not say more than their size. */
static bool is_world(const struct reader *a, const struct pl_stats_line *row)
{
	return row->group == PL_STATS_WORLD ||
	       (a->s->n_groups == 0 && row->ranks == a->s->ranks);
}

/* The group of a row; its name is that in the file. */
static int find_group(const struct reader *a, const struct pl_stats_line *row,
		      size_t *group)
{
	const bool world = is_world(a, row);
	const struct pl_stats_members all = {a->world, (size_t)a->s->ranks};
	const struct pl_stats_members *m =
		world ? &all : &a->s->group[row->group];
	char name[40] = "world";

	if (!world)
		snprintf(name, sizeof(name), "communicator-%zu",
			 row->group + 1);
	return pl_recording_group(a->r, a->place, name, NULL, m->rank, m->n,
				  group, a->err);
}

static int add_row(const struct reader *a, const struct pl_stats_line *row)
{
	const struct pl_operation op = operation_of(row->function);
	size_t group;

	if (row->calls < 1 || row->processes < 1)
		return 0;
	if (is_message(row->function))
		return lose(a, row,
			    "the file does not tell their destinations");
	if (op.form != PL_OPERATION_COLLECTIVE)
		return lose(a, row, "no job has them (plink-job(5))");
	if (row->group == PL_STATS_UNKNOWN && !is_world(a, row))
		return lose(a, row,
			    "the file does not tell their communicator");
	if (row->ranks < 2)
		return 0;
	if (find_group(a, row, &group))
		return -1;
	return pl_recording_calls(
		       a->r, group, op.collective,
		       pl_operation_bytes(op.collective,
					  (uint64_t)(row->bytes / row->calls),
					  0, (size_t)row->ranks),
		       (double)row->calls / (double)row->processes)
		       ? pl_err_nomem(a->err)
		       : 0;
}

static int add_all(struct reader *a, double n_steps)
{
	struct pl_recorded_file file = {.place = a->place,
					.rank = PL_RECORDED_NO_RANK,
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
	return pl_recording_end(a->r) ? pl_err_nomem(a->err) : 0;
}

int pl_import_stats(struct pl_recording *r, struct pl_text *text,
		    double n_steps, struct pl_err *err)
{
	struct pl_stats s = {0};
	struct reader a = {
		.r = r, .place = {.file = text->name}, .s = &s, .err = err};
	int rc = pl_stats_parse(&s, text, err);

	if (rc == 0 && (s.ranks < 1 || s.ranks > (int64_t)PL_JOB_RANKS_MAX))
		rc = pl_err_at(err, a.place,
			       "the ranks of the job are not in the file");
	if (rc == 0 && pl_import_steps(r, &n_steps))
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = add_all(&a, n_steps);
	free(a.world);
	pl_stats_fini(&s);
	return rc;
}
