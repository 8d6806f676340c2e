/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - all-to-alls whose members send unequal blocks */
#include "config.h"

#include "job/import/blocks.h"

#include "base/mem.h"

#include <math.h>

static struct pl_recorded_row *row_of(struct pl_recorded_group *g, size_t pos)
{
	if (!g->row)
		g->row = pl_array_create(g->n_members, sizeof(*g->row));
	if (g->row && !g->row[pos].bytes)
		g->row[pos].bytes = pl_array_create(g->n_members, sizeof(double));
	return g->row && g->row[pos].bytes ? &g->row[pos] : NULL;
}

/* Whole numbers from 0 on, one for each member, whose sum is above 0. */
static bool is_split(const json_t *split, size_t n, double *sum)
{
	*sum = 0;
	for (size_t i = 0; i < json_array_size(split); i++) {
		const json_t *part = json_array_get(split, i);

		if (!json_is_integer(part) || json_integer_value(part) < 0)
			return false;
		*sum += (double)json_integer_value(part);
	}
	return json_array_size(split) == n && *sum > 0;
}

int pl_recording_split(struct pl_recording *r, size_t group, size_t rank, uint64_t bytes,
		       const json_t *split)
{
	struct pl_recorded_group *g = &r->group[group];
	const bool even = json_is_array(split) && json_array_size(split) == 0;
	struct pl_recorded_row *row;
	size_t pos = 0;
	double sum = 1;

	while (pos < g->n_members && g->member[pos] != rank)
		pos++;
	if (pos == g->n_members)
		return 0;
	row = row_of(g, pos);
	if (!row)
		return -1;
	if (!even && !is_split(split, g->n_members, &sum))
		row->unknown = true;
	row->calls++;
	for (size_t i = 0; !row->unknown && i < g->n_members; i++)
		row->bytes[i] +=
			(double)bytes *
			(even ? 1 / (double)g->n_members
			      : (double)json_integer_value(json_array_get(split, i)) / sum);
	return 0;
}

/* Of a mean call. */
static uint64_t block(const struct pl_recorded_group *g, size_t from, size_t to)
{
	return (uint64_t)fmin(round(g->row[from].bytes[to] / g->row[from].calls), 0x1p62);
}

/* Is it known what the member sends? */
static bool is_known(const struct pl_recorded_group *g, size_t pos)
{
	return g->row && g->row[pos].bytes && !g->row[pos].unknown;
}

bool pl_recorded_blocks(const struct pl_recorded_group *g, uint64_t *first, bool *differ)
{
	bool known = true;

	for (size_t i = 0; i < g->n_members; i++) {
		if (!is_known(g, i)) {
			known = false;
			continue;
		}
		for (size_t k = 0; k < g->n_members; k++) {
			if (k == i)
				continue;
			if (*first == UINT64_MAX)
				*first = block(g, i, k);
			*differ |= block(g, i, k) != *first;
		}
	}
	return known;
}

int pl_recorded_sends(const struct pl_recorded_group *g, struct pl_job_kind *kind)
{
	for (size_t i = 0; i < g->n_members; i++)
		for (size_t k = 0; k < g->n_members; k++) {
			const struct pl_job_send send = {.src = g->member[i],
							 .dst = g->member[k],
							 .bytes = block(g, i, k),
							 .messages = 1};

			if (k != i && send.bytes > 0 && pl_job_add_send(kind, send))
				return -1;
		}
	return 0;
}
