/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.c - takes the costs that orders are judged by from a matrix */
#include "config.h"

#include "order/costs.h"

#include "base/mem.h"
#include "order/bandwidth.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fills to[n * n] from a square over the matrix's hosts; between entries that are the same host the
 * cost is 0. @or_more: a value that is there already and higher stays. */
static void pick(double *to, size_t n, const struct pl_matrix *m, const double *all,
		 const size_t *index, bool or_more)
{
	const size_t n_all = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const double own =
				index[i] == index[j] ? 0 : all[index[i] * n_all + index[j]];

			to[i * n + j] = or_more ? fmax(to[i * n + j], own) : own;
		}
}

/* Pairs of hosts, each once; listed[n_all], zeroed, is scratch. */
static void count_pairs(struct pl_order_input *in, const struct pl_matrix *m, const size_t *index,
			bool *listed)
{
	const double *raw = m->layer[0].cell;
	const size_t n_all = m->hosts.n;

	for (size_t h = 0; h < in->hosts.n; h++)
		listed[index[h]] = true;
	for (size_t i = 0; i < n_all; i++)
		for (size_t j = 0; listed[i] && j < n_all; j++) {
			if (i == j || !listed[j])
				continue;
			if (isnan(raw[i * n_all + j]))
				in->pairs_missing++;
			else
				in->pairs_measured++;
		}
}

/* The cost of a byte between our hosts, @listed, if sizes matter and it is known; @all is
 * scratch. */
static int take_per_byte(struct pl_order_input *in, const struct pl_matrix *m,
			 const struct pl_order_request *q, enum pl_symmetrize how,
			 const size_t *index, const bool *listed, double *all, struct pl_err *err)
{
	const struct pl_layer *layer = pl_matrix_bandwidths(m, NULL);
	const size_t n = in->hosts.n;
	const bool all_at_once = pl_order_request_promises(q) || q->for_job;
	bool shared = false, told = false;

	if (m->layer[0].quantity == PL_DISTANCE || !(q->what.has_size || q->tables || all_at_once))
		return 0;
	if (all_at_once ? pl_order_shared_per_byte(m, q, listed, all, &shared, err)
	    : layer     ? 0
			: pl_order_per_byte_told(m, how, all, &told, err))
		return -1;
	if (!layer && !shared && !told)
		return 0;
	in->per_byte = pl_array_create(n * n, sizeof(*in->per_byte));
	if (!in->per_byte)
		return pl_err_nomem(err);
	if (shared || told)
		pick(in->per_byte, n, m, all, index, false);
	if (layer) { /* the measured cost, or a higher one if links are
		      * shared */
		pl_order_per_byte(m, layer, how, all);
		pick(in->per_byte, n, m, all, index, shared);
	}
	return 0;
}

static int check_quantity(const struct pl_matrix *m, const struct pl_order_request *q,
			  struct pl_err *err)
{
	const enum pl_quantity held = m->layer[0].quantity;

	if (held == PL_RTT || held == PL_ONE_WAY)
		return 0;
	if (held == PL_DISTANCE && !q->tables)
		return 0;
	if (held == PL_DISTANCE)
		return pl_err_set(err, PL_EINPUT,
				  "the matrix holds distances by levels: seconds cannot be "
				  "predicted from them; measure with plink-probe");
	return pl_err_set(err, PL_EINPUT,
			  "the matrix holds a %s, not a cost: rtt or one-way is needed",
			  pl_quantity_name(held));
}

int pl_order_take_costs(struct pl_order_input *in, const struct pl_matrix *m,
			const struct pl_order_request *q, struct pl_err *err)
{
	const enum pl_symmetrize how = q->has_symmetrize ? q->symmetrize : m->symmetrize;
	const size_t n = in->hosts.n, n_all = m->hosts.n;
	size_t *index = pl_array_create(n, sizeof(*index));
	bool *listed = pl_array_create(n_all, sizeof(*listed));
	double *all = pl_array_create(n_all * n_all, sizeof(*all));
	int rc = -1;

	in->unit = m->layer[0].unit;
	in->round_trips = m->layer[0].quantity == PL_RTT;
	in->c = pl_array_create(n * n, sizeof(*in->c));
	if (!index || !listed || !all || !in->c) {
		pl_err_nomem(err);
		goto out;
	}
	if (check_quantity(m, q, err) || pl_order_match(in, m, index, err))
		goto out;
	pl_matrix_costs(m, how, all);
	pick(in->c, n, m, all, index, false);
	count_pairs(in, m, index, listed);
	rc = take_per_byte(in, m, q, how, index, listed, all, err);
out:
	free(all);
	free(listed);
	free(index);
	return rc;
}
