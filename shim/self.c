/* SPDX-License-Identifier: BSD-3-Clause */
/* self.c - which host of a plan a process runs on */
#include "config.h"

#include "shim/self.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* An IPv4 address as one of IPv6. False: it is a loopback. */
static bool map_in4(const struct in_addr *from, struct in6_addr *to)
{
	memset(to, 0, sizeof(*to));
	to->s6_addr[10] = to->s6_addr[11] = 0xff;
	memcpy(&to->s6_addr[12], from, 4);
	return to->s6_addr[12] != 127;
}

/* Any address as one of IPv6. */
static bool to_in6(const struct sockaddr *from, struct in6_addr *to)
{
	const struct sockaddr_in *v4 = (const void *)from;
	const struct sockaddr_in6 *v6 = (const void *)from;

	if (from && from->sa_family == AF_INET6) {
		*to = v6->sin6_addr;
		return !IN6_IS_ADDR_LOOPBACK(to);
	}
	return from && from->sa_family == AF_INET && map_in4(&v4->sin_addr, to);
}

static bool parse_address(const char *s, struct in6_addr *to)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, s, &v4) == 1)
		return map_in4(&v4, to);
	return inet_pton(AF_INET6, s, to) == 1;
}

int pl_self_init_names(struct pl_self *self, struct pl_err *err)
{
	struct utsname name;

	self->named = getenv("PLINK_HOST");
	if (self->named && !*self->named)
		self->named = NULL;
	if (uname(&name))
		return pl_err_errno(err, "cannot read the node name");
	snprintf(self->node, sizeof(self->node), "%s", name.nodename);
	return 0;
}

int pl_self_init(struct pl_self *self, struct pl_err *err)
{
	struct ifaddrs *all;
	size_t room = 0;
	int rc = 0;

	if (pl_self_init_names(self, err))
		return -1;
	if (getifaddrs(&all))
		return 0; /* then there are the names */
	for (const struct ifaddrs *i = all; i && rc == 0; i = i->ifa_next) {
		struct in6_addr addr;

		if (!to_in6(i->ifa_addr, &addr))
			continue;
		rc = pl_array_grow((void **)&self->addr, &room, self->n_addrs, sizeof(addr));
		if (rc == 0)
			self->addr[self->n_addrs++] = addr;
	}
	freeifaddrs(all);
	if (rc == 0)
		return 0;
	pl_self_fini(self);
	return pl_err_nomem(err);
}

void pl_self_fini(struct pl_self *self)
{
	free(self->addr);
	memset(self, 0, sizeof(*self));
}

static bool is_named(const struct pl_self *self, const struct pl_host *host)
{
	return strcmp(host->name, self->named) == 0;
}

static bool has_node(const struct pl_self *self, const struct pl_host *host)
{
	return pl_host_alike(host, self->node) == PL_ALIKE_SAME;
}

static bool has_domain(const struct pl_self *self, const struct pl_host *host)
{
	return pl_host_alike(host, self->node) >= PL_ALIKE_DOMAIN;
}

static bool has_short(const struct pl_self *self, const struct pl_host *host)
{
	return pl_host_alike(host, self->node) >= PL_ALIKE_SHORT;
}

static bool is_own(const struct pl_self *self, const char *s)
{
	struct in6_addr addr;

	if (!s || !parse_address(s, &addr))
		return false;
	for (size_t i = 0; i < self->n_addrs; i++)
		if (memcmp(&self->addr[i], &addr, sizeof(addr)) == 0)
			return true;
	return false;
}

static bool has_address(const struct pl_self *self, const struct pl_host *host)
{
	return is_own(self, host->addr) || is_own(self, host->name);
}

typedef bool fits_fn(const struct pl_self *, const struct pl_host *);

static int find_by(const struct pl_self *self, const struct pl_hosts *hosts, fits_fn *fits)
{
	int found = PL_SELF_UNKNOWN;

	for (size_t i = 0; i < hosts->n; i++) {
		if (!fits(self, &hosts->v[i]))
			continue;
		if (found != PL_SELF_UNKNOWN)
			return PL_SELF_AMBIGUOUS;
		found = (int)i;
	}
	return found;
}

int pl_self_find(const struct pl_self *self, const struct pl_hosts *hosts)
{
	int found;

	if (self->named)
		return find_by(self, hosts, is_named);
	found = find_by(self, hosts, has_node);
	if (found == PL_SELF_UNKNOWN)
		found = find_by(self, hosts, has_domain);
	if (found == PL_SELF_UNKNOWN)
		found = find_by(self, hosts, has_short);
	if (found == PL_SELF_UNKNOWN)
		found = find_by(self, hosts, has_address);
	return found;
}

/* One that no router translates: RFC 1918, RFC 6598, RFC 4193. */
static bool is_private(const struct in6_addr *addr)
{
	const uint8_t *b = addr->s6_addr;

	if (!IN6_IS_ADDR_V4MAPPED(addr))
		return (b[0] & 0xfe) == 0xfc;
	return b[12] == 10 || (b[12] == 172 && (b[13] & 0xf0) == 16) ||
	       (b[12] == 192 && b[13] == 168) || (b[12] == 100 && (b[13] & 0xc0) == 64);
}

bool pl_self_was_other(const struct pl_self *self, const struct pl_host *host)
{
	struct in6_addr addr;

	return host->addr && self->n_addrs > 0 && parse_address(host->addr, &addr) &&
	       !is_own(self, host->addr) &&
	       (is_private(&addr) || (host->node && strcmp(host->node, self->node) != 0));
}

int pl_self_check_same(const struct pl_self *self, const struct pl_host *host, struct pl_err *err)
{
	if (self->named || !pl_self_was_other(self, host))
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "host %s was measured at %s, an address that %s has not: make a new plan "
			  "or, if it is the same machine, name it in PLINK_HOST",
			  host->name, host->addr, self->node);
}

int pl_self_address(const struct pl_self *self, const struct pl_host *host,
		    struct in6_addr *address, struct pl_err *err)
{
	char mapped[80];

	if (host->addr) {
		snprintf(mapped, sizeof(mapped), "%s%s",
			 strchr(host->addr, ':') ? "" : "::ffff:", host->addr);
		if (inet_pton(AF_INET6, mapped, address) == 1)
			return 0;
		return pl_err_set(err, PL_EINPUT, "host %s: %s is no numeric address", host->name,
				  host->addr);
	}
	inet_pton(AF_INET6, "::ffff:127.0.0.1", address);
	for (size_t i = self->n_addrs; i-- > 0;)
		if (!IN6_IS_ADDR_LINKLOCAL(&self->addr[i]))
			*address = self->addr[i];
	return 0;
}

struct sockaddr_storage pl_self_sockaddr(const struct in6_addr *address, uint16_t port)
{
	struct sockaddr_storage to = {0};
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&to;
	struct sockaddr_in *v4 = (struct sockaddr_in *)&to;

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		v4->sin_family = AF_INET;
		memcpy(&v4->sin_addr, &address->s6_addr[12], 4);
		v4->sin_port = port;
	} else {
		v6->sin6_family = AF_INET6;
		v6->sin6_addr = *address;
		v6->sin6_port = port;
	}
	return to;
}

bool pl_self_shares_memory(void)
{
	const char *s = getenv("PLINK_SHM_DISABLE");

	return !s || !*s || strcmp(s, "0") == 0;
}
