/* SPDX-License-Identifier: BSD-3-Clause */
/* layer.c - cells of a layer, whether all have room or only those that are there */
#include "config.h"

#include "base/matrix/matrix.h"

#include "base/matrix/cells.h"
#include "base/matrix/few.h"
#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pl_layer_init(struct pl_layer *layer, const struct pl_matrix *m, const char *statistic)
{
	layer->n = m->hosts.n;
	layer->statistic = pl_string_copy(statistic, strlen(statistic));
	if (m->few)
		layer->few = pl_few_create();
	else
		layer->cell = pl_cells_create(m->hosts.n);
	if (layer->statistic && (layer->cell || layer->few))
		return 0;
	pl_layer_fini(layer);
	return -1;
}

void pl_layer_fini(struct pl_layer *layer)
{
	free(layer->statistic);
	free(layer->cell);
	pl_few_destroy(layer->few);
}

double pl_layer_get(const struct pl_layer *layer, size_t at)
{
	if (layer->cell)
		return layer->cell[at];
	return at % (layer->n + 1) == 0 ? 0 : pl_few_get(layer->few, at);
}

int pl_layer_set(struct pl_layer *layer, size_t at, double value)
{
	if (!layer->cell)
		return pl_few_set(layer->few, at, value);
	layer->cell[at] = value;
	return 0;
}

/* Writes the places of the cells that are there to at[], unless it is NULL. */
static size_t list_dense(const struct pl_layer *layer, uint32_t *at)
{
	const size_t n = layer->n;
	size_t k = 0;

	for (size_t i = 0; i < n * n; i++) {
		if (isnan(layer->cell[i]) || i % (n + 1) == 0)
			continue;
		if (at)
			at[k] = (uint32_t)i;
		k++;
	}
	return k;
}

static size_t list_few(const struct pl_layer *layer, uint32_t *at)
{
	const struct pl_few *few = layer->few;
	size_t k = 0;

	for (size_t i = 0; i < few->room; i++) {
		if (!few->key[i] || isnan(few->value[i]))
			continue;
		if (at)
			at[k] = few->key[i] - 1;
		k++;
	}
	if (at)
		pl_sort_uint32(at, k);
	return k;
}

size_t pl_layer_known(const struct pl_layer *layer)
{
	return layer->cell ? list_dense(layer, NULL) : list_few(layer, NULL);
}

uint32_t *pl_layer_list(const struct pl_layer *layer, size_t *n)
{
	uint32_t *at;

	*n = pl_layer_known(layer);
	at = pl_array_create(*n, sizeof(*at));
	if (at && layer->cell)
		list_dense(layer, at);
	else if (at)
		list_few(layer, at);
	return at;
}
