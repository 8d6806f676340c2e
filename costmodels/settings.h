/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - the options that make a library run an algorithm */
#ifndef PLINK_COSTMODELS_SETTINGS_H
#define PLINK_COSTMODELS_SETTINGS_H

#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_SETTING_CHARS 320

/*
 * Writes the options of mpirun that make Open MPI ("--mca ...") or MPICH ("-genv MPIR_CVAR_...
 * ...") run @a with @radix (0: the library's own) and segments of @segment_bytes (0: the library's
 * own); an empty string if the library has no such option. MPICH takes neither radix nor segments.
 * The algorithms of coll/han run where several ranks are on a host. Returns @buf.
 */
const char *pl_algorithm_setting(char buf[PL_SETTING_CHARS], const struct pl_algorithm *a,
				 size_t radix, uint64_t segment_bytes);

/* Do both algorithms belong to the same function of the same library, so that one may run in place
 * of the other? */
bool pl_algorithm_same_function(const struct pl_algorithm *a, const struct pl_algorithm *b);

/* The number and the name that Open MPI's rules and parameters use for the function of the
 * algorithm: 2 and "allreduce". */
int pl_openmpi_function_id(const struct pl_algorithm *a);
const char *pl_openmpi_function_name(const struct pl_algorithm *a);

#endif
