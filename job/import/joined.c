/* SPDX-License-Identifier: BSD-3-Clause */
/* joined.c - files of processes that only together tell who is in a communicator */
#include "config.h"

#include "job/import/joined.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int pl_joined_take(struct pl_joined *joined, const char *name, struct pl_stats *stats,
		   double n_steps)
{
	char *copy = pl_string_copy(name, strlen(name));

	if (!copy || pl_array_grow((void **)&joined->file, &joined->room, joined->n,
				   sizeof(*joined->file))) {
		free(copy);
		return -1;
	}
	joined->file[joined->n++] =
		(struct pl_joined_file){.stats = *stats, .name = copy, .n_steps = n_steps};
	memset(stats, 0, sizeof(*stats));
	return 0;
}

void pl_joined_fini(struct pl_joined *joined)
{
	for (size_t i = 0; i < joined->n; i++) {
		pl_stats_fini(&joined->file[i].stats);
		free(joined->file[i].name);
	}
	free(joined->file);
	memset(joined, 0, sizeof(*joined));
}

/* A rank of a communicator: the file of its process, and which one it is
 * there. */
struct seat {
	const struct pl_stats_member *member;
	struct pl_joined_file *file;
};

static int by_id_and_rank(const void *a, const void *b)
{
	const struct pl_stats_member *x = ((const struct seat *)a)->member;
	const struct pl_stats_member *y = ((const struct seat *)b)->member;
	const int order = strcmp(x->id, y->id);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The seats of a communicator stand side by side then. NULL: out of memory. */
static struct seat *sort_seats(struct pl_joined *joined, size_t *n)
{
	struct seat *seat;

	*n = 0;
	for (size_t i = 0; i < joined->n; i++)
		*n += joined->file[i].stats.n_members;
	seat = pl_array_create(*n, sizeof(*seat));
	*n = 0;
	for (size_t i = 0; seat && i < joined->n; i++) {
		const struct pl_stats *s = &joined->file[i].stats;

		for (size_t m = 0; m < s->n_members; m++)
			seat[(*n)++] = (struct seat){&s->member[m], &joined->file[i]};
	}
	if (seat)
		qsort(seat, *n, sizeof(*seat), by_id_and_rank);
	return seat;
}

/* Has each rank of the communicator a file? */
static bool is_whole(const struct seat *seat, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (seat[i].member->rank != (int64_t)i || seat[i].member->ranks > (int64_t)n)
			return false;
	return true;
}

/* The members in the file of one of them. -1: out of memory. */
static int fill_group(const struct seat *seat, const struct seat *all, size_t n)
{
	struct pl_stats *s = &seat->file->stats;
	struct pl_stats_members *group = &s->group[seat->member - s->member];

	group->rank = pl_array_create(n, sizeof(*group->rank));
	if (!group->rank)
		return -1;
	group->n = n;
	for (size_t i = 0; i < n; i++)
		group->rank[i] = (uint32_t)all[i].file->stats.rank;
	return 0;
}

/* All seats of one communicator. */
static int join(const struct seat *seat, size_t n, struct pl_err *err)
{
	const bool whole = is_whole(seat, n);

	for (size_t i = 1; i < n; i++)
		if (seat[i].file == seat[i - 1].file)
			return pl_err_at(err, (struct pl_place){.file = seat[i].file->name},
					 "a process with several ranks of a communicator: only "
					 "jobs with a process for each rank can be read");
	for (size_t i = 0; whole && i < n; i++)
		if (fill_group(&seat[i], seat, n))
			return pl_err_nomem(err);
	return 0;
}

static int begin_groups(struct pl_joined_file *file, struct pl_err *err)
{
	struct pl_stats *s = &file->stats;

	if (s->rank < 0 || s->rank >= s->ranks)
		return pl_err_at(err, (struct pl_place){.file = file->name},
				 "the rank of the process in the job is not in the file");
	s->group = pl_array_create(s->n_members, sizeof(*s->group));
	if (!s->group)
		return pl_err_nomem(err);
	s->n_groups = s->n_members;
	return 0;
}

/* NCCL before 2.27 does not say how many ranks there are. */
static void fill_rows(struct pl_stats *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct pl_stats_line *row = &s->row[i];

		if (row->ranks > 0 || row->group >= s->n_groups)
			continue;
		row->ranks = (int64_t)s->group[row->group].n;
		if (strcmp(row->function, "reduce-scatter") == 0 &&
		    row->bytes <= INT64_MAX / (row->ranks + 1))
			row->bytes *= row->ranks;
	}
}

int pl_joined_fill(struct pl_joined *joined, struct pl_err *err)
{
	struct seat *seat;
	size_t n, end;
	int rc = 0;

	for (size_t i = 0; i < joined->n; i++)
		if (begin_groups(&joined->file[i], err))
			return -1;
	seat = sort_seats(joined, &n);
	if (!seat)
		return pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < n; i = end) {
		for (end = i + 1; end < n && strcmp(seat[i].member->id, seat[end].member->id) == 0;
		     end++)
			;
		rc = join(&seat[i], end - i, err);
	}
	free(seat);
	for (size_t i = 0; rc == 0 && i < joined->n; i++)
		fill_rows(&joined->file[i].stats);
	return rc;
}
