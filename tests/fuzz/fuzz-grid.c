/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-grid.c - any bytes as a grid of measurements: rows that can be, or an error */
#include "config.h"

#include "planner/srift/learned/grid.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_grid *g)
{
	for (size_t i = 0; i < g->n_rows; i++) {
		const struct pl_grid_row *row = &g->row[i];
		const struct pl_grid_machine *m;

		if (row->machine >= g->n_machines || row->bytes < 1 || row->ranks < 2 ||
		    row->async < 1 || !(row->bytes_per_s > 0) || isinf(row->bytes_per_s))
			abort();
		m = &g->machine[row->machine];
		if (row->bytes < m->bytes_min || row->bytes > m->bytes_max ||
		    row->ranks < m->ranks[0] || row->ranks > m->ranks[m->n_ranks - 1])
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_grid g = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_grid_parse(&g, &text, &err) == 0)
		check(&g);
	else if (err.code != PL_EINPUT || g.n_rows || g.n_machines)
		abort();
	pl_grid_fini(&g);
	pl_text_fini(&text);
	return 0;
}
