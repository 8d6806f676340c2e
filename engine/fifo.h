/* SPDX-License-Identifier: BSD-3-Clause */
/* fifo.h - chunks between two processes in memory that they share */
/*
 * One end of a FIFO writes stretches of bytes, the other reads them in the same
 * order and frees them. The reader learns of each stretch, and how long it is,
 * in another way (the head of a chunk, lane.h). A stretch is in one piece:
 * where it would pass the FIFO's end it begins at the start instead. Both ends
 * compute where a stretch is from the lengths alone.
 *
 * The memory has no name: the kernel releases it when both processes have
 * ended, however they end.
 */
#ifndef PLINK_ENGINE_FIFO_H
#define PLINK_ENGINE_FIFO_H

#include <stdint.h>
#include <stddef.h>

#define PL_FIFO_BYTES ((size_t)1 << 19)
#define PL_FIFO_TOKEN_BYTES 16

/* How a process of the same machine and user finds the memory; numbers in
 * network order. All zeros: there is none. */
struct pl_fifo_offer {
	uint32_t pid, fd;
	unsigned char token[PL_FIFO_TOKEN_BYTES]; /* the memory has it, too */
};

/* Memory of two FIFOs, one for each direction. */
struct pl_fifo_memory;

/* One end of a FIFO; {0}: there is none. */
struct pl_fifo {
	struct pl_fifo_memory *memory;
	int direction; /* 0 or 1 */
	uint64_t at;   /* bytes that this end has passed, gaps included */
};

/* Makes memory and offers it; *fd, which the offer names, is to be closed when
 * it has been taken or refused. NULL: it cannot be had, *offer is zeros. */
struct pl_fifo_memory *pl_fifo_memory_create(struct pl_fifo_offer *offer,
					     int *fd);

/* The memory that was offered; NULL if this process cannot reach it. */
struct pl_fifo_memory *pl_fifo_memory_open(const struct pl_fifo_offer *offer);

void pl_fifo_memory_destroy(struct pl_fifo_memory *memory);

/* A stretch to be written; NULL if so much is not free now, or never. */
void *pl_fifo_write(struct pl_fifo *r, size_t bytes);

/* The next stretch to be read; NULL if no FIFO has stretches so long. */
void *pl_fifo_read(struct pl_fifo *r, size_t bytes);

/* All that has been read may be overwritten. */
void pl_fifo_free(struct pl_fifo *r);

#endif
