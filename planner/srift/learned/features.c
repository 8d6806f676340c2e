/* SPDX-License-Identifier: BSD-3-Clause */
/* features.c - machines and all-reduces as rows of numbers */
#include "config.h"

#include "planner/srift/learned/parts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *const pl_half_name[PL_HALVES] = {"small", "large"};

const char *pl_feature_name(size_t i)
{
	static const char *const asked[] = {"bytes", "ranks", "async"};

	if (i < PL_GRID_TEXTS)
		return pl_grid_text_name[i];
	if (i < PL_FEATURE_BYTES)
		return pl_grid_number_name[i - PL_GRID_TEXTS];
	return asked[i - PL_FEATURE_BYTES];
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int find(struct pl_categories *c, const struct pl_learned *m, int text)
{
	size_t n = 0;

	c->v = pl_array_create(m->n_machines, sizeof(*c->v));
	if (!c->v)
		return -1;
	for (size_t i = 0; i < m->n_machines; i++)
		c->v[i] = m->machine[i].text[text];
	qsort(c->v, m->n_machines, sizeof(*c->v), compare);
	for (size_t i = 0; i < m->n_machines; i++)
		if (n == 0 || strcmp(c->v[i], c->v[n - 1]) != 0)
			c->v[n++] = c->v[i];
	c->n = n;
	return 0;
}

int pl_categories_find(struct pl_learned *m)
{
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		if (find(&m->category[i], m, i))
			return -1;
	return 0;
}

void pl_categories_fini(struct pl_learned *m)
{
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		free(m->category[i].v);
	memset(m->category, 0, sizeof(m->category));
}

static size_t number_of(const struct pl_categories *c, const char *name)
{
	const char **at = bsearch(&name, c->v, c->n, sizeof(*c->v), compare);

	return (size_t)(at - c->v);
}

void pl_features_fill(const struct pl_learned *m, const struct pl_learned_query *query, float *x)
{
	const struct pl_grid_machine *machine = &m->machine[query->machine];

	for (int i = 0; i < PL_GRID_TEXTS; i++)
		*x++ = (float)number_of(&m->category[i], machine->text[i]);
	for (int i = 0; i < PL_GRID_NUMBERS; i++)
		*x++ = (float)machine->number[i];
	*x++ = (float)query->bytes;
	*x++ = (float)query->ranks;
	*x = (float)query->async;
}
