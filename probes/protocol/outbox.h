/* SPDX-License-Identifier: BSD-3-Clause */
/* outbox.h - buffers bytes until a pipe takes them */
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

/* Returns room for @len more bytes, to be filled and then counted by
 * pl_outbox_add; NULL: more than may wait, or out of memory. */
uint8_t *pl_outbox_room(struct pl_outbox *box, size_t len);
void pl_outbox_add(struct pl_outbox *box, size_t len);

/* Appends bytes. 0, or -1 with the box unchanged, as above. */
int pl_outbox_put(struct pl_outbox *box, const void *data, size_t len);

/* Writes as much as @fd takes, at most @most bytes at a time. 1: some still
 * wait; 0: none; -1: writing failed, see errno. With @once it writes only once:
 * for an fd that poll() found writable and that may block. */
int pl_outbox_flush(struct pl_outbox *box, int fd, size_t most, bool once);

/* Overwrites the memory before it is freed: it may have held a key. */
void pl_outbox_fini(struct pl_outbox *box);

#endif
