/* SPDX-License-Identifier: BSD-3-Clause */
/* script-join.c - groups that run at the same time, as one script of all
 * ranks */
#include "config.h"

#include "costmodels/script.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int take_posts(struct pl_post **list, size_t *n, size_t *room, const struct pl_post *more,
		      size_t n_more, const uint32_t *rank)
{
	for (size_t i = 0; i < n_more; i++) {
		void *array = *list;

		if (pl_array_grow(&array, room, *n, sizeof(**list)))
			return -1;
		*list = array;
		(*list)[*n] = more[i];
		(*list)[*n].pos = rank[more[i].pos];
		(*list)[(*n)++].peer = rank[more[i].peer];
	}
	return 0;
}

static int take_work(struct pl_script *s, const struct pl_script *part, const uint32_t *rank)
{
	for (size_t i = 0; i < part->n_work; i++) {
		void *array = s->work;

		if (pl_array_grow(&array, &s->work_room, s->n_work, sizeof(*s->work)))
			return -1;
		s->work = array;
		s->work[s->n_work] = part->work[i];
		s->work[s->n_work++].pos = rank[part->work[i].pos];
	}
	return 0;
}

void pl_script_join(struct pl_script *s, struct pl_script *part, const uint32_t *rank)
{
	assert(s->n_strands == 0);
	pl_script_end(part);
	s->joined = true;
	s->no_memory |= part->no_memory;
	s->too_long |= part->too_long || s->n_sends + part->n_sends > PL_PATTERN_MESSAGES_MAX;
	if (s->no_memory || s->too_long)
		return;
	for (size_t i = 0; i < part->n_pos; i++) {
		assert(s->n_steps[rank[i]] == 0);
		s->n_steps[rank[i]] = part->n_steps[i];
	}
	s->no_memory = take_posts(&s->send, &s->n_sends, &s->sends_room, part->send, part->n_sends,
				  rank) ||
		       take_posts(&s->recv, &s->n_recvs, &s->recvs_room, part->recv, part->n_recvs,
				  rank) ||
		       take_work(s, part, rank);
}

/* Where the elements of each rank go in a list by rank: start[n_pos], of which
 * start[pos] counts those of pos. */
static void begin_lists(size_t *start, size_t n_pos)
{
	size_t before = 0;

	for (size_t pos = 0; pos < n_pos; pos++) {
		const size_t n = start[pos];

		start[pos] = before;
		before += n;
	}
}

static int sort_posts(struct pl_post **list, size_t n, size_t *start, size_t n_pos)
{
	struct pl_post *sorted = pl_array_create(n, sizeof(*sorted));

	if (!sorted)
		return -1;
	memset(start, 0, n_pos * sizeof(*start));
	for (size_t i = 0; i < n; i++)
		start[(*list)[i].pos]++;
	begin_lists(start, n_pos);
	for (size_t i = 0; i < n; i++)
		sorted[start[(*list)[i].pos]++] = (*list)[i];
	free(*list);
	*list = sorted;
	return 0;
}

static int sort_work(struct pl_script *s, size_t *start)
{
	struct pl_work *sorted = pl_array_create(s->n_work, sizeof(*sorted));

	if (!sorted)
		return -1;
	memset(start, 0, s->n_pos * sizeof(*start));
	for (size_t i = 0; i < s->n_work; i++)
		start[s->work[i].pos]++;
	begin_lists(start, s->n_pos);
	for (size_t i = 0; i < s->n_work; i++)
		sorted[start[s->work[i].pos]++] = s->work[i];
	free(s->work);
	s->work = sorted;
	return 0;
}

int pl_script_sort(struct pl_script *s)
{
	size_t *start = pl_array_create(s->n_pos, sizeof(*start));
	const int rc = !start || sort_posts(&s->send, s->n_sends, start, s->n_pos) ||
				       sort_posts(&s->recv, s->n_recvs, start, s->n_pos) ||
				       sort_work(s, start)
			       ? -1
			       : 0;

	free(start);
	return rc;
}
