/* SPDX-License-Identifier: BSD-3-Clause */
/* control.h - messages between rank 0 and each other rank, beside the chunks */
/*
 * They go over the connection that otherwise carries nothing (mesh.h). A message is a head of 8
 * bytes, its kind and its length in network order, and the content. Nothing here waits: messages
 * are short and few, so that the kernel takes each one whole, and one that it does not take is not
 * sent.
 */
#ifndef PLINK_ENGINE_TUNE_CONTROL_H
#define PLINK_ENGINE_TUNE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_CONTROL_BYTES_MAX ((size_t)1 << 20)

/* Start with {.fd}, end with fini, which does not close it. */
struct pl_control {
	int fd;
	unsigned char *data; /* the message that is coming in, with its head */
	size_t room, got;
};

/* Room in the kernel for messages of so many bytes. */
void pl_control_prepare(const struct pl_control *c, size_t bytes);

/* false: it was not sent, and no other can be. */
bool pl_control_send(const struct pl_control *c, uint32_t kind, const void *content, size_t bytes);

/* 1: a message has come, whose content is *bytes bytes at the result's pl_control_content until the
 * next call; 0: not yet; -1: the peer has closed the connection or sends nonsense, or there is no
 * memory. */
int pl_control_receive(struct pl_control *c, uint32_t *kind, size_t *bytes);

static inline const unsigned char *pl_control_content(const struct pl_control *c)
{
	return c->data + 8;
}

/* The k-th number of 64 bits in a message. */
void pl_control_put(unsigned char *message, size_t k, uint64_t value);
uint64_t pl_control_get(const unsigned char *message, size_t k);

void pl_control_fini(struct pl_control *c);

#endif
