/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - the address at which each machine is measured */
#include "config.h"

#include "probes/protocol/address.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first address of @offer in @net, or offer->n. */
static size_t first_in(const struct pl_addr_offer *offer, const struct pl_addr *net)
{
	for (size_t i = 0; i < offer->n; i++)
		if (pl_addr_in(&offer->addr[i], net))
			return i;
	return offer->n;
}

/* Two machines that picked the same address, as indices; false when none. */
static bool find_clash(const struct pl_addr_offer *offer, size_t n, const size_t *pick, size_t *a,
		       size_t *b)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (pl_addr_same(&offer[i].addr[pick[i]], &offer[j].addr[pick[j]])) {
				*a = i;
				*b = j;
				return true;
			}
		}
	}
	return false;
}

/* Do all have an address in @net, and (unless shared) distinct ones? */
static bool try_network(const struct pl_addr_offer *offer, size_t n, int shared,
			const struct pl_addr *net, size_t *pick)
{
	size_t a, b;

	for (size_t i = 0; i < n; i++) {
		pick[i] = first_in(&offer[i], net);
		if (pick[i] == offer[i].n)
			return false;
	}
	return shared || !find_clash(offer, n, pick, &a, &b);
}

/* Index of the address of @offer that is its machine's name, or offer->n. */
static size_t named_by(const struct pl_addr_offer *offer)
{
	struct pl_addr name;

	if (pl_addr_parse(offer->name, strlen(offer->name), &name))
		return offer->n;
	for (size_t i = 0; i < offer->n; i++)
		if (pl_addr_same(&offer->addr[i], &name))
			return i;
	return offer->n;
}

static bool try_names(const struct pl_addr_offer *offer, size_t n, size_t *pick)
{
	for (size_t i = 0; i < n; i++) {
		pick[i] = named_by(&offer[i]);
		if (pick[i] == offer[i].n)
			return false;
	}
	return n > 0;
}

static bool has_address(const struct pl_addr_offer *offer, const struct pl_addr *addr)
{
	for (size_t i = 0; i < offer->n; i++)
		if (pl_addr_same(&offer->addr[i], addr))
			return true;
	return false;
}

/* The first address of machine @i in @family that no other has, else its first one in @family;
 * offer[i].n when it has none. */
static size_t first_own(const struct pl_addr_offer *offer, size_t n, size_t i, int family)
{
	size_t any = offer[i].n;

	for (size_t k = 0; k < offer[i].n; k++) {
		bool own = offer[i].addr[k].family == family;

		if (own && any == offer[i].n)
			any = k;
		for (size_t j = 0; own && j < n; j++)
			own = j == i || !has_address(&offer[j], &offer[i].addr[k]);
		if (own)
			return k;
	}
	return any;
}

static bool try_family(const struct pl_addr_offer *offer, size_t n, int family, size_t *pick)
{
	for (size_t i = 0; i < n; i++) {
		pick[i] = first_own(offer, n, i, family);
		if (pick[i] == offer[i].n)
			return false;
	}
	return true;
}

int pl_addr_choose(const struct pl_addr_offer *offer, size_t n, int shared, size_t *pick,
		   struct pl_err *err)
{
	char text[PL_ADDR_CHARS];
	size_t a, b;

	if (try_names(offer, n, pick))
		return 0;
	for (size_t k = 0; n > 0 && k < offer[0].n; k++)
		if (try_network(offer, n, shared, &offer[0].addr[k], pick))
			return 0;
	if (!try_family(offer, n, AF_INET, pick) && !try_family(offer, n, AF_INET6, pick))
		return pl_err_set(
			err, PL_EUSAGE,
			"the hosts have no kind of address in common; name a network with --iface");
	if (!shared && find_clash(offer, n, pick, &a, &b))
		return pl_err_set(err, PL_EUSAGE,
				  "%s and %s have the same address %s: if they are one machine, "
				  "list it once; else name another interface or network with "
				  "--iface",
				  offer[a].name, offer[b].name,
				  pl_addr_format(&offer[a].addr[pick[a]], text));
	return 0;
}

static bool is_common(const struct pl_addr_offer *offer, size_t n, const size_t *pick)
{
	for (size_t i = 0; i < n; i++)
		if (!pl_addr_in(&offer[i].addr[pick[i]], &offer[0].addr[pick[0]]))
			return false;
	return n > 0;
}

static bool is_named(const struct pl_addr_offer *offer, size_t n, const size_t *pick)
{
	for (size_t i = 0; i < n; i++)
		if (named_by(&offer[i]) != pick[i])
			return false;
	return true;
}

/* Where ssh reached the first machine, if it reached none of them in @net;
 * else NULL. */
static const struct pl_addr *reached_elsewhere(const struct pl_addr_offer *offer, size_t n,
					       const struct pl_addr *net)
{
	const struct pl_addr *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!offer[i].reached)
			continue;
		if (pl_addr_in(offer[i].reached, net))
			return NULL;
		first = first ? first : offer[i].reached;
	}
	return first;
}

/* @tried [n] is scratch. */
static const struct pl_addr *find_other(const struct pl_addr_offer *offer, size_t n,
					const struct pl_addr *net, size_t *tried)
{
	for (size_t k = 0; k < offer[0].n; k++)
		if (offer[0].addr[k].family == net->family && !pl_addr_in(&offer[0].addr[k], net) &&
		    try_network(offer, n, 0, &offer[0].addr[k], tried))
			return &offer[0].addr[k];
	return NULL;
}

int pl_addr_describe(const struct pl_addr_offer *offer, size_t n, const size_t *pick,
		     char text[PL_NETWORK_CHARS])
{
	const struct pl_addr *net, *ssh, *other;
	char is[PL_ADDR_CHARS], by[PL_ADDR_CHARS], also[PL_ADDR_CHARS];
	size_t *tried;

	text[0] = '\0';
	if (!is_common(offer, n, pick))
		return 0;
	tried = pl_array_create(n, sizeof(*tried));
	if (!tried)
		return -1;
	net = &offer[0].addr[pick[0]];
	ssh = reached_elsewhere(offer, n, net);
	other = find_other(offer, n, net, tried);
	free(tried);
	if (!ssh && !other)
		return 0;
	snprintf(text, PL_NETWORK_CHARS, "%s %s%s%s%s%s%s", pl_addr_format_network(net, is),
		 net->iface, is_named(offer, n, pick) ? " named" : "", ssh ? " ssh=" : "",
		 ssh ? pl_addr_format_network(ssh, by) : "", other ? " also=" : "",
		 other ? pl_addr_format_network(other, also) : "");
	return 0;
}
