/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h - the plan that a process' own environment names */
#ifndef PLINK_SHIM_MPI_LOAD_H
#define PLINK_SHIM_MPI_LOAD_H

#include "base/plan/plan.h"
#include "base/text/text.h"

#define PL_MPI_MODE_WORLD 0
#define PL_MPI_MODE_SHADOW 1

/* PLINK_MPI_MODE: one of the above, or -1 with @err set. */
int pl_mpi_mode(struct pl_err *err);

/* A regular file as text. 0, or -1 as pl_text_load(). */
int pl_mpi_load_file(struct pl_text *text, const char *path,
		     struct pl_err *err);

/*
 * The file that PLINK_PLAN names, as it is and as a plan, which PLINK_MPI_MODE
 * and PLINK_MAX_AGE let be followed. @plan must be empty. 0 (both end with
 * fini), or -1 with both empty.
 */
int pl_mpi_load_plan(struct pl_text *text, struct pl_plan *plan,
		     struct pl_err *err);

#endif
