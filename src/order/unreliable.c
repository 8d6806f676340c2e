/* SPDX-License-Identifier: BSD-3-Clause */
/* unreliable.c - bandwidths that the matrix notes as not reliable */
#include "config.h"

#include "src/order/missing.h"

#include "base/mem.h"
#include "order/bandwidth.h"
#include "order/costs.h"
#include "probes/bandwidth/layers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Marks the cells of the layer between the matrix's hosts index[in->hosts.n], and counts them;
 * listed[m->hosts.n], zeroed, is scratch. */
static void mark_used(struct pl_order_input *in, const struct pl_matrix *m,
		      const struct pl_layer *layer, const size_t *index, bool *listed, bool *used)
{
	const size_t n = m->hosts.n;

	for (size_t h = 0; h < in->hosts.n; h++)
		listed[index[h]] = true;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; listed[i] && j < n; j++) {
			const size_t at = i * n + j;

			used[at] = i != j && listed[j] && !isnan(layer->cell[at]);
			in->bandwidths.n += used[at];
		}
}

/* A cell may have two notes: its mark is removed when it is counted. */
static void count_doubted(struct pl_order_input *in, const struct pl_matrix *m,
			  const struct pl_layer *layer, bool *used)
{
	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];
		const size_t at = note->src * m->hosts.n + note->dst;

		if (!used[at] || pl_bandwidth_noted(m, note) != layer ||
		    !pl_bandwidth_doubted(m, note))
			continue;
		used[at] = false;
		in->bandwidths.n_unreliable++;
	}
}

int pl_reorder_unreliable(struct pl_order_input *in, const struct pl_matrix *m,
			  struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	const struct pl_layer *layer = pl_matrix_bandwidths(m, NULL);
	const size_t n = m->hosts.n;
	size_t *index;
	bool *listed, *used;
	int rc = -1;

	if (!layer || !in->per_byte)
		return 0;
	index = pl_array_create(in->hosts.n, sizeof(*index));
	listed = pl_array_create(n, sizeof(*listed));
	used = pl_array_create(n, n * sizeof(*used));
	if (!index || !listed || !used) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_order_match(in, m, index, err))
		goto out;
	mark_used(in, m, layer, index, listed, used);
	count_doubted(in, m, layer, used);
	if (in->bandwidths.n_unreliable > 0)
		pl_reorder_remark_warning(remarks,
					  "%zu of %zu bandwidths (%s) are not reliable, as the "
					  "matrix notes: lost packets have determined their rates",
					  in->bandwidths.n_unreliable, in->bandwidths.n,
					  layer->statistic);
	rc = 0;
out:
	free(used);
	free(listed);
	free(index);
	return rc;
}
