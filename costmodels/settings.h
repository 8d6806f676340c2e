/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - what makes a library run an algorithm */
#ifndef PLINK_COSTMODELS_SETTINGS_H
#define PLINK_COSTMODELS_SETTINGS_H

#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_SETTING_CHARS 320

/*
 * Options of mpirun by which Open MPI ("--mca ...") or MPICH ("-genv
 * MPIR_CVAR_... ...") runs @a, with @radix (0: none) and segments of
 * @segment_bytes (0: the library's own); empty where there are none. Returns
 * @buf.
 */
const char *pl_algorithm_setting(char buf[PL_SETTING_CHARS],
				 const struct pl_algorithm *a, size_t radix,
				 uint64_t segment_bytes);

/* Are both algorithms of one function of one library, so that either may run
 * where the other does? */
bool pl_algorithm_same_function(const struct pl_algorithm *a,
				const struct pl_algorithm *b);

/* Open MPI's number and word for the function that the algorithm is of, as its
 * rules and parameters have it: 2 and "allreduce". */
int pl_openmpi_function_id(const struct pl_algorithm *a);
const char *pl_openmpi_function_name(const struct pl_algorithm *a);

#endif
