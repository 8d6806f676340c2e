/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-library.h - the part of the recorder that depends on the library */
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

__attribute__((format(printf, 1, 2), noreturn)) void traffic_die(const char *fmt, ...);

/* Sets an integer variable of the library. A variable that does not exist is an error, unless
 * @value is 0. */
void traffic_set_variable(const char *name, int value);

/* The library's part calls this for each message to rank @dst of MPI_COMM_WORLD. */
void traffic_sent(size_t dst, size_t bytes);

/* The functions below are defined in the library's part. */

/* Intercepts the functions by which the library sends, or ends the program. */
void traffic_library_open(int rank, int n_ranks);
/* Sets the algorithm of a case for communicators made from now on. @setting is the library's own
 * number for it, 0 the library's own choice. */
void traffic_library_set(const struct traffic_case *c, int setting);

/* Records from now on. */
void traffic_posts_begin(void);
/* Ends the recording and returns a digest of what was posted (mpi-posts.h, or traffic-mpich.c); 0:
 * there is none. */
uint64_t traffic_posts_end(void);

#endif
