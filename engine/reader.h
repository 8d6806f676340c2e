/* SPDX-License-Identifier: BSD-3-Clause */
/* reader.h - reads a stream of small things in few calls */
/*
 * What has come behind the bytes that were asked for is kept for the next time. When the kernel
 * gives less than there is room for, it has no more, and is not asked again until pl_reader_fill()
 * has said so once.
 */
#ifndef PLINK_ENGINE_READER_H
#define PLINK_ENGINE_READER_H

#include <stdbool.h>
#include <stddef.h>

/* Starts with {0}, ends with fini; takes 8 KiB once it is used. */
struct pl_reader {
	unsigned char *kept; /* the bytes from first to end */
	size_t first, end;
	bool is_dry;
};

void pl_reader_fini(struct pl_reader *r);

/* Reads on to to[*have], up to to[want], from a non-blocking socket. 1: *have is @want now; 0: no
 * more can be read now; -1 with errno set, 0 for the end of the stream, ENOMEM. */
int pl_reader_fill(struct pl_reader *r, int fd, unsigned char *to, size_t *have, size_t want);

#endif
