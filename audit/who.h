/* SPDX-License-Identifier: BSD-3-Clause */
/* who.h - which host an address belongs to */
#ifndef PLINK_AUDIT_WHO_H
#define PLINK_AUDIT_WHO_H

#include "audit/frame.h"
#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stddef.h>
#include <stdint.h>

#define PL_NOBODY SIZE_MAX
#define PL_SEVERAL UINT32_MAX
#define PL_IP_CHARS 64

struct pl_who_entry {
	struct pl_ip ip;
	uint32_t node; /* PL_SEVERAL: of more than one */
};

/* Start with {0}, end with fini. */
struct pl_who {
	struct pl_who_entry *v; /* by address */
	size_t n, room;
};

/* Adds an address; again for the same node is no fault. 0, or -1 with @err set:
 * PL_EINPUT where it is another node's already. */
int pl_who_add(struct pl_who *who, const struct pl_ip *ip, size_t node,
	       struct pl_err *err);

/* Adds a numeric address, "10.0.0.7" or "fd00::7"; one that several nodes have
 * (of a bridge of their own, say) is none's from then on. */
int pl_who_add_seen(struct pl_who *who, const char *s, size_t node,
		    struct pl_err *err);

/*
 * Adds the addresses of every host: what its list or plan says, or what its
 * name is found to have, loopback and link-local ones left out where it has
 * others. 0, or -1 with @err set: PL_EINPUT for a name that is not known here.
 */
int pl_who_add_hosts(struct pl_who *who, const struct pl_hosts *hosts,
		     struct pl_err *err);

/* The node of that address, or PL_NOBODY (it is not there, or several have
 * it). */
size_t pl_who_find(const struct pl_who *who, const struct pl_ip *ip);

/* As people write it. Returns @buf. */
const char *pl_ip_format(const struct pl_ip *ip, char buf[PL_IP_CHARS]);

void pl_who_fini(struct pl_who *who);

#endif
