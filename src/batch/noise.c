/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c - plink-batch noise: from logs of norms to noise, and to points */
#include "config.h"

#include "src/batch/batch.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "src/common/json.h"
#include "src/common/tool.h"

#include <math.h>

int batch_point_of(const char *path, const struct pl_noise_options *o, struct pl_batch_point *point,
		   struct pl_noise *noise, struct pl_err *err)
{
	struct pl_norms norms = {0};
	int rc = pl_norms_read(&norms, path, err);

	if (rc == 0)
		rc = pl_noise_of(&norms, o, noise, err);
	if (rc == 0) {
		*point = pl_batch_point_of(pl_noise_rises(noise) ? PL_POINT_DIVERGED
								 : PL_POINT_MEASURED,
					   norms.workers, norms.batch);
		point->seconds = noise->seconds;
		point->noise = noise->normalized;
		point->scale = noise->scale;
		point->error = noise->error;
	}
	pl_norms_fini(&norms);
	return rc;
}

static void say_doubts(const char *path, const struct pl_batch_point *p,
		       const struct pl_noise *noise)
{
	if (p->workers == 1)
		pl_tool_say(BATCH_TOOL, "%s: one worker: the noise between workers is not defined",
			    path);
	else if (p->batch == 0)
		pl_tool_say(BATCH_TOOL, "%s: the log has no batch: the noise scale is not known",
			    path);
	else if (isnan(noise->scale))
		pl_tool_say(BATCH_TOOL, "%s: too few iterations to estimate the noise scale", path);
	if (noise->error > PL_NOISE_STABLE)
		pl_tool_say(BATCH_TOOL,
			    "%s: the noise is not stable: its standard error is %.3g %%", path,
			    100 * noise->error);
	if (pl_noise_rises(noise))
		pl_tool_warn(BATCH_TOOL,
			     "%s: the loss rises, from %.4g to %.4g: is the learning rate too high "
			     "for this batch?",
			     path, noise->loss[0], noise->loss[1]);
}

/* "-" for what is not known. */
static const char *number(char buf[PL_DOUBLE_CHARS], double x)
{
	if (isnan(x))
		return "-";
	snprintf(buf, PL_DOUBLE_CHARS, "%.4g", x);
	return buf;
}
#define NUMBER(x) number((char[PL_DOUBLE_CHARS]){0}, x)

static void write_row(const char *path, const struct pl_batch_point *p,
		      const struct pl_noise *noise, FILE *out)
{
	char batch[24] = "-";

	if (p->batch)
		snprintf(batch, sizeof(batch), "%llu", (unsigned long long)p->batch);
	fprintf(out, "%7zu %9s %10zu %10s %8s %8s %12s  %s\n", p->workers, batch, noise->n,
		isnan(p->seconds) ? "-" : PL_TIME_TEXT(p->seconds), NUMBER(noise->gamma),
		NUMBER(noise->normalized), NUMBER(noise->scale), path);
}

static json_t *to_json(const char *path, const struct pl_batch_point *p,
		       const struct pl_noise *noise)
{
	return json_pack("{ss sI so sI so so so so so sb so so}", "file", path, "workers",
			 (json_int_t)p->workers, "batch",
			 p->batch ? json_integer((json_int_t)p->batch) : json_null(), "iterations",
			 (json_int_t)noise->n, "iteration_s", pl_tool_json_number(p->seconds),
			 "gamma", pl_tool_json_number(noise->gamma), "noise",
			 pl_tool_json_number(noise->normalized), "scale",
			 pl_tool_json_number(noise->scale), "error",
			 pl_tool_json_number(noise->error), "loss_rises", pl_noise_rises(noise),
			 "first_loss", pl_tool_json_number(noise->loss[0]), "last_loss",
			 pl_tool_json_number(noise->loss[1]));
}

static int show(const struct batch_options *o, struct pl_points *points, json_t **logs, FILE *out,
		struct pl_err *err)
{
	int status = PL_EXIT_DONE;

	if (!o->json && !o->points)
		fprintf(out, "%7s %9s %10s %10s %8s %8s %12s  %s\n", "workers", "batch",
			"iterations", "each", "gamma", "noise", "noise scale", "file");
	for (size_t i = 0; i < o->n_arguments; i++) {
		const char *path = o->argument[i];
		struct pl_noise noise;
		struct pl_batch_point p;

		if (batch_point_of(path, &o->noise, &p, &noise, err))
			return -1;
		say_doubts(path, &p, &noise);
		if (p.end == PL_POINT_DIVERGED)
			status = PL_EXIT_PARTIAL;
		if (o->json)
			pl_list_add(logs, to_json(path, &p, &noise));
		else if (o->points && p.batch == 0)
			return pl_err_at(err, (struct pl_place){.file = path},
					 "a point needs a batch: add a line \"batch N\" before the "
					 "first step");
		else if (o->points && pl_points_add(points, &p))
			return pl_err_nomem(err);
		else if (!o->points)
			write_row(path, &p, &noise, out);
	}
	return status;
}

int batch_noise(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
		struct pl_err *err)
{
	struct pl_points points = {.samples = o->samples};
	json_t *logs = o->json ? json_array() : NULL;
	int status = show(o, &points, &logs, out, err);

	(void)chosen; /* noise chooses nothing */
	if (status >= 0 && o->points)
		pl_points_write(&points, out);
	if (status >= 0 && o->json) {
		if (pl_tool_json_write(BATCH_TOOL, json_pack("{so}", "logs", logs), out, err))
			status = -1;
		logs = NULL;
	}
	json_decref(logs);
	pl_points_fini(&points);
	return status;
}
