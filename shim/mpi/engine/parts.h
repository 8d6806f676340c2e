/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - shared by the files of this folder */
#ifndef PLINK_SHIM_MPI_ENGINE_PARTS_H
#define PLINK_SHIM_MPI_ENGINE_PARTS_H

#include "engine/engine.h"
#include "engine/schedule.h"

/* What the mode has from begin to end. */
struct pl_engine_mode {
	struct pl_schedules schedules;
	struct pl_program *program; /* [schedules.n]: this process's */
	struct pl_engine engine;
};
extern struct pl_engine_mode pl_engine_mode;

#endif
