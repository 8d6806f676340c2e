/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c - problems of ordering hosts, drawn by number */
#include "config.h"

#include "bench/cells.h"

#include "bench/racks.h"
#include "base/mem.h"
#include "base/rng.h"
#include "costmodels/catalogue.h"

#include <stdlib.h>
#include <string.h>

#define HOSTS_MIN 2
#define HOSTS_MAX 64
#define RACK_MAX 9 /* hosts; unequal ones have up to half as many more */
#define BYTES ((uint64_t)1 << 20)

static const uint64_t mixed_bytes[] = {2048, 65536, 1 << 20, 8 << 20};
#define MIXED (sizeof(mixed_bytes) / sizeof(*mixed_bytes))

static const struct racks_kind networks[] = {
	{.name = "racks"},
	{.name = "unequal", .uneven = true, .varied = true},
	{.name = "noisy", .varied = true, .noise = 0.1},
	{.name = "noisy-unequal", .uneven = true, .varied = true, .noise = 0.1},
	{.name = "noisy-pods", .racks_in_pod = 3, .varied = true, .noise = 0.1},
	{.name = "uniform", .uniform = true},
	{.name = "plane", .plane = true},
};
#define NETWORKS (sizeof(networks) / sizeof(*networks))

static const struct algorithm {
	const char *name, *entry;
	enum pl_impl impl;
	bool mixed;
} algorithms[] = {
	{"ring", "ring", PL_THESIS, false},
	{"halving-doubling", "halving-doubling", PL_THESIS, false},
	{"double-binary-tree", "double-binary-tree", PL_THESIS, false},
	{"bcube", "bcube", PL_THESIS, false},
	{"recursive-doubling", "recursive-doubling", PL_OPENMPI, false},
	{"rabenseifner", "rabenseifner", PL_OPENMPI, false},
	{"mixture", "default", PL_OPENMPI, true},
};
#define ALGORITHMS (sizeof(algorithms) / sizeof(*algorithms))

size_t cells_algorithms(void)
{
	return ALGORITHMS;
}

const char *cells_algorithm(size_t i)
{
	return algorithms[i].name;
}

static int shape_of(const struct algorithm *known, size_t n, uint64_t bytes, struct pl_shape *shape,
		    struct pl_err *err)
{
	struct pl_call call = {.n_pos = n, .bytes = bytes};
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, known->impl, known->entry, &call.radix, err);

	return a ? pl_algorithm_shape(a, &call, shape, err) : -1;
}

static int given_cost(const struct pl_shape *shape, const struct pl_costs *costs, double *cost,
		      struct pl_err *err)
{
	struct pl_objective *o = pl_objective_create(shape, costs, err);
	size_t *at = pl_array_create(costs->n, sizeof(*at));
	int rc = -1;

	for (size_t h = 0; at && h < costs->n; h++)
		at[h] = h;
	if (!at)
		pl_err_nomem(err);
	else if (o)
		rc = 0;
	if (rc == 0)
		*cost = pl_objective_full(o, at);
	free(at);
	pl_objective_destroy(o);
	return rc;
}

/* Adds the hops of @part, each scaled, in groups of its own. */
static int append(struct pl_shape *to, const struct pl_shape *part, double scale,
		  struct pl_err *err)
{
	const uint32_t first = (uint32_t)to->n_groups;

	for (size_t h = 0; h < part->n_hops; h++) {
		struct pl_hop hop = part->hop[h];

		hop.times *= scale;
		hop.group = first + (part->kind == PL_SUM ? (uint32_t)h : hop.group);
		if (pl_shape_add(to, hop, err))
			return -1;
	}
	return 0;
}

static int mix(const struct algorithm *known, const struct pl_costs *costs, struct pl_shape *shape,
	       struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = costs->n};
	for (size_t s = 0; s < MIXED; s++) {
		struct pl_shape part = {.n_hops = 0};
		double given = 0;
		int rc = shape_of(known, costs->n, mixed_bytes[s], &part, err);

		if (rc == 0)
			rc = given_cost(&part, costs, &given, err);
		if (rc == 0 && given > 0)
			rc = append(shape, &part, 1 / given, err);
		pl_shape_fini(&part);
		if (rc)
			return -1;
	}
	return 0;
}

int cells_shape(size_t i, const struct pl_costs *costs, struct pl_shape *shape, struct pl_err *err)
{
	const struct algorithm *known = &algorithms[i];

	return known->mixed ? mix(known, costs, shape, err)
			    : shape_of(known, costs->n, BYTES, shape, err);
}

/* A hop takes as long as the slower of the two cards; costs within a rack, 1000,
 * are taken for 50 us. */
static int fill_rates(struct cell *cell, struct pl_rng *rng)
{
	static const double gbit[] = {1, 10, 25};
	const size_t n = cell->costs.n;
	double *card = pl_array_create(n, sizeof(*card));
	double *per_byte = pl_array_create(n * n, sizeof(*per_byte));

	cell->costs.per_byte = per_byte;
	if (!card || !per_byte) {
		free(card);
		return -1;
	}
	for (size_t h = 0; h < n; h++)
		card[h] = 8 / gbit[pl_rng_below(rng, 3)] / 50;
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			per_byte[a * n + b] = a == b ? 0 : card[a] > card[b] ? card[a] : card[b];
	free(card);
	return 0;
}

static int fill_costs(struct cell *cell, const struct racks_kind *kind, size_t rack,
		      struct pl_rng *rng, struct pl_err *err)
{
	const size_t n = cell->costs.n;
	double *c = pl_array_create(n * n, sizeof(*c));
	size_t *planted = pl_array_create(n, sizeof(*planted));
	int rc = -1;

	cell->costs.c = c;
	if (!c || !planted || (cell->rates && fill_rates(cell, rng)))
		pl_err_nomem(err);
	else
		rc = racks_fill(kind, n, rack, pl_rng_u64(rng), c, planted, err);
	free(planted);
	return rc;
}

int cell_draw(struct cell *cell, uint64_t seed, uint64_t number, struct pl_err *err)
{
	struct racks_kind kind;
	struct pl_rng rng;
	size_t algorithm, rack;
	int rc;

	pl_rng_init(&rng, seed, number);
	algorithm = pl_rng_below(&rng, ALGORITHMS);
	kind = networks[pl_rng_below(&rng, NETWORKS)];
	kind.directed = pl_rng_below(&rng, 2);
	*cell = (struct cell){
		.algorithm = algorithms[algorithm].name,
		.network = kind.name,
		.directed = kind.directed,
		.rates = pl_rng_below(&rng, 2),
		.costs.n = HOSTS_MIN + pl_rng_below(&rng, HOSTS_MAX - HOSTS_MIN + 1),
	};
	kind.varied = kind.varied || kind.directed;
	if (kind.plane && kind.directed)
		kind.noise = 0.1;
	rack = 2 + pl_rng_below(&rng, RACK_MAX - 1);
	rc = fill_costs(cell, &kind, rack, &rng, err);
	if (rc == 0)
		rc = cells_shape(algorithm, &cell->costs, &cell->shape, err);
	if (rc)
		cell_fini(cell);
	return rc;
}

void cell_fini(struct cell *cell)
{
	pl_shape_fini(&cell->shape);
	free((void *)cell->costs.c);
	free((void *)cell->costs.per_byte);
	memset(cell, 0, sizeof(*cell));
}
