/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.h - what the parts of the program collectives.c share */
#ifndef PLINK_TESTS_SHIM_MPI_PROGRAMS_COLLECTIVES_H
#define PLINK_TESTS_SHIM_MPI_PROGRAMS_COLLECTIVES_H

#include "tests/shim-mpi/programs/check.h"

#include <mpi.h>
#include <stdbool.h>

/* All below are collective over @comm: have these processes computed the right results? The answer
 * does not depend on how the ranks are numbered. */
bool reductions_are_right(MPI_Comm comm);
bool reduces_in_place_are_right(MPI_Comm comm);
bool broadcasts_are_right(MPI_Comm comm);
bool barriers_are_right(MPI_Comm comm);
bool gathers_are_right(MPI_Comm comm);
bool requests_are_right(MPI_Comm comm);

/* A quick one: the sum of all ranks. */
bool sum_is_right(MPI_Comm comm);

/* lives.c: communicators that come and go. */
void check_lives(int n_lives);
void check_callbacks(int n_at_once);
void check_threads(int n_lives);
void check_between(void);

/* wrong.c: calls that fail, and how that is told. */
void check_wrong(void);

#endif
