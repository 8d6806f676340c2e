/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.h - what two ranks say to one another on a new connection */
/*
 * Who connects says who it is, what it will run and how memory of its own is found; who answers
 * says the same, and names the memory if it has taken it.
 */
#ifndef PLINK_ENGINE_HELLO_H
#define PLINK_ENGINE_HELLO_H

#include "base/err.h"
#include "engine/fifo.h"
#include "engine/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers in network order. */
struct pl_hello {
	uint32_t magic;
	unsigned char key[PL_MESH_KEY_BYTES];
	uint32_t digest[2];
	uint32_t rank, lane;
	struct pl_fifo_offer memory; /* the answer: as taken, or zeros */
};

/* What this rank says on connection @lane, without memory. */
struct pl_hello pl_hello_of(const struct pl_mesh_options *o, size_t lane);

bool pl_hello_send(int fd, const struct pl_hello *h);

/* Is it from who has the job's key? */
bool pl_hello_has_key(const struct pl_hello *h, const struct pl_mesh_options *o);

/* 0, or -1 with PL_EINPUT: the peer has another schedule. */
int pl_hello_check(const struct pl_hello *h, const struct pl_mesh_options *o, struct pl_err *err);

/* Does the connection carry chunks, between ranks that may share memory? */
bool pl_hello_may_share(const struct pl_mesh_options *o, size_t lane, int fd);

#endif
