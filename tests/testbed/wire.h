/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - the messages between `exec` and a host's first process */
#ifndef PLINK_TESTBED_WIRE_H
#define PLINK_TESTBED_WIRE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * These messages go over a local stream socket. First comes the client's request: this header, with
 * it descriptors 0, 1, 2 of the command, then @bytes of strings, each ended by a zero: the working
 * directory, n_args arguments, n_env environment entries. Then the client may send signal numbers,
 * one byte each. The host answers once, with the wait status (int). Both ends are this program on
 * this machine.
 */
struct tb_request {
	uint32_t bytes, n_args, n_env, umask;
	uint32_t as_root; /* where root asks: as such, not as the user */
};

#define TB_REQUEST_MAX ((uint32_t)8 << 20)
#define TB_FDS 3

/* Sends all @len bytes, with @n_fds descriptors attached to the first. 0, or -1 with errno. */
int tb_wire_send(int sock, const void *data, size_t len, const int *fd, size_t n_fds);

/* Receives up to @len bytes and exactly @n_fds descriptors (TB_FDS at most), close-on-exec. Any
 * other number of descriptors is an error, and they are closed. Returns the bytes received, 0 at
 * the end, or -1 with errno. */
ssize_t tb_wire_receive_fds(int sock, void *data, size_t len, int *fd, size_t n_fds);

/* Receives exactly @len bytes. 0, or -1 at the end or with errno. */
int tb_wire_receive(int sock, void *data, size_t len);

#endif
