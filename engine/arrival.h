/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival.h - chunks that have come, and memory for the next ones */
#ifndef PLINK_ENGINE_ARRIVAL_H
#define PLINK_ENGINE_ARRIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_chunk_arrival {
	struct pl_chunk_arrival *next;
	unsigned char *data; /* behind the struct, by pl_chunk_arrival_create */
	size_t room;         /* bytes of it */
	uint32_t peer;
	bool signal;  /* came with it */
	bool is_lent; /* data and struct are the transport's: copied to be kept
		       */
};

/* Arrivals that are not needed any more, for those to come: memory that goes back to the kernel in
 * between costs a fault for every page. Start with {0}, end with fini. */
struct pl_arrivals {
	struct pl_chunk_arrival *first;
	size_t n;
};

void pl_arrivals_fini(struct pl_arrivals *spare);

/* One with room for so many bytes; @spare may be NULL. NULL: out of memory. */
struct pl_chunk_arrival *pl_chunk_arrival_create(struct pl_arrivals *spare, size_t bytes);

/* It is not needed any more; one that is lent stays as it is. */
void pl_chunk_arrival_free(struct pl_arrivals *spare, struct pl_chunk_arrival *a);

#endif
