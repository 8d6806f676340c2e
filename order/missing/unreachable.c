/* SPDX-License-Identifier: BSD-3-Clause */
/* unreachable.c - hosts of a sampled matrix with too few measured pairs */
#include "config.h"

#include "order/missing/estimate.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "base/stats.h"
#include "order/costs.h"
#include "topology/linked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 0.5 /* share of the median host's pairs */

/* By host of the input: pairs with a value, and cells with a failed attempt. */
struct tally {
	double *known, *sorted;
	size_t *failed; /* [hosts of the matrix] */
	size_t *index;  /* of a host of the input in the matrix */
	double *cell;   /* [n * n] NaN where one of its costs is */
};

static void tally_fini(struct tally *t)
{
	free(t->known);
	free(t->sorted);
	free(t->failed);
	free(t->index);
	free(t->cell);
}

static int tally_init(struct tally *t, size_t n, size_t n_there)
{
	t->known = pl_array_create(n, sizeof(*t->known));
	t->sorted = pl_array_create(n, sizeof(*t->sorted));
	t->failed = pl_array_create(n_there, sizeof(*t->failed));
	t->index = pl_array_create(n, sizeof(*t->index));
	t->cell = pl_array_create(n, n * sizeof(*t->cell));
	return t->known && t->sorted && t->failed && t->index && t->cell ? 0 : -1;
}

static void count_known(const struct pl_order_input *in, struct tally *t)
{
	const size_t n = in->hosts.n;

	for (size_t p = 0; p < n * n; p++) {
		const bool there = !isnan(in->c[p]) && !(in->per_byte && isnan(in->per_byte[p]));

		t->cell[p] = there ? in->c[p] : NAN;
		if (there && p % (n + 1) != 0) {
			t->known[p / n]++;
			t->known[p % n]++;
		}
	}
}

/* If the cell has a value, its note tells how it was measured. */
static void count_failed(const struct pl_matrix *m, size_t *failed)
{
	const double *cell = m->layer[0].cell;

	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];

		if (!isnan(cell[note->src * m->hosts.n + note->dst]) || pl_tiers_flow_failed(note))
			continue;
		failed[note->src]++;
		failed[note->dst]++;
	}
}

int pl_order_unreachable(struct pl_order_input *in, const struct pl_matrix *m, bool *unreachable,
			 struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct tally t = {0};
	double enough;
	size_t n_left;
	int rc = -1;

	if (tally_init(&t, n, m->hosts.n)) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_order_match(in, m, t.index, err))
		goto out;
	count_known(in, &t);
	count_failed(m, t.failed);
	memcpy(t.sorted, t.known, n * sizeof(*t.known));
	pl_sort_doubles(t.sorted, n);
	enough = FEW * t.sorted[pl_percentile_index(n, 0.5)];
	for (size_t h = 0; h < n; h++) /* reachable hosts, until inverted */
		unreachable[h] = t.known[h] > 0 && (t.known[h] >= enough ||
						    t.known[h] >= (double)t.failed[t.index[h]]);
	rc = pl_linked_most(t.cell, n, unreachable, &n_left);
	if (rc)
		pl_err_nomem(err);
	for (size_t h = 0; h < n; h++)
		unreachable[h] = !unreachable[h];
out:
	tally_fini(&t);
	return rc;
}
