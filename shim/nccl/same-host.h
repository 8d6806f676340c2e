/* SPDX-License-Identifier: BSD-3-Clause */
/* same-host.h - communicators whose ranks are all on one host */
/*
 * The order of such ranks does not matter, and such communicators are many (tensor-parallel
 * groups), so they get no hidden communicator. No process knows where the others are. But a call
 * that makes a communicator returns on no rank before all ranks have called it. So each rank shows
 * itself on its host before the call, and counts after the call which of the ranks show themselves
 * there. If all do, all ranks see all, and all decide alike. If one does not, because it is on
 * another host, or in a container with a network of its own, no rank sees all.
 *
 * A rank shows itself by a datagram socket, of which nothing is ever read. The socket's name in
 * Linux' abstract namespace is made of what the ranks have in common, and of the user, the host and
 * the rank; the others try to connect to it. The socket is closed when the communicator has been
 * made, or when the process ends.
 */
#ifndef PLINK_SHIM_NCCL_SAME_HOST_H
#define PLINK_SHIM_NCCL_SAME_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One rank of a call that makes a communicator. */
struct pl_showing {
	uint64_t common; /* the same on all ranks of the call, made of its
			    arguments; 0: not known */
	int fd;          /* of the socket, or -1 */
	int rank, all;   /* rank in the numbering of the call, and how many ranks
			    that has */
};

/* For a rank that does not show itself. */
#define PL_NOT_SHOWN ((struct pl_showing){.fd = -1})

uint64_t pl_same_host_mix(uint64_t seed, const void *bytes, size_t len);

/*
 * Shows @rank to the processes on the same @host, an index into the plan's hosts. If that fails, or
 * if @common is 0, the rank does not show itself, and the others miss it. End it with
 * pl_same_host_hide().
 */
struct pl_showing pl_same_host_show(uint64_t common, size_t host, int rank, int all);

/* Do @n ranks show themselves on @host, this one among them? Always false for more than 64. */
bool pl_same_host_all(const struct pl_showing *showing, size_t host, int n);

void pl_same_host_hide(struct pl_showing *showing);

#endif
