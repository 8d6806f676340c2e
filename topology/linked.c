/* SPDX-License-Identifier: BSD-3-Clause */
/* linked.c - the largest set of hosts that chains of measured pairs connect */
#include "config.h"

#include "topology/linked.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* The first of two sets stands for both. */
static void join(size_t *link, size_t a, size_t b)
{
	a = pl_linked_root(link, a);
	b = pl_linked_root(link, b);
	if (a < b)
		link[b] = a;
	else
		link[a] = b;
}

static void link_all(const double *cell, size_t n, const bool *in, size_t *link)
{
	for (size_t a = 0; a < n; a++)
		link[a] = a;
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; in[a] && b < a; b++)
			if (in[b] && !(isnan(cell[a * n + b]) && isnan(cell[b * n + a])))
				join(link, a, b);
}

/* Marks the hosts of the largest set; size[n], zeroed, is scratch. Returns their number. */
static size_t keep_most(size_t *link, size_t *size, size_t n, bool *in)
{
	size_t most = 0, n_in = 0;

	for (size_t a = 0; a < n; a++)
		size[pl_linked_root(link, a)] += in[a];
	for (size_t a = 0; a < n; a++)
		if (size[a] > size[most])
			most = a;
	for (size_t a = 0; a < n; a++) {
		in[a] = in[a] && pl_linked_root(link, a) == most;
		n_in += in[a];
	}
	return n_in;
}

int pl_linked_most(const double *cell, size_t n, bool *in, size_t *n_in)
{
	size_t *link = pl_array_create(n, sizeof(*link));
	size_t *size = pl_array_create(n, sizeof(*size));
	const int rc = link && size ? 0 : -1;

	*n_in = 0;
	if (rc == 0) {
		link_all(cell, n, in, link);
		*n_in = keep_most(link, size, n, in);
	}
	free(link);
	free(size);
	return rc;
}

int pl_known_most(const struct pl_known *l, bool *in, size_t *n_in)
{
	size_t *link = pl_array_create(l->n, sizeof(*link));
	size_t *size = pl_array_create(l->n, sizeof(*size));
	const int rc = link && size ? 0 : -1;

	*n_in = 0;
	if (rc == 0) {
		for (size_t a = 0; a < l->n; a++)
			link[a] = a;
		for (size_t a = 0; a < l->n; a++)
			for (size_t k = l->begin[a]; k < l->begin[a + 1]; k++)
				if (in[a] && in[l->pair[k].to])
					join(link, a, l->pair[k].to);
		*n_in = keep_most(link, size, l->n, in);
	}
	free(link);
	free(size);
	return rc;
}
