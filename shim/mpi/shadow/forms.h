/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.h - the two forms of a call: with counts of int, and with large ones */
/*
 * MPI_X and MPI_X_c of MPI 4 are the same collective: in one call, some processes may use one form
 * and others the other. So both forms run on the shadow. For a library with large counts, the files
 * that include this header are compiled a second time, with PL_SHADOW_LARGE.
 */
#ifndef PLINK_SHIM_MPI_SHADOW_FORMS_H
#define PLINK_SHIM_MPI_SHADOW_FORMS_H

#include "shim/mpi/world.h"

#ifdef PL_SHADOW_LARGE
#define PL_FORM_OF(function) function##_c
typedef MPI_Count pl_form_count;
#else
#define PL_FORM_OF(function) function
typedef int pl_form_count;
#endif

/* The name that @function has in this form. */
#define PL_FORM(function) PL_FORM_OF(function)

/* The library's own function of that name. */
#define PL_NEXT_FORM(function) PL_MPI_NEXT(PL_FORM(function))

/* The arguments of an all-reduce, for engine mode. */
#define PL_ENGINE_CALL                                                                             \
	&(struct pl_engine_mode_call)                                                              \
	{                                                                                          \
		in, out, count, type, op, comm                                                     \
	}

/*
 * Defines pl_mpi_@name: the library's @function, with the arguments @shadowed on the shadow s that
 * @pick finds, or with the arguments @own where there is none or the call fails there and must fail
 * on the program's communicator.
 */
#define PL_SHADOWED(name, function, parameters, pick, shadowed, own)                               \
	int PL_FORM(pl_mpi_##name) parameters                                                      \
	{                                                                                          \
		const struct pl_shadow *s = pick;                                                  \
                                                                                                   \
		if (s) {                                                                           \
			const int rc = PL_NEXT_FORM(function) shadowed;                            \
                                                                                                   \
			if (pl_shadow_is_done(rc))                                                 \
				return rc;                                                         \
		}                                                                                  \
		return PL_NEXT_FORM(function) own;                                                 \
	}

#endif
