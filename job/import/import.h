/* SPDX-License-Identifier: BSD-3-Clause */
/* import.h - files in which other programs tell what a job sent */
#ifndef PLINK_JOB_IMPORT_IMPORT_H
#define PLINK_JOB_IMPORT_IMPORT_H

#include "base/err.h"
#include "job/import/recording.h"

/*
 * Adds the file @path to the recording; its content tells its form: a trace of
 * PyTorch's profiler, its execution trace, a dump of its Flight Recorder, what
 * NCCL's RAS answers, what plink-audit found (JSON, perhaps compressed with
 * gzip), plink-stats(5), a log of NCCL, or Open MPI's monitoring.
 * @n_steps: the number of steps that it covers; 0: what it says, or 1, which is
 * noted as a loss. 0, or -1 with @err set: PL_EINPUT with the place,
 * PL_ESYSTEM.
 */
int pl_import(struct pl_recording *r, const char *path, double n_steps, struct pl_err *err);

/* After the last file: adds those that only together tell their communicators, which are those of
 * processes in plink-stats(5). 0, or -1 with @err set: PL_EINPUT, PL_ESYSTEM. */
int pl_import_end(struct pl_recording *r, struct pl_err *err);

#endif
