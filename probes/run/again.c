/* SPDX-License-Identifier: BSD-3-Clause */
/* again.c - pairs measured a second time: which value is kept, and how the network has drifted */
#include "config.h"

#include "probes/run/again.h"

#include "base/mem.h"
#include "base/stats.h"
#include "probes/run/suspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pl_layer *layer(const struct pl_again *a, const char *name)
{
	return pl_matrix_layer(a->collect->matrix, name);
}

static double p10_of(const struct pl_again *a, size_t src, size_t dst)
{
	return pl_layer_get(layer(a, "p10"), src * a->collect->matrix->hosts.n + dst);
}

/* Those of @first that have both values. */
static void choose_drift(struct pl_again *a, const struct pl_meet *first, size_t n_first)
{
	for (size_t i = 0; i < n_first && a->n < a->options->drift_pairs; i++) {
		const struct pl_meet *m = &first[i];

		if (m->ways == PL_MEET_BOTH && !isnan(p10_of(a, m->a, m->b)) &&
		    !isnan(p10_of(a, m->b, m->a)))
			a->v[a->n++] = *m;
	}
	a->n_drift = a->n;
}

/* Adds a suspect, unless it is measured for the drift in any case. */
static void add_suspect(struct pl_again *a, const struct pl_meet *meet)
{
	size_t k = 0;

	while (k < a->n_drift && (a->v[k].a != meet->a || a->v[k].b != meet->b))
		k++;
	if (k == a->n_drift) {
		k = a->n++;
		a->v[k] = *meet;
	}
	a->suspected[k] = 1;
	a->n_suspects++;
}

static size_t suspects_max(const struct pl_again *a)
{
	const size_t n = a->collect->matrix->hosts.n;
	size_t n_pairs = n * (n - 1) / 2;

	if (a->collect->chosen) {
		n_pairs = 0;
		for (size_t at = 0; at < n * n; at++)
			n_pairs += a->collect->chosen[at];
		n_pairs /= 2;
	}
	return (size_t)ceil(a->options->again_share * (double)n_pairs);
}

static int compare_pairs(const void *x, const void *y)
{
	const struct pl_again_place *one = x, *two = y;

	if (one->a != two->a)
		return one->a < two->a ? -1 : 1;
	return one->b < two->b ? -1 : one->b > two->b;
}

static void sort_pairs(struct pl_again *a)
{
	for (size_t k = 0; k < a->n; k++)
		a->by_pair[k] = (struct pl_again_place){a->v[k].a, a->v[k].b, k};
	qsort(a->by_pair, a->n, sizeof(*a->by_pair), compare_pairs);
}

/* Index into v of the pair, n where it is none of them. */
static size_t find_pair(const struct pl_again *a, size_t low, size_t high)
{
	const struct pl_again_place key = {(uint32_t)low, (uint32_t)high, 0};
	const struct pl_again_place *found =
		bsearch(&key, a->by_pair, a->n, sizeof(key), compare_pairs);

	return found ? found->at : a->n;
}

static int choose_suspects(struct pl_again *a, struct pl_meet *found, size_t most,
			   struct pl_err *err)
{
	const struct pl_suspect_input in = {
		.n = a->collect->matrix->hosts.n,
		.p10 = layer(a, "p10"),
		.p50 = layer(a, "p50"),
		.sent = layer(a, "sent"),
		.lost = layer(a, "lost"),
		.late = layer(a, "late"),
		.fresh = a->collect->fresh,
		.tolerance = {.share = a->options->precision, .ns = PL_PROBE_PRECISION_NS},
		.most = most,
	};
	size_t n;

	if (most == 0)
		return 0;
	if (pl_suspect(&in, found, &n, err))
		return -1;
	for (size_t k = 0; k < n; k++)
		add_suspect(a, &found[k]);
	return 0;
}

int pl_again_choose(struct pl_again *a, const struct pl_meet *first, size_t n_first,
		    struct pl_err *err)
{
	const size_t most = suspects_max(a);
	const size_t room = most + a->options->drift_pairs;
	struct pl_meet *found = pl_array_create(most, sizeof(*found));
	int status = -1;

	a->v = pl_array_create(room, sizeof(*a->v));
	a->suspected = pl_array_create(room, 1);
	a->by_pair = pl_array_create(room, sizeof(*a->by_pair));
	a->shift = pl_array_create(a->options->drift_pairs, 2 * sizeof(*a->shift));
	if (!found || !a->v || !a->suspected || !a->by_pair || !a->shift) {
		pl_err_nomem(err);
	} else {
		choose_drift(a, first, n_first);
		status = choose_suspects(a, found, most, err);
		sort_pairs(a);
	}
	free(found);
	return status;
}

void pl_again_fini(struct pl_again *a)
{
	free(a->v);
	free(a->suspected);
	free(a->by_pair);
	free(a->shift);
	memset(a, 0, sizeof(*a));
}

static void compare(struct pl_again *a, double first, double second)
{
	const struct pl_probe_options *o = a->options;
	const double slack = 2 * (o->precision * first + PL_PROBE_PRECISION_NS);

	a->shift[a->n_shifts++] = first > 0 ? (second - first) / first : 0;
	a->n_beyond += fabs(second - first) > slack;
}

int pl_again_take(struct pl_again *a, size_t src, size_t dst, const struct pl_probed_pair *pair)
{
	const size_t low = src < dst ? src : dst, high = src + dst - low;
	const double first = p10_of(a, src, dst);
	const double second = (double)pair->rtt.p10_ns;
	const size_t k = find_pair(a, low, high);

	if (k == a->n || pair->answered < a->options->probes_min)
		return 0;
	if (k < a->n_drift)
		compare(a, first, second);
	if (!a->suspected[k] || second >= first)
		return 0;
	a->n_replaced++;
	return pl_collect_pair(a->collect, src, dst, pair, "");
}

int pl_again_report(struct pl_again *a, struct pl_probe_report *report)
{
	struct pl_matrix *m = a->collect->matrix;

	report->pairs_again = a->n_suspects;
	report->ways_replaced = a->n_replaced;
	report->drift_ways = a->n_shifts;
	report->drift_beyond = a->n_beyond;
	report->drift_share = 0;
	if (a->n_shifts > 0) {
		report->drift_share = pl_median(a->shift, a->n_shifts);
		if (pl_matrix_print_header(m, "drift", "ways=%zu median-percent=%.2f beyond=%zu",
					   a->n_shifts, 100 * report->drift_share, a->n_beyond))
			return -1;
	}
	if (a->n_suspects == 0)
		return 0;
	return pl_matrix_print_header(m, "again", "pairs=%zu replaced-ways=%zu", a->n_suspects,
				      a->n_replaced);
}
