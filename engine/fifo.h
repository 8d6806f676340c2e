/* SPDX-License-Identifier: BSD-3-Clause */
/* fifo.h - chunks between two processes in memory that they share */
/*
 * One end of a FIFO writes parts, each a head of 8 bytes and data, the other reads them in the same
 * order and frees them. A part is in one piece: where it would pass the FIFO's end it begins at the
 * start instead. Both ends compute where a part is from the lengths alone.
 *
 * Both look into the memory again and again while they have something to do.
 * An end that is going to sleep says so there, and must then be woken in some
 * other way (lane.h): a reader when a part has been written, a writer when one
 * has been freed.
 *
 * The memory has no name: the kernel releases it when both processes have ended, however they end.
 */
#ifndef PLINK_ENGINE_FIFO_H
#define PLINK_ENGINE_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FIFO_BYTES ((size_t)1 << 19)
#define PL_FIFO_PART_MAX (PL_FIFO_BYTES / 4) /* bytes of data */
#define PL_FIFO_HEAD_BYTES 8
#define PL_FIFO_TOKEN_BYTES 16

/* How a process of the same machine and user finds the memory; numbers in network order. All zeros:
 * there is none. */
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

/* Makes memory and offers it; *fd, which the offer names, is to be closed when it has been taken or
 * refused. NULL: it cannot be had, *offer is zeros. */
struct pl_fifo_memory *pl_fifo_memory_create(struct pl_fifo_offer *offer, int *fd);

/* The memory that was offered; NULL if this process cannot reach it. */
struct pl_fifo_memory *pl_fifo_memory_open(const struct pl_fifo_offer *offer);

void pl_fifo_memory_destroy(struct pl_fifo_memory *memory);

/* Memory for a part of so many bytes, at most PL_FIFO_PART_MAX. NULL: there is no room now; the
 * reader then wakes this end. */
void *pl_fifo_reserve(struct pl_fifo *f, size_t bytes);

/* The part that was reserved, of @bytes bytes, can be read. Not all bytes of the head are 0xff.
 * true: the reader sleeps, and must be woken. */
bool pl_fifo_write(struct pl_fifo *f, const unsigned char *head, size_t bytes);

/* The head of the next part; NULL: none has been written. */
const unsigned char *pl_fifo_head(struct pl_fifo *f);

/* The data of the next part, of which there is a head; until it is freed. NULL: no part of so many
 * bytes can be there. */
const unsigned char *pl_fifo_read(struct pl_fifo *f, size_t bytes);

/* All that has been read may be overwritten. true: the writer has waited for it, and must be
 * woken. */
bool pl_fifo_free(struct pl_fifo *f);

/* The reader is going to sleep, unless a part is there: false. */
bool pl_fifo_sleep(struct pl_fifo *f);

/* The reader does not sleep. */
void pl_fifo_wake(struct pl_fifo *f);

#endif
