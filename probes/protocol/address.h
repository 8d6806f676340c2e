/* SPDX-License-Identifier: BSD-3-Clause */
/* address.h - the numeric addresses of a machine, their networks, ports */
#ifndef PLINK_PROBES_PROTOCOL_ADDRESS_H
#define PLINK_PROBES_PROTOCOL_ADDRESS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_IFACE_CHARS 32 /* a name of Linux has at most 15 */
#define PL_ADDR_CHARS 64  /* "ADDRESS/PREFIX" and a zero */
#define PL_ADDRS_MAX 64   /* of one machine, at most */
#define PL_NETWORK_CHARS (PL_IFACE_CHARS + 3 * PL_ADDR_CHARS + 32)

/* An IPv4 or IPv6 address and the length of its network's prefix. */
struct pl_addr {
	int family;        /* AF_INET, AF_INET6 */
	uint8_t bytes[16]; /* 4 or 16 bytes, network order */
	unsigned prefix;   /* bits */
	char iface[PL_IFACE_CHARS];
};

/* Parses "10.0.0.7/24", "fd00::7/64", or an address without prefix (then all bits). Numeric only,
 * so no name is ever looked up. 0, or -1 with *addr unchanged. */
int pl_addr_parse(const char *s, size_t len, struct pl_addr *addr);

/* Writes "10.0.0.7", without prefix. Returns @buf. */
const char *pl_addr_format(const struct pl_addr *addr, char buf[PL_ADDR_CHARS]);

/* Writes its network, "10.0.0.0/24". Returns @buf. */
const char *pl_addr_format_network(const struct pl_addr *addr, char buf[PL_ADDR_CHARS]);

bool pl_addr_same(const struct pl_addr *a, const struct pl_addr *b);

/* Is @addr in the network that @net's prefix describes? */
bool pl_addr_in(const struct pl_addr *addr, const struct pl_addr *net);

/* Is the address used by default: neither loopback nor link-local? */
bool pl_addr_is_global(const struct pl_addr *addr);

/* Is the address on interface or in network @filter (a name or CIDR)? Where @filter is NULL: is it
 * used by default? */
bool pl_addr_is_wanted(const struct pl_addr *addr, const char *filter);

/* Fills @to from an address and @port; returns its length. */
socklen_t pl_addr_socket(const struct pl_addr *addr, int port, struct sockaddr_storage *to);

/* The port that the socket @fd is bound to; -1: none. */
int pl_addr_port(int fd);

/* Are address and port the same? */
bool pl_addr_is_from(const struct sockaddr_storage *from, const struct sockaddr_storage *expected);

/*
 * Lists this machine's addresses on interfaces that are up, IPv4 first, each kind in the kernel's
 * order: those on interface or in network @filter (a name or CIDR) or, where @filter is NULL, all
 * that are global. Writes out[*n], at most PL_ADDRS_MAX. 0, or -1 with @err naming the interfaces
 * there are.
 */
int pl_addr_list(const char *filter, struct pl_addr *out, size_t *n, struct pl_err *err);

/* What one machine offers. */
struct pl_addr_offer {
	const char *name;
	const struct pl_addr *addr; /* [n], best first */
	size_t n;
	const struct pl_addr *reached; /* by ssh; NULL: not known */
};

/*
 * Chooses one address of each of the @n machines; pick[i] is an index into offer[i].addr. Takes the
 * addresses that the machines are named by if each offers its own; else the first network in the
 * first machine's list in which all machines have distinct addresses, else each machine's first
 * address that no other has. With @shared non-zero (an interface was named) machines may share an
 * address. 0, or -1 with @err naming the machines that do not fit.
 */
int pl_addr_choose(const struct pl_addr_offer *offer, size_t n, int shared, size_t *pick,
		   struct pl_err *err);

/*
 * Describes the network of the chosen addresses, unless it is the only one that the machines share
 * and ssh went by it: "10.8.0.0/24 eth1", then "named" if the machines are named by these
 * addresses, "ssh=10.7.0.0/16" if ssh reached none of them there, "also=10.7.0.0/16" for another
 * network in which all have distinct addresses. 0, with @text empty where there is nothing to
 * describe; or -1: out of memory.
 */
int pl_addr_describe(const struct pl_addr_offer *offer, size_t n, const size_t *pick,
		     char text[PL_NETWORK_CHARS]);

/* UDP and TCP ports from min to max; 0, 0: any. */
struct pl_ports {
	int min, max;
};

/* Parses "LO-HI" or one number, 1 to 65535, LO <= HI. 0, or -1 with @ports unchanged. */
int pl_ports_parse(struct pl_ports *ports, const char *s);

#endif
