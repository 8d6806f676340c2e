/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level.c - slices of two-level hierarchical aggregation (2LHA) */
#include "config.h"

#include "engine/two-level.h"

#include "base/gcd.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLICES_PER_RANK 8

struct work {
	const struct pl_two_level *t;
	double *share, *had; /* [n_groups]: of GMs */
	size_t *size;        /* [n_groups] */
	size_t *load;        /* [n_ranks]: messages that it has to move */
	uint32_t *lm;        /* [n_groups]: of this slice */
	uint32_t gm_group;
};

static void work_fini(struct work *w)
{
	free(w->share);
	free(w->had);
	free(w->size);
	free(w->load);
	free(w->lm);
}

static int check(const struct work *w, struct pl_err *err)
{
	double sum = 0;

	for (size_t g = 0; g < w->t->n_groups; g++) {
		if (w->size[g] == 0)
			return pl_err_set(err, PL_EUSAGE,
					  "group %zu has no member", g);
		if (!isfinite(w->share[g]) || w->share[g] < 0)
			return pl_err_set(err, PL_EUSAGE,
					  "the share of group %zu is %g", g,
					  w->share[g]);
		sum += w->share[g];
	}
	if (sum > 0 && isfinite(sum))
		return 0;
	return pl_err_set(err, PL_EUSAGE, "no group has a share of masters");
}

static int work_init(struct work *w, const struct pl_two_level *t,
		     struct pl_err *err)
{
	*w = (struct work){.t = t};
	w->share = pl_array_create(t->n_groups, sizeof(*w->share));
	w->had = pl_array_create(t->n_groups, sizeof(*w->had));
	w->size = pl_array_create(t->n_groups, sizeof(*w->size));
	w->load = pl_array_create(t->n_ranks, sizeof(*w->load));
	w->lm = pl_array_create(t->n_groups, sizeof(*w->lm));
	if (!w->share || !w->had || !w->size || !w->load || !w->lm)
		return pl_err_nomem(err);
	for (size_t r = 0; r < t->n_ranks; r++)
		w->size[t->group[r]]++;
	for (size_t g = 0; g < t->n_groups; g++)
		w->share[g] = t->share ? t->share[g] : (double)w->size[g];
	return check(w, err);
}

/* Slices after which every member of each group has been its LM as often. */
static size_t count_slices(const struct work *w)
{
	const size_t most = SLICES_PER_RANK * w->t->n_ranks;
	size_t n = w->t->n_ranks;

	for (size_t g = 0; g < w->t->n_groups; g++) {
		const size_t more = w->size[g] / (size_t)pl_gcd(n, w->size[g]);

		if (more > most / n)
			return most;
		n *= more;
	}
	return n;
}

static uint32_t next_gm_group(const struct work *w)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t g = 0; g < w->t->n_groups; g++)
		if (w->share[g] > 0 &&
		    (best == UINT32_MAX ||
		     (w->had[g] + 1) * w->share[best] <
			     (w->had[best] + 1) * w->share[g]))
			best = g;
	return best;
}

static uint32_t next_member(const struct work *w, uint32_t group)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t r = 0; r < w->t->n_ranks; r++)
		if (w->t->group[r] == group &&
		    (best == UINT32_MAX || w->load[r] < w->load[best]))
			best = r;
	return best;
}

/* Those of the next slice. */
static void choose_masters(struct work *w)
{
	w->gm_group = next_gm_group(w);
	w->had[w->gm_group]++;
	for (uint32_t g = 0; g < w->t->n_groups; g++) {
		w->lm[g] = next_member(w, g);
		w->load[w->lm[g]] +=
			w->size[g] +
			(g == w->gm_group ? w->t->n_groups - 1 : 0);
	}
}

static int add_transfer(struct pl_slice *s, uint32_t round, uint32_t src,
			uint32_t dst)
{
	return pl_slice_append(
		s, (struct pl_slice_transfer){round, src, dst, round < 2});
}

/* Between members and their LM, whose round is a group's own on the way
 * down. */
static int add_members(const struct work *w, struct pl_slice *s, bool down)
{
	for (int later = 0; later <= down; later++)
		for (uint32_t r = 0; r < w->t->n_ranks; r++) {
			const uint32_t g = w->t->group[r], lm = w->lm[g];

			if (r == lm || (down && later == (g == w->gm_group)))
				continue;
			if (add_transfer(s, down ? 2 + (uint32_t)later : 0,
					 down ? lm : r, down ? r : lm))
				return -1;
		}
	return 0;
}

static int add_masters(const struct work *w, struct pl_slice *s, bool down)
{
	const uint32_t gm = w->lm[w->gm_group];

	for (uint32_t g = 0; g < w->t->n_groups; g++)
		if (g != w->gm_group &&
		    add_transfer(s, 1 + down, down ? gm : w->lm[g],
				 down ? w->lm[g] : gm))
			return -1;
	return 0;
}

static int add_slice(const struct work *w, struct pl_slices *slices)
{
	struct pl_slice s = {.weight = 1};

	if (add_members(w, &s, false) || add_masters(w, &s, false) ||
	    add_masters(w, &s, true) || add_members(w, &s, true) ||
	    pl_slices_add_take(slices, &s, PL_SLICE_ALL)) {
		pl_slice_fini(&s);
		return -1;
	}
	return 0;
}

int pl_two_level_slices(struct pl_slices *slices, const struct pl_two_level *t,
			struct pl_err *err)
{
	struct work w;
	int rc = work_init(&w, t, err);
	const size_t n = rc ? 0 : count_slices(&w);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		choose_masters(&w);
		if (add_slice(&w, slices))
			rc = pl_err_nomem(err);
	}
	work_fini(&w);
	if (rc)
		pl_slices_fini(slices);
	return rc;
}
