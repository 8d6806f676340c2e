/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.h - the two forms of a call: with counts of int, and with large ones */
/*
 * MPI_X and MPI_X_c of MPI 4 are the same collective, which one process may
 * call by the one and another by the other. So both run on the shadow. The
 * files that include this are compiled a second time, with PL_SHADOW_LARGE, for
 * a library that has large counts.
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

/* @function, by the name that it has in this form. */
#define PL_FORM(function) PL_FORM_OF(function)

/* The real one. */
#define PL_NEXT_FORM(function) PL_MPI_NEXT(PL_FORM(function))

#endif
