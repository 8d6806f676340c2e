/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - the matrix over some of the hosts */
#include "config.h"

#include "src/matrix.h"

#include "src/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* new_index[host of m]: its index among the kept ones, or n_keep. */
static int select_notes(struct pl_matrix *to, const struct pl_matrix *m,
			const size_t *new_index, size_t n_keep)
{
	for (size_t i = 0; i < m->n_notes; i++) {
		const struct pl_cell_note *note = &m->note[i];
		const size_t src = new_index[note->src];
		const size_t dst = new_index[note->dst];

		if (src < n_keep && dst < n_keep &&
		    pl_matrix_add_note(to, src, dst, note->text))
			return -1;
	}
	return 0;
}

static void select_cells(double *to, const double *cell, size_t n,
			 const size_t *keep, size_t n_keep)
{
	for (size_t i = 0; i < n_keep; i++)
		for (size_t j = 0; j < n_keep; j++)
			to[i * n_keep + j] = cell[keep[i] * n + keep[j]];
}

static int select_layers(struct pl_matrix *to, const struct pl_matrix *m,
			 const size_t *keep, size_t n_keep)
{
	for (size_t l = 0; l < m->n_layers; l++) {
		const struct pl_layer *layer = &m->layer[l];
		const struct pl_layer *added = pl_matrix_add_layer(
			to, layer->statistic, layer->quantity, layer->unit);

		if (!added)
			return -1;
		select_cells(added->cell, layer->cell, m->hosts.n, keep,
			     n_keep);
	}
	return 0;
}

static int copy_string(char **to, const char *from)
{
	if (!from)
		return 0;
	*to = pl_string_copy(from, strlen(from));
	return *to ? 0 : -1;
}

static int select_rest(struct pl_matrix *to, const struct pl_matrix *m,
		       const size_t *new_index, size_t n_keep)
{
	to->symmetrize = m->symmetrize;
	if (copy_string(&to->method, m->method) ||
	    copy_string(&to->created, m->created))
		return -1;
	for (size_t i = 0; i < m->n_headers; i++)
		if (pl_matrix_add_header(to, m->header[i].key,
					 m->header[i].value))
			return -1;
	return select_notes(to, m, new_index, n_keep);
}

struct pl_matrix *pl_matrix_select(const struct pl_matrix *m,
				   const size_t *keep, size_t n_keep,
				   struct pl_err *err)
{
	struct pl_matrix *to = calloc(1, sizeof(*to));
	size_t *new_index = pl_array_create(m->hosts.n, sizeof(*new_index));

	if (!to || !new_index)
		goto nomem;
	for (size_t i = 0; i < m->hosts.n; i++)
		new_index[i] = n_keep;
	for (size_t i = 0; i < n_keep; i++) {
		assert(keep[i] < m->hosts.n && new_index[keep[i]] == n_keep);
		new_index[keep[i]] = i;
		if (pl_hosts_add(&to->hosts, &m->hosts.v[keep[i]]))
			goto nomem;
	}
	if (select_layers(to, m, keep, n_keep) ||
	    select_rest(to, m, new_index, n_keep))
		goto nomem;
	free(new_index);
	return to;
nomem:
	free(new_index);
	pl_matrix_destroy(to);
	pl_err_nomem(err);
	return NULL;
}
