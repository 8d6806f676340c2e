/* SPDX-License-Identifier: BSD-3-Clause */
/* retune.c - schedules with other masters, from numbers that all ranks share */
#include "config.h"

#include "engine/tune/retune.h"

#include "base/fnv.h"
#include "base/mem.h"
#include "engine/cut.h"
#include "engine/levels.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_of(const struct pl_schedules *s, size_t i)
{
	const size_t n_nodes = s->schedule[i].n_nodes;

	return n_nodes ? n_nodes + pl_hosts_ranks(&s->job.hosts) : 0;
}

size_t pl_retune_at(const struct pl_schedules *s, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += count_of(s, k);
	return n;
}

size_t pl_retune_count(const struct pl_schedules *s)
{
	return pl_retune_at(s, s->n);
}

/* Twice as many as there are, or so many that each has a chunk of the shortest call. */
static size_t slices_max(const struct pl_schedule *s)
{
	const uint64_t chunks = s->size_min / s->chunk_bytes;
	const size_t twice = 2 * s->slices.n;

	return chunks > twice ? (size_t)chunks : twice;
}

struct pl_rank_tree pl_retune_tree(const struct pl_schedules *s, size_t i, const double *value)
{
	const struct pl_schedule *schedule = &s->schedule[i];

	return (struct pl_rank_tree){.n_ranks = pl_hosts_ranks(&s->job.hosts),
				     .n_nodes = schedule->n_nodes,
				     .parent = schedule->parent,
				     .share = value,
				     .rate = value + schedule->n_nodes,
				     .slices_max = slices_max(schedule)};
}

/* Shorter chunks where a card has become slow. */
static size_t chunk_bytes(const struct pl_schedule *s, const struct pl_rank_tree *tree)
{
	double slowest = INFINITY;
	size_t bytes;

	for (size_t r = 0; r < tree->n_ranks; r++)
		slowest = fmin(slowest, tree->rate[r]);
	bytes = pl_cut_chunk_bytes(slowest);
	return bytes < s->chunk_bytes ? bytes : s->chunk_bytes;
}

/* Adds a copy of each. 0, or -1: out of memory. */
static int copy_slices(struct pl_slices *to, const struct pl_slices *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct pl_slice s = {.weight = from->slice[i].weight};
		int rc = 0;

		for (size_t k = 0; rc == 0 && k < from->slice[i].n_transfers; k++)
			rc = pl_slice_append(&s, from->slice[i].transfer[k]);
		if (rc || pl_slices_add_take(to, &s, from->owner[i])) {
			pl_slice_fini(&s);
			return -1;
		}
	}
	return 0;
}

static int copy_schedule(struct pl_schedules *to, const struct pl_schedules *s, size_t i,
			 const double *value, struct pl_err *err)
{
	const struct pl_schedule *from = &s->schedule[i];
	const struct pl_rank_tree tree = pl_retune_tree(s, i, value);
	struct pl_schedule copy = *from;
	int rc = 0;

	copy.slices = (struct pl_slices){0};
	copy.parent = NULL;
	copy.n_nodes = 0;
	copy.algorithm = pl_string_copy(from->algorithm, strlen(from->algorithm));
	if (!copy.algorithm)
		return pl_err_nomem(err);
	if (from->n_nodes) {
		copy.chunk_bytes = chunk_bytes(from, &tree);
		rc = pl_levels_slices(&copy.slices, &tree, err);
	} else if (copy_slices(&copy.slices, &from->slices)) {
		rc = pl_err_nomem(err);
	}
	if (rc == 0 && pl_schedules_add_take(to, &copy))
		rc = pl_err_nomem(err);
	if (rc)
		pl_schedule_fini(&copy);
	return rc;
}

int pl_retune(struct pl_schedules *tuned, const struct pl_schedules *s, const double *value,
	      struct pl_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (copy_schedule(tuned, s, i, value + pl_retune_at(s, i), err)) {
			pl_schedules_fini(tuned);
			return -1;
		}
	return 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	value = htobe64(value);
	return pl_fnv_add(hash, &value, sizeof(value));
}

uint64_t pl_schedules_digest(const struct pl_schedules *s)
{
	uint64_t hash = PL_FNV_FIRST;

	for (size_t i = 0; i < s->n; i++) {
		const struct pl_slices *slices = &s->schedule[i].slices;

		hash = mix(hash, s->schedule[i].chunk_bytes);
		for (size_t k = 0; k < slices->n; k++)
			hash = mix(mix(hash, slices->slice[k].weight), slices->hash[k]);
	}
	return hash;
}
