/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - the plan that a process' own environment names */
#include "config.h"

#include "shim/mpi/load.h"

#include "shim/mpi/world.h"
#include "shim/plan.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20) /* bytes in a plan */

int pl_mpi_mode(struct pl_err *err)
{
	const char *mode = getenv("PLINK_MPI_MODE");

	if (!mode || !*mode || strcmp(mode, "world") == 0)
		return PL_MPI_MODE_WORLD;
	if (strcmp(mode, "shadow") == 0)
		return PL_MPI_MODE_SHADOW;
	return pl_err_set(err, PL_EUSAGE,
			  "PLINK_MPI_MODE must be world, shadow or off, not "
			  "\"%s\"",
			  mode);
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

int pl_mpi_load_plan(struct pl_text *text, struct pl_plan *plan,
		     struct pl_err *err)
{
	const char *path = getenv("PLINK_PLAN");

	if (pl_mpi_mode(err) < 0)
		return -1;
	if (!path || !*path)
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_PLAN names no plan on rank 0");
	if (strcmp(path, "-") == 0)
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_PLAN must name a file: standard input "
				  "is the program's");
	if (pl_mpi_load_file(text, path, err))
		return -1;
	if (pl_plan_parse(plan, text, err) == 0) {
		if (pl_shim_check_age(plan, path, err) == 0)
			return 0;
		pl_plan_fini(plan);
	}
	pl_text_fini(text);
	return -1;
}
