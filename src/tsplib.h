/* SPDX-License-Identifier: BSD-3-Clause */
/* tsplib.h - distances of TSPLIB95 (Reinelt, 1995) */
#ifndef PLINK_SRC_TSPLIB_H
#define PLINK_SRC_TSPLIB_H

/*
 * The distance between two different places a[2] and b[2], by section 2 of the
 * TSPLIB95 description: Euclidean, rounded to the nearest or up; pseudo-Euclidean;
 * kilometres along the earth, places given as latitude and longitude in DDD.MM.
 * GEO adds 1 before it cuts: places that coincide are 1 apart.
 */
double pl_tsplib_euc_2d(const double *a, const double *b);
double pl_tsplib_ceil_2d(const double *a, const double *b);
double pl_tsplib_att(const double *a, const double *b);
double pl_tsplib_geo(const double *a, const double *b);

#endif
