/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.c - what plink-order does about pairs nobody could measure */
#include "config.h"

#include "src/order/missing.h"

#include "src/mem.h"
#include "src/order/cover.h"
#include "src/order/dead.h"
#include "src/order/estimate.h"
#include "src/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hosts named one by one before the rest is only counted. */
#define NAMED_MAX 20
/* Looks at a missing pair before the search for the fewest hosts ends: less than
 * a second's. */
#define STEPS_MAX UINT64_C(100000000)

/* What is missing, and who is at fault. */
struct faults {
	struct pl_gaps gaps;
	size_t *missing; /* [n] cells from and to a host without a cost */
	size_t sum;      /* cells without a cost */
	bool *taken;     /* [n] the fewest hosts without which none is */
	struct pl_cover cover;
};

static bool lacks(const struct pl_order_input *in, size_t cell)
{
	return isnan(in->c[cell]) ||
	       (in->per_byte && isnan(in->per_byte[cell]));
}

static void fini(struct faults *f)
{
	free(f->gaps.first);
	free(f->gaps.peer);
	free(f->missing);
	free(f->taken);
}

/* Fills missing, sum, and in gaps.first[h + 1] how many pairs of host h miss. */
static void count(const struct pl_order_input *in, struct faults *f)
{
	const size_t n = in->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const size_t lost = (size_t)lacks(in, i * n + j) +
					    (size_t)lacks(in, j * n + i);

			f->sum += lost;
			f->missing[i] += lost;
			f->missing[j] += lost;
			f->gaps.first[i + 1] += lost > 0;
			f->gaps.first[j + 1] += lost > 0;
		}
}

static int list_gaps(const struct pl_order_input *in, struct pl_gaps *gaps)
{
	const size_t n = gaps->n;
	size_t at = 0;

	for (size_t h = 0; h < n; h++)
		gaps->first[h + 1] += gaps->first[h];
	gaps->peer = pl_array_create(gaps->first[n], sizeof(*gaps->peer));
	if (!gaps->peer)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j &&
			    (lacks(in, i * n + j) || lacks(in, j * n + i)))
				gaps->peer[at++] = (uint32_t)j;
	return 0;
}

/* 0, or -1: out of memory. */
static int find_faults(const struct pl_order_input *in, struct faults *f)
{
	const size_t n = in->hosts.n;

	f->gaps.n = n;
	f->gaps.first = pl_array_create(n + 1, sizeof(*f->gaps.first));
	f->missing = pl_array_create(n, sizeof(*f->missing));
	f->taken = pl_array_create(n, sizeof(*f->taken));
	if (!f->gaps.first || !f->missing || !f->taken)
		return -1;
	count(in, f);
	if (f->sum == 0)
		return 0;
	return list_gaps(in, &f->gaps) || pl_cover_find(&f->gaps, STEPS_MAX,
							f->taken, &f->cover)
		       ? -1
		       : 0;
}

/* The first note on a cell between that host and another, or NULL. */
static const char *reason(const struct pl_matrix *m, const struct pl_host *host)
{
	for (size_t i = 0; i < m->n_notes; i++) {
		const struct pl_cell_note *note = &m->note[i];
		const char *src = m->hosts.v[note->src].name;
		const char *dst = m->hosts.v[note->dst].name;

		if (!strcmp(src, host->name) || !strcmp(dst, host->name))
			return note->text;
	}
	return NULL;
}

static void name_host(const struct pl_order_input *in, const struct faults *f,
		      const struct pl_matrix *m, size_t h)
{
	const char *why = reason(m, &in->hosts.v[h]);
	char label[PL_HOST_LABEL];

	pl_tool_say(PL_ORDER_TOOL, "%s: %zu of %zu cells missing%s%s",
		    pl_order_label(label, &in->hosts.v[h]), f->missing[h],
		    2 * (in->hosts.n - 1), why ? ": " : "", why ? why : "");
}

/* Who is taken, but of many only the first ones; how many they are. */
static size_t name_taken(const struct pl_order_input *in,
			 const struct faults *f, const struct pl_matrix *m)
{
	size_t n = 0;

	for (size_t h = 0; h < in->hosts.n; h++)
		if (f->taken[h] && n++ < NAMED_MAX)
			name_host(in, f, m, h);
	if (n > NAMED_MAX)
		pl_tool_say(PL_ORDER_TOOL, "and %zu hosts more", n - NAMED_MAX);
	return n;
}

/* The few that others miss, and how many those others are. */
static void name_hosts(const struct pl_order_input *in, const struct faults *f,
		       const struct pl_matrix *m)
{
	const size_t n_named = name_taken(in, f, m);
	size_t n_others = 0;

	for (size_t h = 0; h < in->hosts.n; h++)
		n_others += f->missing[h] > 0 && !f->taken[h];
	if (n_others > 0)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu other hosts miss none but cells from and to "
			    "%s",
			    n_others, n_named > 1 ? "these" : "this one");
}

/* Every missing cell of the square gets the dearest one, *dearest; how many? */
static size_t fill_square(double *cell, size_t n, double *dearest)
{
	size_t n_filled = 0;

	*dearest = -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (j != i && cell[i * n + j] > *dearest)
				*dearest = cell[i * n + j];
	for (size_t i = 0; *dearest >= 0 && i < n * n; i++)
		if (isnan(cell[i])) {
			cell[i] = *dearest;
			n_filled++;
		}
	return n_filled;
}

/* Every missing cell costs what the dearest measured one does. */
static int fill(struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	double dearest, slowest = 0;
	size_t n_bandwidths = 0;

	in->n_filled = fill_square(in->c, n, &dearest);
	if (in->per_byte)
		n_bandwidths = fill_square(in->per_byte, n, &slowest);
	if (dearest < 0 || slowest < 0)
		return pl_err_set(err, PL_EPARTIAL,
				  "no pair was measured; see the reasons in "
				  "the matrix, and measure again");
	if (in->n_filled)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing cells taken for the dearest, %.10g %s",
			    in->n_filled, dearest, pl_unit_name(in->unit));
	if (n_bandwidths)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing bandwidths taken for the least",
			    n_bandwidths);
	in->n_filled += n_bandwidths;
	return 0;
}

/* What the measured ones say of every missing one; how many, and it is said. */
static int estimate_cells(const struct pl_order_input *in, double *cell,
			  const char *what, size_t *n, struct pl_err *err)
{
	const char *by;

	if (pl_order_estimate(in, cell, n, &by, err))
		return -1;
	if (*n)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing %s estimated from the others, by %s",
			    *n, what, by);
	return 0;
}

static int estimate(struct pl_order_input *in, struct pl_err *err)
{
	size_t n_bandwidths = 0;

	if (estimate_cells(in, in->c, "cells", &in->n_filled, err) ||
	    (in->per_byte && estimate_cells(in, in->per_byte, "bandwidths",
					    &n_bandwidths, err)))
		return -1;
	in->n_filled += n_bandwidths;
	return 0;
}

/* Keeps the rows and columns of those that are not taken. */
static void drop_cells(double *cell, size_t n, const bool *taken)
{
	size_t to = 0;

	for (size_t i = 0; cell && i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (!taken[i] && !taken[j])
				cell[to++] = cell[i * n + j];
}

static void say_dropped(const struct pl_order_input *in,
			const struct pl_cover *cover)
{
	char label[PL_HOST_LABEL];

	for (size_t h = 0; h < in->dropped.n; h++)
		pl_tool_say(PL_ORDER_TOOL, "host %s left out",
			    pl_order_label(label, &in->dropped.v[h]));
	if (cover->n_least < cover->n_taken)
		pl_tool_say(
			PL_ORDER_TOOL,
			"these are %zu; fewer were not found, but might do, "
			"down to %zu",
			cover->n_taken, cover->n_least);
}

/* Takes the hosts at fault out of the list and of the costs. */
static int drop(struct pl_order_input *in, const struct faults *f,
		struct pl_err *err)
{
	struct pl_hosts rest = {0};

	for (size_t h = 0; h < in->hosts.n; h++)
		if (pl_hosts_add(f->taken[h] ? &in->dropped : &rest,
				 &in->hosts.v[h])) {
			pl_hosts_fini(&rest);
			return pl_err_nomem(err);
		}
	drop_cells(in->c, in->hosts.n, f->taken);
	drop_cells(in->per_byte, in->hosts.n, f->taken);
	pl_hosts_fini(&in->hosts);
	in->hosts = rest;
	say_dropped(in, &f->cover);
	return rest.n < 2
		       ? pl_err_set(err, PL_EPARTIAL,
				    "fewer than two hosts are left; see what "
				    "--missing offers, or measure again")
		       : 0;
}

static int deal(struct pl_order_input *in, enum pl_order_missing how,
		const struct faults *f, struct pl_err *err)
{
	const size_t n = in->hosts.n;

	switch (how) {
	case PL_MISSING_REFUSE:
		break;
	case PL_MISSING_WORST:
		return fill(in, err);
	case PL_MISSING_DROP:
		return drop(in, f, err);
	case PL_MISSING_ESTIMATE:
		return estimate(in, err);
	}
	return pl_err_set(err, PL_EPARTIAL,
			  "%zu of %zu cells are missing (see --missing)",
			  f->sum, n * (n - 1));
}

/* Was a choice of pairs measured, on purpose? */
static bool is_sampled(const struct pl_matrix *m)
{
	for (size_t k = 0; k < m->n_headers; k++)
		if (!strcmp(m->header[k].key, "sampled"))
			return true;
	return false;
}

/* How many cells are without a cost, of each host too where @missing is there. */
static size_t count_cells(const struct pl_order_input *in, size_t *missing)
{
	const size_t n = in->hosts.n;
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			if (i == j || !lacks(in, i * n + j))
				continue;
			sum++;
			if (missing) {
				missing[i]++;
				missing[j]++;
			}
		}
	return sum;
}

/* Who is dead goes, with what it lacks; the others lack what was not sampled, and that
 * is estimated. */
static int drop_dead(struct pl_order_input *in, const struct pl_matrix *m,
		     struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct faults f = {0};
	int rc = -1;

	f.missing = pl_array_create(n, sizeof(*f.missing));
	f.taken = pl_array_create(n, sizeof(*f.taken));
	if (!f.missing || !f.taken) {
		pl_err_nomem(err);
		goto out;
	}
	f.sum = count_cells(in, f.missing);
	if (pl_order_dead(in, m, f.taken, err))
		goto out;
	for (size_t h = 0; h < n; h++)
		f.cover.n_taken += f.taken[h];
	f.cover.n_least = f.cover.n_taken;
	if (f.cover.n_taken > 0) {
		name_taken(in, &f, m);
		if (drop(in, &f, err))
			goto out;
	}
	rc = estimate(in, err);
out:
	fini(&f);
	return rc;
}

/* Nearly all hosts miss nearly all cells then: there is no use in naming them. */
static int deal_sampled(struct pl_order_input *in, enum pl_order_missing how,
			const struct pl_matrix *m, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct faults f = {.sum = count_cells(in, NULL)};

	if (f.sum == 0)
		return 0;
	if (how == PL_MISSING_REFUSE)
		return pl_err_set(err, PL_EPARTIAL,
				  "%zu of %zu cells are missing, most of them "
				  "not sampled: --missing=estimate fills them",
				  f.sum, n * (n - 1));
	pl_tool_say(PL_ORDER_TOOL,
		    "%zu of %zu cells are missing, most of them not sampled",
		    f.sum, n * (n - 1));
	return how == PL_MISSING_DROP ? drop_dead(in, m, err)
				      : deal(in, how, &f, err);
}

int pl_order_missing(struct pl_order_input *in, enum pl_order_missing how,
		     const struct pl_matrix *m, struct pl_err *err)
{
	struct faults f = {0};
	int rc = 0;

	if (is_sampled(m))
		return deal_sampled(in, how, m, err);
	if (find_faults(in, &f)) {
		rc = pl_err_nomem(err);
	} else if (f.sum > 0) {
		name_hosts(in, &f, m);
		rc = deal(in, how, &f, err);
	}
	fini(&f);
	return rc;
}
