/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-posts.h - what a rank posts and waits for inside Open MPI's
 * collectives */
#ifndef PLINK_TESTS_COSTMODELS_MPI_POSTS_H
#define PLINK_TESTS_COSTMODELS_MPI_POSTS_H

#include <stddef.h>
#include <stdint.h>

/* Intercepts what the collectives call. While recording, calls @sent for each message to a rank of
 * MPI_COMM_WORLD, unless it is NULL. 0, or -1 if the library is not Open MPI 4.1, the only one
 * whose internals are known here. */
int posts_install(void (*sent)(size_t dst, size_t bytes));

/* Records from now on. */
void posts_begin(void);

/*
 * Ends the recording. Returns a digest (traffic-digest.h) of all sends and then all receives, in
 * the order they were posted. It has for each the peer and the bytes (0 for a receive), the steps
 * in which it was posted and waited for, and for a send whether it is synchronous (1 or 0). A new
 * step begins when something is posted after something was waited for. 0 if nothing was posted, or
 * if there was a receive from any source.
 */
uint64_t posts_end(void);

#endif
