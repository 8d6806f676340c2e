/* SPDX-License-Identifier: BSD-3-Clause */
/* self.h - which host of a plan a process runs on (plink-plan(5)) */
#ifndef PLINK_SHIM_SELF_H
#define PLINK_SHIM_SELF_H

#include "base/hosts/hosts.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_SELF_NODE_MAX 256

/* What a process knows about its machine. End it with fini. */
struct pl_self {
	const char *named;           /* PLINK_HOST, borrowed; NULL where it is not set */
	char node[PL_SELF_NODE_MAX]; /* uname -n */
	struct in6_addr *addr;       /* [n_addrs], IPv4 as ::ffff:a.b.c.d, no loopback */
	size_t n_addrs;
};

/* @self must be {0}. 0, or -1 with PL_ESYSTEM and nothing to fini. */
int pl_self_init(struct pl_self *self, struct pl_err *err);

/* The same without the addresses, which take longer to read than all the
 * rest. */
int pl_self_init_names(struct pl_self *self, struct pl_err *err);

void pl_self_fini(struct pl_self *self);

#define PL_SELF_UNKNOWN -1   /* no host fits */
#define PL_SELF_AMBIGUOUS -2 /* several fit equally */

/*
 * The host that PLINK_HOST names. If it is not set: the host with this node name in full; if there
 * is none, with it up to a dot of either; if there is none, with the same name up to the first dot;
 * if there is none, with one of these addresses.
 * Returns its index, or one of the above.
 */
int pl_self_find(const struct pl_self *self, const struct pl_hosts *hosts);

/* Was the plan made when another machine had the name of @host, on which this process is? Its
 * address was another then: a private one, or of a node of another name, for public addresses can
 * belong to a router before it. */
bool pl_self_was_other(const struct pl_self *self, const struct pl_host *host);

/* 0; or -1 with @err set (PL_EPARTIAL) if it was another machine. Where PLINK_HOST names the host,
 * it is taken for the same. */
int pl_self_check_same(const struct pl_self *self, const struct pl_host *host, struct pl_err *err);

/*
 * Where others reach this process, which is on @host: at the address that the plan has of it, else
 * at the first that the machine has, else at the loopback. An IPv4 one is ::ffff:a.b.c.d. 0, or -1
 * with PL_EINPUT: the plan's is not numeric.
 */
int pl_self_address(const struct pl_self *self, const struct pl_host *host,
		    struct in6_addr *address, struct pl_err *err);

/* What the kernel takes for such an address and a port, in network order. */
struct sockaddr_storage pl_self_sockaddr(const struct in6_addr *address, uint16_t port);

/* May processes of a machine exchange chunks in memory that they share? Not where PLINK_SHM_DISABLE
 * is set, to something other than 0. */
bool pl_self_shares_memory(void);

#endif
