/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-posts.h - what a rank posts and waits for inside Open MPI's
 * collectives */
#ifndef PLINK_TESTS_COSTMODELS_MPI_POSTS_H
#define PLINK_TESTS_COSTMODELS_MPI_POSTS_H

#include <stdint.h>

/* Puts itself between the collectives and what they call. 0, or -1 where the
 * library is no Open MPI 4.1, of which alone the inside is known. */
int posts_install(void);

/* Records from now on. */
void posts_begin(void);

/*
 * Ends that. A digest (traffic-digest.h) of all sends and then all receives, in
 * the order they were posted: the peer and the bytes (0 for a receive), then
 * the steps in which it was posted and waited for, and whether it is
 * synchronous (1 or 0, only of a send). A step goes on until something is
 * posted after something was waited for. 0 where nothing was posted, or a
 * receive from any source.
 */
uint64_t posts_end(void);

#endif
