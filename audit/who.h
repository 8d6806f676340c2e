/* SPDX-License-Identifier: BSD-3-Clause */
/* who.h - the hosts of IP addresses */
#ifndef PLINK_AUDIT_WHO_H
#define PLINK_AUDIT_WHO_H

#include "audit/frame.h"
#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stddef.h>
#include <stdint.h>

#define PL_NOBODY SIZE_MAX
#define PL_IP_CHARS 64

struct pl_who_entry {
	struct pl_ip ip;
	uint32_t node;
};

/* Start with {0}, end with fini. */
struct pl_who {
	struct pl_who_entry *v; /* sorted by address */
	size_t n, room;
};

/* Adds an address of @node, if it does not have it yet. 0, or -1 with @err set: PL_EINPUT if the
 * address is that of another node, PL_ESYSTEM for memory. */
int pl_who_add(struct pl_who *who, const struct pl_ip *ip, size_t node, struct pl_err *err);

/*
 * Adds the addresses of every host: the address in the list or plan, or all addresses of its name,
 * without loopback and link-local ones if there are others. 0, or -1 with @err set: PL_EINPUT for a
 * name that has no address here, a malformed address, or an address of two hosts.
 */
int pl_who_add_hosts(struct pl_who *who, const struct pl_hosts *hosts, struct pl_err *err);

/* The node of an address, or PL_NOBODY. */
size_t pl_who_find(const struct pl_who *who, const struct pl_ip *ip);

/* Writes an address in its usual form, IPv4 with dots. Returns @buf. */
const char *pl_ip_format(const struct pl_ip *ip, char buf[PL_IP_CHARS]);

void pl_who_fini(struct pl_who *who);

#endif
