/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h - what the parts of the program same.c share */
#ifndef PLINK_TESTS_SHIM_MPI_PROGRAMS_CHECK_H
#define PLINK_TESTS_SHIM_MPI_PROGRAMS_CHECK_H

/* Collective: one line from rank 0, "ok" where @good holds on all ranks. */
void check(int good, const char *what);

/* callbacks.c: attributes and error handlers, and what is called for them. */
void check_attributes(void);
void check_old_attributes(void);
void check_handlers(void);
void check_many_handlers(void);
void check_wrong_calls(void);

/* Makes MPI_Finalize print in which order attributes are deleted. Call it
 * last. */
void watch_finalize(int rank);

/* shapes.c: objects made from the world. */
void check_intercomm(int rank, int n);
void check_windows(int rank, int n);
void check_topologies(int rank, int n);
void check_file(int rank, int n, const char *path);

#endif
