/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.c - what plink-order does about pairs without a measurement */
#include "config.h"

#include "src/order/missing.h"

#include "base/mem.h"
#include "order/missing/estimate.h"
#include "src/order/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets every missing cell of the square to the highest one, *dearest. Returns how many there
 * were. */
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

/* Every missing cell gets the highest cost that was measured. */
static int fill(struct pl_order_input *in, struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	double dearest, slowest = 0;
	size_t n_bandwidths = 0;

	in->n_filled = fill_square(in->c, n, &dearest);
	if (in->per_byte)
		n_bandwidths = fill_square(in->per_byte, n, &slowest);
	if (dearest < 0 || slowest < 0)
		return pl_err_set(
			err, PL_EPARTIAL,
			"no pair was measured; see the reasons in the matrix, and measure again");
	if (in->n_filled)
		pl_reorder_remark(remarks,
				  "%zu missing cells got the highest cost measured, %.10g %s",
				  in->n_filled, dearest, pl_unit_name(in->unit));
	if (n_bandwidths)
		pl_reorder_remark(remarks, "%zu missing bandwidths got the lowest one measured",
				  n_bandwidths);
	in->n_filled += n_bandwidths;
	return 0;
}

/* Fills every missing cell with an estimate from the measured ones; *n: how many. */
static int estimate_cells(const struct pl_order_input *in, double *cell, const char *what,
			  size_t *n, struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	const char *by;

	if (pl_order_estimate(in, cell, n, &by, err))
		return -1;
	if (*n)
		pl_reorder_remark(remarks, "%zu missing %s estimated from the others, by %s", *n,
				  what, by);
	return 0;
}

static int estimate(struct pl_order_input *in, struct pl_reorder_remarks *remarks,
		    struct pl_err *err)
{
	size_t n_bandwidths = 0;

	if (estimate_cells(in, in->c, "cells", &in->n_filled, remarks, err) ||
	    (in->per_byte &&
	     estimate_cells(in, in->per_byte, "bandwidths", &n_bandwidths, remarks, err)))
		return -1;
	in->n_filled += n_bandwidths;
	return 0;
}

/* Keeps the rows and columns of the hosts that are not taken. */
static void drop_cells(double *cell, size_t n, const bool *taken)
{
	size_t to = 0;

	for (size_t i = 0; cell && i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (!taken[i] && !taken[j])
				cell[to++] = cell[i * n + j];
}

static void remark_dropped(const struct pl_order_input *in, const struct pl_cover *cover,
			   struct pl_reorder_remarks *remarks)
{
	char label[PL_HOST_LABEL];

	for (size_t h = 0; h < in->dropped.n; h++)
		pl_reorder_remark(remarks, "host %s left out",
				  pl_order_label(label, &in->dropped.v[h]));
	if (cover->n_least < cover->n_taken)
		pl_reorder_remark(
			remarks,
			"these are %zu; fewer were not found, but %zu or more might suffice",
			cover->n_taken, cover->n_least);
}

/* Takes the hosts at fault out of the list and of the costs. */
static int drop(struct pl_order_input *in, const struct pl_faults *f,
		struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	struct pl_hosts rest = {0};

	for (size_t h = 0; h < in->hosts.n; h++)
		if (pl_hosts_add(f->taken[h] ? &in->dropped : &rest, &in->hosts.v[h])) {
			pl_hosts_fini(&rest);
			return pl_err_nomem(err);
		}
	drop_cells(in->c, in->hosts.n, f->taken);
	drop_cells(in->per_byte, in->hosts.n, f->taken);
	pl_hosts_fini(&in->hosts);
	in->hosts = rest;
	remark_dropped(in, &f->cover, remarks);
	return rest.n < 2 ? pl_err_set(err, PL_EPARTIAL,
				       "fewer than two hosts are left; see what --missing offers, "
				       "or measure again")
			  : 0;
}

static int deal(struct pl_order_input *in, enum pl_reorder_missing how, const struct pl_faults *f,
		struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	const size_t n = in->hosts.n;

	switch (how) {
	case PL_MISSING_REFUSE:
		break;
	case PL_MISSING_WORST:
		return fill(in, remarks, err);
	case PL_MISSING_DROP:
		return drop(in, f, remarks, err);
	case PL_MISSING_ESTIMATE:
		return estimate(in, remarks, err);
	}
	return pl_err_set(err, PL_EPARTIAL, "%zu of %zu cells are missing (see --missing)", f->sum,
			  n * (n - 1));
}

/* Hosts that cannot be reached are dropped; what the others lack was not sampled, and is
 * estimated. */
static int drop_dead(struct pl_order_input *in, const struct pl_matrix *m,
		     struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_faults f = {0};
	int rc = -1;

	f.missing = pl_array_create(n, sizeof(*f.missing));
	f.taken = pl_array_create(n, sizeof(*f.taken));
	if (!f.missing || !f.taken) {
		pl_err_nomem(err);
		goto out;
	}
	f.sum = pl_faults_count(in, f.missing);
	if (pl_order_unreachable(in, m, f.taken, err))
		goto out;
	for (size_t h = 0; h < n; h++)
		f.cover.n_taken += f.taken[h];
	f.cover.n_least = f.cover.n_taken;
	if (f.cover.n_taken > 0) {
		pl_faults_name_taken(in, &f, m, remarks);
		if (drop(in, &f, remarks, err))
			goto out;
	}
	rc = estimate(in, remarks, err);
out:
	pl_faults_fini(&f);
	return rc;
}

/* Nearly all hosts lack nearly all cells then: naming the hosts would be of no use. */
static int deal_sampled(struct pl_order_input *in, enum pl_reorder_missing how,
			const struct pl_matrix *m, struct pl_reorder_remarks *remarks,
			struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_faults f = {.sum = pl_faults_count(in, NULL)};

	if (f.sum == 0)
		return 0;
	if (how == PL_MISSING_REFUSE)
		return pl_err_set(err, PL_EPARTIAL,
				  "%zu of %zu cells are missing, most of them not sampled: "
				  "--missing=estimate fills them",
				  f.sum, n * (n - 1));
	pl_reorder_remark(remarks, "%zu of %zu cells are missing, most of them not sampled", f.sum,
			  n * (n - 1));
	return how == PL_MISSING_DROP ? drop_dead(in, m, remarks, err)
				      : deal(in, how, &f, remarks, err);
}

int pl_reorder_missing(struct pl_order_input *in, enum pl_reorder_missing how,
		       const struct pl_matrix *m, struct pl_reorder_remarks *remarks,
		       struct pl_err *err)
{
	struct pl_faults f = {0};
	int rc = 0;

	if (pl_matrix_header(m, "sampled")) /* on purpose */
		return deal_sampled(in, how, m, remarks, err);
	if (pl_faults_find(in, m, &f)) {
		rc = pl_err_nomem(err);
	} else if (f.sum > 0) {
		pl_faults_name(in, &f, m, remarks);
		rc = deal(in, how, &f, remarks, err);
	}
	pl_faults_fini(&f);
	return rc;
}
