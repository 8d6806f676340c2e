/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h - the plan that a process' own environment names */
#ifndef PLINK_SHIM_MPI_LOAD_H
#define PLINK_SHIM_MPI_LOAD_H

#include "base/plan/plan.h"
#include "base/text/text.h"

#include <stdbool.h>

#define PL_MPI_MODE_WORLD 0
#define PL_MPI_MODE_SHADOW 1
#define PL_MPI_MODE_ENGINE 2

/* The mode that PLINK_MPI_MODE names, world if it is not set or empty. -1 with @err set for any
 * other value, "off" among them. */
int pl_mpi_mode(struct pl_err *err);

/* Is it "off"? */
bool pl_mpi_is_off(void);

/* Does PLINK_TRANSPORT name the library's messages? 1, 0, or -1 with @err
 * set. */
int pl_mpi_by_messages(struct pl_err *err);

/* Reads a regular file, at most 256 MiB. Fails as pl_text_load_file() does. */
int pl_mpi_load_file(struct pl_text *text, const char *path, struct pl_err *err);

/* Parses what PLINK_PLAN names in @mode: a plan, or, in engine mode, the hosts of schedules and the
 * given order of them; these are not checked. Fails as pl_plan_parse does. */
int pl_mpi_parse_plan(struct pl_plan *plan, struct pl_text *text, int mode, struct pl_err *err);

/*
 * Reads the file that PLINK_PLAN names: its bytes into @text, its plan into @plan, which must be
 * empty. Refuses a plan that is older than PLINK_MAX_AGE, and any plan if PLINK_MPI_MODE names no
 * mode or PLINK_REORDER is set, which is gone. 0, and the caller ends both with fini; or -1 with
 * both empty and @err set.
 */
int pl_mpi_load_plan(struct pl_text *text, struct pl_plan *plan, struct pl_err *err);

#endif
