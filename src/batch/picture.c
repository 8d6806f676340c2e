/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - the choices of plink-batch by time and cost, as a picture */
#include "config.h"

#include "src/batch/batch.h"

#include "base/mem.h"
#include "base/text/outfile.h"
#include "report/plane.h"

#include <stdlib.h>

#define NAME_CHARS 64
#define S_PER_HOUR 3600

static void fill_point(const struct batch_answer *a, size_t i, struct pl_plane_point *p,
		       char name[NAME_CHARS])
{
	const struct pl_batch_cell *c = &a->plan.cell[i];
	const double law_s = pl_step_law_seconds(&a->laws.step, (double)c->workers, c->batch) *
			     pl_epoch_law_epochs(&a->laws.epoch, c->batch) * a->space.samples /
			     c->batch;

	snprintf(name, NAME_CHARS, "%zu worker%s, batch %.0f", c->workers,
		 c->workers == 1 ? "" : "s", c->batch);
	*p = (struct pl_plane_point){
		.row = c->workers,
		.column = c->batch,
		.time_s = c->time_s,
		.cost = c->cost,
		.law_s = law_s,
		.law_cost = law_s / S_PER_HOUR * c->per_hour,
		.measured = c->seconds_measured,
		.name = name,
	};
}

static int write_plane(const void *plane, FILE *out, struct pl_err *err)
{
	return pl_plane_write_svg(plane, out, err);
}

int batch_picture(const struct batch_answer *a, struct pl_err *err)
{
	const struct pl_batch_plan *plan = &a->plan;
	struct pl_plane_point *point = pl_array_create(plan->n_cells, sizeof(*point));
	char(*name)[NAME_CHARS] = pl_array_create(plan->n_cells, sizeof(*name));
	const struct pl_plane plane = {
		.title = a->laws.epoch.relative ? "relative time and cost of the training"
						: "time and cost of the training",
		.note = "filled: measured, hollow: predicted; grey: the laws, by workers (with "
			"their number) and by batch (dotted)",
		.point = point,
		.n = plan->n_cells,
		.front = plan->front,
		.n_front = plan->n_front,
		.fastest = plan->fastest,
		.cheapest = plan->cheapest,
		.knee = plan->knee,
	};
	int rc = point && name ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < plan->n_cells; i++)
		fill_point(a, i, &point[i], name[i]);
	if (rc == 0)
		rc = pl_outfile_write(a->o->picture, write_plane, &plane, err);
	free(point);
	free(name);
	return rc;
}
