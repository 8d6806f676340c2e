/* SPDX-License-Identifier: BSD-3-Clause */
/* same-host.h - communicators whose ranks are all on one host */
/*
 * Their order does not matter, and they are many (NCCL's tensor-parallel
 * groups), so they get no hidden communicator. No process knows where the
 * others are. But what makes a communicator returns to nobody before all its
 * ranks have called it. So each rank shows itself on its host before the call,
 * and counts after it who of them is there. If all are, all see all, and each
 * decides alike; if one is not to be seen, because it is on another host, or in
 * a container with a network of its own, nobody sees all.
 *
 * To show itself is to hold a datagram socket, of which nothing is ever read,
 * with a name in Linux' abstract namespace made of what is common to the ranks;
 * others try to connect to it. It goes when the making of the communicator is
 * over, or with the process.
 */
#ifndef PLINK_SHIM_NCCL_SAME_HOST_H
#define PLINK_SHIM_NCCL_SAME_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One rank of a call that makes a communicator. */
struct pl_showing {
	uint64_t common; /* to all ranks of the call, made of its arguments; 0:
			  * nothing is */
	int fd;          /* of the socket, or -1 */
	int rank, all;   /* in what the call numbers; how many that has */
};

/* For ranks that are not to be shown. */
#define PL_NOT_SHOWN ((struct pl_showing){.fd = -1})

uint64_t pl_same_host_mix(uint64_t seed, const void *bytes, size_t len);

/*
 * Shows that rank to those that, as this process, are on the plan's host of
 * that number; where this fails, or @common is 0, the others see that one is
 * missing.
 */
struct pl_showing pl_same_host_show(uint64_t common, size_t host, int rank,
				    int all);

/* Are as many as @n of the ranks to be seen on @host, this one among them? */
bool pl_same_host_all(const struct pl_showing *showing, size_t host, int n);

void pl_same_host_hide(struct pl_showing *showing);

#endif
