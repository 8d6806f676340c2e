/* SPDX-License-Identifier: BSD-3-Clause */
/* outbox.h - bytes that wait until a pipe takes them */
#ifndef PLINK_PROBES_PROTOCOL_OUTBOX_H
#define PLINK_PROBES_PROTOCOL_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with .most set and all else zero; end with pl_outbox_fini. */
struct pl_outbox {
	size_t most; /* bytes that may wait */
	uint8_t *data;
	size_t begin, end; /* what waits is data[begin] to data[end - 1] */
	size_t room;
};

/* How many bytes wait. */
size_t pl_outbox_waiting(const struct pl_outbox *box);

/* Room for @len bytes more, to be filled and then counted by pl_outbox_add;
 * NULL: that would be more than may wait, or memory ran out. */
uint8_t *pl_outbox_room(struct pl_outbox *box, size_t len);
void pl_outbox_add(struct pl_outbox *box, size_t len);

/* 0, or -1 with the box as it was, as above. */
int pl_outbox_put(struct pl_outbox *box, const void *data, size_t len);

/* Writes what @fd takes, @most bytes at a time. 1: some wait still; 0: none;
 * -1: nobody reads any more, errno tells. Where @once, writes once: for what
 * poll() found writable and may block otherwise. */
int pl_outbox_flush(struct pl_outbox *box, int fd, size_t most, bool once);

/* What was in it does not stay in memory: a key may have been. */
void pl_outbox_fini(struct pl_outbox *box);

#endif
