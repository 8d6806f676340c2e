/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-library.h - a library's own part in the recording of what it sends */
#ifndef PLINK_TESTS_COSTMODELS_TRAFFIC_LIBRARY_H
#define PLINK_TESTS_COSTMODELS_TRAFFIC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traffic_case {
	unsigned id;
	char collective[32], algorithm[64];
	int setting;
	size_t bytes, element_bytes;
	int segment_bytes, radix, root;
};

/* MPI_Reduce_scatter_block has algorithms of its own. */
bool traffic_is_block(const struct traffic_case *c);

__attribute__((format(printf, 1, 2), noreturn)) void
traffic_die(const char *fmt, ...);

/* Sets an integer of the library; one that does not exist only if @value is not
 * 0. */
void traffic_set_variable(const char *name, int value);

/* Told by the library's part: a message of MPI_COMM_WORLD's rank @dst. */
void traffic_sent(size_t dst, size_t bytes);

/* What the library's part has to give. */

/* Puts itself between the library and what it sends by, or dies. */
void traffic_library_open(int rank, int n_ranks);
/* The algorithm of a case, for communicators made from now on: its own number
 * for it, 0 for the library's own choice. */
void traffic_library_set(const struct traffic_case *c, int setting);

/* Records from now on. */
void traffic_posts_begin(void);
/* Ends that. A digest of what was posted (mpi-posts.h, or traffic-mpich.c); 0:
 * there is none. */
uint64_t traffic_posts_end(void);

#endif
