/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.h - seconds of an iteration whose computation hides communication */
#ifndef PLINK_PLANNER_BATCH_OVERLAP_H
#define PLINK_PLANNER_BATCH_OVERLAP_H

#include <stddef.h>

#define PL_OVERLAP_TERMS 5

/* (C^g + S^g)^(1/g) of PL_LAW_OVERLAP (laws.h), @samples a worker. */
double pl_overlap_seconds(const double p[PL_OVERLAP_TERMS], double workers, double samples);

/*
 * The numbers with the least squared errors of logarithms that Levenberg's and Marquardt's steps
 * find from four beginnings. @at has n pairs of workers and samples a worker. 1 and @p set; 0: n is
 * below 5; -1: out of memory.
 */
int pl_overlap_fit(const double *at, const double *seconds, size_t n, double p[PL_OVERLAP_TERMS]);

#endif
