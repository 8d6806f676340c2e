/* SPDX-License-Identifier: BSD-3-Clause */
/* address.c - numeric addresses of a machine and the networks they are in */
#include "config.h"

#include "probes/protocol/address.h"

#include "base/text/number.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static size_t n_bytes(int family)
{
	return family == AF_INET ? 4 : 16;
}

int pl_addr_parse(const char *s, size_t len, struct pl_addr *addr)
{
	const char *slash = memchr(s, '/', len);
	const size_t host_len = slash ? (size_t)(slash - s) : len;
	struct pl_addr a = {0};
	char host[INET6_ADDRSTRLEN];
	int64_t prefix;

	if (host_len == 0 || host_len >= sizeof(host) || memchr(s, '\0', host_len))
		return -1;
	memcpy(host, s, host_len);
	host[host_len] = '\0';
	a.family = strchr(host, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(a.family, host, a.bytes) != 1)
		return -1;
	prefix = (int64_t)n_bytes(a.family) * 8;
	if (slash && pl_int_parse(slash + 1, len - host_len - 1, 0, prefix, &prefix))
		return -1;
	a.prefix = (unsigned)prefix;
	*addr = a;
	return 0;
}

const char *pl_addr_format(const struct pl_addr *addr, char buf[PL_ADDR_CHARS])
{
	if (!inet_ntop(addr->family, addr->bytes, buf, PL_ADDR_CHARS))
		snprintf(buf, PL_ADDR_CHARS, "?");
	return buf;
}

const char *pl_addr_format_network(const struct pl_addr *addr, char buf[PL_ADDR_CHARS])
{
	struct pl_addr net = *addr;
	size_t len;

	for (unsigned bit = addr->prefix; bit < n_bytes(addr->family) * 8; bit++)
		net.bytes[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
	len = strlen(pl_addr_format(&net, buf));
	snprintf(buf + len, PL_ADDR_CHARS - len, "/%u", addr->prefix);
	return buf;
}

bool pl_addr_same(const struct pl_addr *a, const struct pl_addr *b)
{
	return a->family == b->family && !memcmp(a->bytes, b->bytes, n_bytes(a->family));
}

bool pl_addr_in(const struct pl_addr *addr, const struct pl_addr *net)
{
	const unsigned whole = net->prefix / 8, rest = net->prefix % 8;
	const uint8_t mask = (uint8_t)(0xff00 >> rest);

	if (addr->family != net->family || memcmp(addr->bytes, net->bytes, whole))
		return false;
	return rest == 0 || ((addr->bytes[whole] ^ net->bytes[whole]) & mask) == 0;
}

bool pl_addr_is_global(const struct pl_addr *addr)
{
	struct in6_addr six;

	if (addr->family == AF_INET)
		return addr->bytes[0] != 127 && !(addr->bytes[0] == 169 && addr->bytes[1] == 254);
	memcpy(&six, addr->bytes, sizeof(six));
	return !IN6_IS_ADDR_LOOPBACK(&six) && !IN6_IS_ADDR_LINKLOCAL(&six);
}

socklen_t pl_addr_socket(const struct pl_addr *addr, int port, struct sockaddr_storage *to)
{
	struct sockaddr_in *four = (struct sockaddr_in *)to;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)to;

	memset(to, 0, sizeof(*to));
	if (addr->family == AF_INET) {
		four->sin_family = AF_INET;
		four->sin_port = htons((uint16_t)port);
		memcpy(&four->sin_addr, addr->bytes, 4);
		return sizeof(*four);
	}
	six->sin6_family = AF_INET6;
	six->sin6_port = htons((uint16_t)port);
	memcpy(&six->sin6_addr, addr->bytes, 16);
	return sizeof(*six);
}

int pl_addr_port(int fd)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);

	if (getsockname(fd, (struct sockaddr *)&at, &len))
		return -1;
	return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
					      : ((struct sockaddr_in *)&at)->sin_port);
}

bool pl_addr_is_from(const struct sockaddr_storage *from, const struct sockaddr_storage *expected)
{
	const struct sockaddr_in *a = (const struct sockaddr_in *)from;
	const struct sockaddr_in *b = (const struct sockaddr_in *)expected;
	const struct sockaddr_in6 *c = (const struct sockaddr_in6 *)from;
	const struct sockaddr_in6 *d = (const struct sockaddr_in6 *)expected;

	if (from->ss_family != expected->ss_family)
		return false;
	if (from->ss_family == AF_INET)
		return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
	return from->ss_family == AF_INET6 && c->sin6_port == d->sin6_port &&
	       !memcmp(&c->sin6_addr, &d->sin6_addr, sizeof(c->sin6_addr));
}

static unsigned mask_bits(const uint8_t *mask, size_t n)
{
	unsigned bits = 0;

	for (size_t i = 0; i < n * 8; i++) {
		if (!(mask[i / 8] & (0x80 >> i % 8)))
			break;
		bits++;
	}
	return bits;
}

/* True when @ifa is an address of @family on an interface that is up. */
static bool from_ifaddrs(const struct ifaddrs *ifa, int family, struct pl_addr *addr)
{
	const size_t at = family == AF_INET ? offsetof(struct sockaddr_in, sin_addr)
					    : offsetof(struct sockaddr_in6, sin6_addr);

	if (!ifa->ifa_addr || ifa->ifa_addr->sa_family != family || !(ifa->ifa_flags & IFF_UP))
		return false;
	memset(addr, 0, sizeof(*addr));
	addr->family = family;
	memcpy(addr->bytes, (const uint8_t *)ifa->ifa_addr + at, n_bytes(family));
	addr->prefix = (unsigned)n_bytes(family) * 8;
	if (ifa->ifa_netmask)
		addr->prefix = mask_bits((const uint8_t *)ifa->ifa_netmask + at, n_bytes(family));
	snprintf(addr->iface, sizeof(addr->iface), "%s", ifa->ifa_name);
	return true;
}

bool pl_addr_is_wanted(const struct pl_addr *addr, const char *filter)
{
	struct pl_addr net;

	if (!filter)
		return pl_addr_is_global(addr);
	if (!strcmp(addr->iface, filter)) /* link-local needs a scope: never */
		return pl_addr_is_global(addr) || addr->family == AF_INET || addr->bytes[0] != 0xfe;
	return !pl_addr_parse(filter, strlen(filter), &net) && pl_addr_in(addr, &net);
}

/* "lo 127.0.0.1, eth0 10.0.0.7", as much of it as fits. */
static void describe(const struct ifaddrs *all, char *out, size_t size)
{
	static const int families[] = {AF_INET, AF_INET6};
	struct pl_addr addr;
	char text[PL_ADDR_CHARS];
	size_t used = 0;

	out[0] = '\0';
	for (size_t f = 0; f < 2; f++) {
		for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
			if (!from_ifaddrs(i, families[f], &addr) || used >= size)
				continue;
			used += (size_t)snprintf(out + used, size - used, "%s%s %s",
						 used ? ", " : "", addr.iface,
						 pl_addr_format(&addr, text));
		}
	}
}

int pl_addr_list(const char *filter, struct pl_addr *out, size_t *n, struct pl_err *err)
{
	static const int families[] = {AF_INET, AF_INET6};
	struct ifaddrs *all;
	struct pl_addr addr;
	char have[256];

	if (getifaddrs(&all))
		return pl_err_errno(err, "cannot list interfaces");
	*n = 0;
	for (size_t f = 0; f < 2; f++) {
		for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
			if (*n < PL_ADDRS_MAX && from_ifaddrs(i, families[f], &addr) &&
			    pl_addr_is_wanted(&addr, filter))
				out[(*n)++] = addr;
		}
	}
	describe(all, have, sizeof(have));
	freeifaddrs(all);
	if (*n > 0)
		return 0;
	if (filter)
		return pl_err_set(err, PL_EUSAGE, "no address on or in \"%s\" (there is %s)",
				  filter, have);
	return pl_err_set(err, PL_ESYSTEM,
			  "this host has only local addresses (%s): connect it to a network, or "
			  "name an interface with --iface",
			  have);
}
