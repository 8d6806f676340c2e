/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c - lists of machines, in the order given (plink-hosts(5)) */
#include "config.h"

#include "base/hosts/hosts.h"

#include "base/mem.h"
#include "base/text/names.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *copy_or_null(const char *s)
{
	return s ? pl_string_copy(s, strlen(s)) : NULL;
}

static void host_fini(struct pl_host *host)
{
	free(host->name);
	free(host->node);
	free(host->addr);
	free(host->type);
	free(host->user);
}

int pl_hosts_add(struct pl_hosts *hosts, const struct pl_host *host)
{
	struct pl_host copy = {.slots = host->slots, .port = host->port};

	copy.name = copy_or_null(host->name);
	copy.node = copy_or_null(host->node);
	copy.addr = copy_or_null(host->addr);
	copy.type = copy_or_null(host->type);
	copy.user = copy_or_null(host->user);
	if (!copy.name || (host->node && !copy.node) || (host->addr && !copy.addr) ||
	    (host->type && !copy.type) || (host->user && !copy.user))
		goto fail;
	if (pl_array_grow((void **)&hosts->v, &hosts->room, hosts->n, sizeof(*hosts->v)))
		goto fail;
	hosts->v[hosts->n++] = copy;
	return 0;
fail:
	host_fini(&copy);
	return -1;
}

static int adopt(char **to, const char *from)
{
	if (*to || !from)
		return 0;
	*to = copy_or_null(from);
	return *to ? 0 : -1;
}

int pl_host_adopt(struct pl_host *to, const struct pl_host *from)
{
	return adopt(&to->node, from->node) || adopt(&to->addr, from->addr) ||
			       adopt(&to->type, from->type)
		       ? -1
		       : 0;
}

int pl_hosts_copy(struct pl_hosts *to, const struct pl_hosts *from)
{
	for (size_t i = 0; i < from->n; i++) {
		if (pl_hosts_add(to, &from->v[i])) {
			pl_hosts_fini(to);
			return -1;
		}
	}
	return 0;
}

ptrdiff_t pl_hosts_find(const struct pl_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (strcmp(hosts->v[i].name, name) == 0)
			return (ptrdiff_t)i;
	return -1;
}

size_t pl_hosts_ranks(const struct pl_hosts *hosts)
{
	size_t n_ranks = 0;

	for (size_t i = 0; i < hosts->n; i++)
		n_ranks += (size_t)hosts->v[i].slots;
	return n_ranks;
}

void pl_hosts_fini(struct pl_hosts *hosts)
{
	for (size_t i = 0; i < hosts->n; i++)
		host_fini(&hosts->v[i]);
	free(hosts->v);
	memset(hosts, 0, sizeof(*hosts));
}

/* By name, then port, then place in the list (both point into one array). */
static int compare_entries(const void *a, const void *b)
{
	const struct pl_host *x = *(const struct pl_host *const *)a;
	const struct pl_host *y = *(const struct pl_host *const *)b;
	const int order = strcmp(x->name, y->name);

	if (order)
		return order;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* An entry without a port sorts before all others of its name. */
static int same_host(const struct pl_host *x, const struct pl_host *y)
{
	return strcmp(x->name, y->name) == 0 && (x->port == y->port || x->port == 0);
}

int pl_hosts_duplicate(const struct pl_hosts *hosts, size_t *first, size_t *again)
{
	const struct pl_host **sorted;

	sorted = pl_array_create(hosts->n, sizeof(struct pl_host *));
	if (!sorted)
		return -1;
	for (size_t i = 0; i < hosts->n; i++)
		sorted[i] = &hosts->v[i];
	qsort(sorted, hosts->n, sizeof(struct pl_host *), compare_entries);
	*first = *again = hosts->n;
	for (size_t i = 1; i < hosts->n; i++) {
		const struct pl_host *x = sorted[i - 1], *y = sorted[i];

		if (!same_host(x, y))
			continue;
		const size_t early = (size_t)((x < y ? x : y) - hosts->v);
		const size_t late = (size_t)((x < y ? y : x) - hosts->v);
		if (late < *again) {
			*again = late;
			*first = early;
		}
	}
	free(sorted);
	return 0;
}

static int is_name_char(char c)
{
	return c != '\0' && strchr(PL_HOST_NAME_CHARS, c) != NULL;
}

static const char *address_fault(const char *s, size_t len)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr addr;

	if (len >= sizeof(text))
		return "this is not an IPv6 address";
	memcpy(text, s, len);
	text[len] = '\0';
	return inet_pton(AF_INET6, text, &addr) == 1 ? NULL : "this is not an IPv6 address";
}

const char *pl_host_name_fault(const char *s, size_t len, size_t *at)
{
	*at = 0;
	if (len == 0)
		return "a host name must stand here";
	if (len > PL_HOST_NAME_MAX)
		return "a host name of more than 255 bytes";
	if (memchr(s, ':', len))
		return address_fault(s, len);
	if (*s == '-' || *s == '.')
		return "a host name starts with a letter, a digit or '_'";
	while (*at < len && is_name_char(s[*at]))
		++*at;
	return *at < len ? "a host name holds letters, digits, '.', '-' and '_' only" : NULL;
}

bool pl_host_is_address(const char *s, size_t len)
{
	const char *scope = memchr(s, '%', len);
	const size_t n = scope ? (size_t)(scope - s) : len;
	char text[INET6_ADDRSTRLEN];
	struct in6_addr addr;
	size_t at;

	if (n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (!scope)
		return inet_pton(AF_INET, text, &addr) == 1 ||
		       inet_pton(AF_INET6, text, &addr) == 1;
	return inet_pton(AF_INET6, text, &addr) == 1 && !memchr(scope, ':', len - n) &&
	       !pl_host_name_fault(scope + 1, len - n - 1, &at);
}

enum pl_alike pl_host_names_alike(const char *a, const char *b)
{
	size_t same = 0, first = strcspn(a, ".");

	while (a[same] && tolower((unsigned char)a[same]) == tolower((unsigned char)b[same]))
		same++;
	if (!a[same] && !b[same])
		return PL_ALIKE_SAME;
	if (same < first || (a[first] != b[first] && a[first] && b[first]) ||
	    pl_host_is_address(a, strlen(a)) || pl_host_is_address(b, strlen(b)))
		return PL_ALIKE_NO;
	if ((!a[same] && b[same] == '.') || (!b[same] && a[same] == '.'))
		return PL_ALIKE_DOMAIN;
	return a[first] && b[first] ? PL_ALIKE_SHORT : PL_ALIKE_NO;
}

enum pl_alike pl_host_alike(const struct pl_host *host, const char *name)
{
	const enum pl_alike by_name = pl_host_names_alike(host->name, name);
	const enum pl_alike by_node = host->node ? pl_host_names_alike(host->node, name) : by_name;

	return by_node > by_name ? by_node : by_name;
}

int pl_hosts_share_short(const struct pl_hosts *hosts)
{
	struct pl_names names = {0};
	int shared = 0;

	for (size_t i = 0; shared == 0 && i < hosts->n; i++) {
		const char *name = hosts->v[i].name;
		const size_t len = strlen(name);

		if (pl_host_is_address(name, len))
			continue;
		shared = pl_names_add(&names, name, strcspn(name, "."), i);
		if (shared > 0)
			shared = pl_host_names_alike(
					 name,
					 hosts->v[pl_names_find(&names, name, strcspn(name, "."))]
						 .name) != PL_ALIKE_SAME;
	}
	pl_names_fini(&names);
	return shared;
}

int pl_hosts_distinct(struct pl_hosts *to, const struct pl_hosts *from, struct pl_err *err)
{
	struct pl_names names = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < from->n; i++) {
		const struct pl_host *host = &from->v[i];
		const int known = pl_names_add(&names, host->name, strlen(host->name), i);

		if (known < 0 || (known == 0 && pl_hosts_add(to, host)))
			rc = pl_err_nomem(err);
	}
	pl_names_fini(&names);
	return rc;
}
