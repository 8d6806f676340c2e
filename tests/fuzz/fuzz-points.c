/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-points.c - any bytes as points: they are written back alike, and chosen from, or an error */
#include "config.h"

#include "planner/batch/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct pl_points *points, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	int rc;

	*points = (struct pl_points){0};
	if (pl_text_copy(&text, "fuzz", data, size, NULL))
		return -1;
	rc = pl_points_parse(points, &text, &err);
	if (rc && (err.code != PL_EINPUT || err.line < 1 || err.col < 1))
		abort();
	pl_text_fini(&text);
	return rc;
}

static char *written(const struct pl_points *points)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	pl_points_write(points, f);
	fclose(f);
	return text;
}

static void choose(const struct pl_points *points, enum pl_step_form step, enum pl_epoch_form epoch)
{
	static const uint64_t workers[] = {1, 2, 8}, batch[] = {8, 64, 512};
	const struct pl_batch_space space = {.workers = workers,
					     .batch = batch,
					     .n_workers = 3,
					     .n_batches = 3,
					     .samples = 1000,
					     .worker_price = 1,
					     .memory_bytes = 1e9,
					     .time_limit_s = INFINITY,
					     .budget = INFINITY};
	struct pl_batch_laws laws;
	struct pl_batch_plan plan;

	if (pl_batch_laws_fit(&laws, step, epoch, points, true) ||
	    pl_batch_plan_make(&plan, &space, &laws, points, NULL))
		abort();
	for (size_t i = 0; i < plan.n_front; i++)
		if (!(plan.cell[plan.front[i]].time_s >= 0) || !plan.cell[plan.front[i]].on_front)
			abort();
	pl_batch_plan_fini(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_points points, again;
	char *once, *twice;

	if (parse(&points, data, size)) {
		pl_points_fini(&points);
		return 0;
	}
	once = written(&points);
	if (parse(&again, once, strlen(once)))
		abort();
	twice = written(&again);
	if (strcmp(once, twice) != 0)
		abort();
	choose(&points, PL_LAW_SUM, PL_LAW_NOISE);
	if (points.n < 20)
		choose(&points, PL_LAW_OVERLAP, PL_LAW_GOODPUT);
	free(once);
	free(twice);
	pl_points_fini(&points);
	pl_points_fini(&again);
	return 0;
}
