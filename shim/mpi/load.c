/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - the plan that a process' own environment names */
#include "config.h"

#include "shim/mpi/load.h"

#include "base/mem.h"
#include "engine/schedule.h"
#include "shim/mpi/world.h"
#include "shim/plan.h"
#include "shim/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20) /* bytes in a file */

int pl_mpi_mode(struct pl_err *err)
{
	const char *mode = getenv("PLINK_MPI_MODE");

	if (!mode || !*mode || strcmp(mode, "world") == 0)
		return PL_MPI_MODE_WORLD;
	if (strcmp(mode, "shadow") == 0)
		return PL_MPI_MODE_SHADOW;
	if (strcmp(mode, "engine") == 0)
		return PL_MPI_MODE_ENGINE;
	return pl_err_set(err, PL_EUSAGE,
			  "PLINK_MPI_MODE must be world, shadow, engine or off, not \"%s\"", mode);
}

int pl_mpi_by_messages(struct pl_err *err)
{
	const char *name = getenv("PLINK_TRANSPORT");

	if (!name || !*name || strcmp(name, "tcp") == 0)
		return 0;
	if (strcmp(name, "mpi") == 0)
		return 1;
	return pl_err_set(err, PL_EUSAGE, "PLINK_TRANSPORT must be tcp or mpi, not \"%s\"", name);
}

bool pl_mpi_is_off(void)
{
	const char *mode = getenv("PLINK_MPI_MODE");

	return mode && strcmp(mode, "off") == 0;
}

int pl_mpi_load_file(struct pl_text *text, const char *path, struct pl_err *err)
{
	return pl_text_load_file(text, path, TEXT_MAX, err);
}

/* The hosts of schedules, in the order in which these number processes. */
static int take_hosts(struct pl_plan *plan, struct pl_schedules *s, struct pl_err *err)
{
	size_t *given = pl_array_create(s->job.hosts.n, sizeof(*given));
	struct pl_order order = {.collective = "allreduce",
				 .algorithm = s->schedule[0].algorithm,
				 .impl = "engine",
				 .size_max = UINT64_MAX,
				 .cost = NAN,
				 .given = NAN,
				 .bound = NAN,
				 .host_at = given};
	int rc;

	if (!given)
		return pl_err_nomem(err);
	for (size_t i = 0; i < s->job.hosts.n; i++)
		given[i] = i;
	rc = pl_plan_add(&s->job, &order, err);
	free(given);
	if (rc)
		return -1;
	*plan = s->job;
	s->job = (struct pl_plan){0};
	return 0;
}

static int parse_schedules(struct pl_plan *plan, struct pl_text *text, bool checks,
			   struct pl_err *err)
{
	struct pl_schedules s = {0};
	int rc = pl_schedules_parse(&s, text, err);

	if (rc == 0 && checks)
		rc = pl_schedules_check(&s, err);
	if (rc == 0)
		rc = take_hosts(plan, &s, err);
	pl_schedules_fini(&s);
	return rc;
}

int pl_mpi_parse_plan(struct pl_plan *plan, struct pl_text *text, int mode, struct pl_err *err)
{
	if (mode == PL_MPI_MODE_ENGINE)
		return parse_schedules(plan, text, false, err);
	return pl_plan_parse(plan, text, err);
}

int pl_mpi_load_plan(struct pl_text *text, struct pl_plan *plan, struct pl_err *err)
{
	const char *path = getenv("PLINK_PLAN");
	const int mode = pl_mpi_mode(err);
	int rc;

	if (mode < 0 || pl_mpi_by_messages(err) < 0)
		return -1;
	if (pl_shim_flag("PLINK_REORDER"))
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_REORDER is gone: unset it, and use engine mode with "
				  "plink-order --tune, where schedules change while the job runs");
	if (!path || !*path)
		return pl_err_set(err, PL_EUSAGE, "PLINK_PLAN names no plan on rank 0");
	if (strcmp(path, "-") == 0)
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_PLAN must name a file: standard input is the program's");
	if (pl_mpi_load_file(text, path, err))
		return -1;
	rc = mode == PL_MPI_MODE_ENGINE ? parse_schedules(plan, text, true, err)
					: pl_plan_parse(plan, text, err);
	if (rc == 0) {
		if (pl_shim_check_age(plan, path, err) == 0)
			return 0;
		pl_plan_fini(plan);
	}
	pl_text_fini(text);
	return -1;
}
