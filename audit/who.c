/* SPDX-License-Identifier: BSD-3-Clause */
/* who.c - which host an address belongs to */
#include "config.h"

#include "audit/who.h"

#include "base/mem.h"
#include "probes/protocol/address.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

/* The first entry that is not before the address. */
static size_t place_of(const struct pl_who *who, const struct pl_ip *ip)
{
	size_t low = 0, high = who->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (memcmp(&who->v[mid].ip, ip, sizeof(*ip)) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t pl_who_find(const struct pl_who *who, const struct pl_ip *ip)
{
	const size_t at = place_of(who, ip);

	if (at < who->n && memcmp(&who->v[at].ip, ip, sizeof(*ip)) == 0)
		return who->v[at].node;
	return PL_NOBODY;
}

int pl_who_add(struct pl_who *who, const struct pl_ip *ip, size_t node, struct pl_err *err)
{
	const size_t at = place_of(who, ip);
	const size_t found = pl_who_find(who, ip);
	char text[PL_IP_CHARS];

	if (found == node)
		return 0;
	if (found != PL_NOBODY)
		return pl_err_set(err, PL_EINPUT, "address %s belongs to two hosts",
				  pl_ip_format(ip, text));
	if (pl_array_grow((void **)&who->v, &who->room, who->n, sizeof(*who->v)))
		return pl_err_nomem(err);
	memmove(&who->v[at + 1], &who->v[at], (who->n - at) * sizeof(*who->v));
	who->v[at] = (struct pl_who_entry){*ip, (uint32_t)node};
	who->n++;
	return 0;
}

static struct pl_ip ip_of(const struct pl_addr *addr)
{
	struct pl_ip ip;

	if (addr->family == AF_INET)
		return pl_ip_of_v4(addr->bytes);
	memcpy(ip.bytes, addr->bytes, sizeof(ip.bytes));
	return ip;
}

static int add_text(struct pl_who *who, const char *s, size_t node, struct pl_err *err)
{
	struct pl_addr addr;
	struct pl_ip ip;

	if (pl_addr_parse(s, strlen(s), &addr))
		return pl_err_set(err, PL_EINPUT, "\"%s\" is not an address", s);
	ip = ip_of(&addr);
	return pl_who_add(who, &ip, node, err);
}

static bool from_sockaddr(const struct addrinfo *i, struct pl_addr *addr)
{
	char text[NI_MAXHOST];

	return getnameinfo(i->ai_addr, i->ai_addrlen, text, sizeof(text), NULL, 0,
			   NI_NUMERICHOST) == 0 &&
	       pl_addr_parse(text, strcspn(text, "%"), addr) == 0;
}

/* Adds what is global, or all; *n counts. */
static int add_found(struct pl_who *who, const struct addrinfo *list, bool all, size_t node,
		     size_t *n, struct pl_err *err)
{
	struct pl_addr addr;

	for (const struct addrinfo *i = list; i; i = i->ai_next) {
		struct pl_ip ip;

		if (!from_sockaddr(i, &addr) || (!all && !pl_addr_is_global(&addr)))
			continue;
		ip = ip_of(&addr);
		if (pl_who_add(who, &ip, node, err))
			return -1;
		++*n;
	}
	return 0;
}

static int add_name(struct pl_who *who, const char *name, size_t node, struct pl_err *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *list = NULL;
	const int why = getaddrinfo(name, NULL, &hints, &list);
	size_t n = 0;
	int rc;

	if (why)
		return pl_err_set(err, PL_EINPUT,
				  "host \"%s\": no address is known here (%s); a plan can give it: "
				  "addr=ADDRESS",
				  name, gai_strerror(why));
	rc = add_found(who, list, false, node, &n, err);
	if (!rc && n == 0)
		rc = add_found(who, list, true, node, &n, err);
	freeaddrinfo(list);
	return rc;
}

int pl_who_add_hosts(struct pl_who *who, const struct pl_hosts *hosts, struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const struct pl_host *h = &hosts->v[i];

		if (h->addr ? add_text(who, h->addr, i, err) : add_name(who, h->name, i, err))
			return -1;
	}
	return 0;
}

const char *pl_ip_format(const struct pl_ip *ip, char buf[PL_IP_CHARS])
{
	static const uint8_t v4[12] = {[10] = 0xff, [11] = 0xff};
	struct pl_addr addr = {.family = AF_INET6};

	memcpy(addr.bytes, ip->bytes, sizeof(ip->bytes));
	if (memcmp(ip->bytes, v4, sizeof(v4)) == 0) {
		addr.family = AF_INET;
		memcpy(addr.bytes, ip->bytes + 12, 4);
	}
	return pl_addr_format(&addr, buf);
}

void pl_who_fini(struct pl_who *who)
{
	free(who->v);
	memset(who, 0, sizeof(*who));
}
