/* SPDX-License-Identifier: BSD-3-Clause */
/* socket.h - connections between processes that know an address */
/* Sockets do not block; deadlines are by pl_clock_ns(). Addresses are HOST:PORT or [IPV6]:PORT. */
#ifndef PLINK_BASE_SOCKET_H
#define PLINK_BASE_SOCKET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Waits for the descriptor until the deadline (poll(2)). */
bool pl_socket_is_ready(int fd, short events, int64_t deadline_ns);

/* All of @bytes bytes; false: not before the deadline, or the peer has gone. */
bool pl_socket_read(int fd, void *to, size_t bytes, int64_t deadline_ns);
bool pl_socket_write(int fd, const void *from, size_t bytes, int64_t deadline_ns);

/* A socket that listens at the address; at all addresses of the machine where a name is found to be
 * 127.0.1.1. -1 with @err set. */
int pl_socket_listen(const char *address, struct pl_err *err);

/* A connection to who listens at the address, maybe not yet; -1 with @err set: PL_EUSAGE for what
 * is no address, PL_ESYSTEM for one that no name server knows, PL_EPARTIAL if nobody has listened
 * there in time. */
int pl_socket_connect(const char *address, int64_t deadline_ns, struct pl_err *err);

#endif
