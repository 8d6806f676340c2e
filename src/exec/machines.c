/* SPDX-License-Identifier: BSD-3-Clause */
/* machines.c - a list of machines by address and port, as LightGBM reads it */
#include "config.h"

#include "src/exec/machines.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine {
	struct pl_part address, port;
	size_t host; /* of the plan */
};

/* In the list's order. */
struct machines {
	struct machine *v;
	size_t n, room;
};

static const char blanks[] = " \t\v\f\r";

struct pl_part pl_part_trim(struct pl_part p, const char *marks)
{
	while (p.len && strchr(marks, *p.s)) {
		p.s++;
		p.len--;
	}
	while (p.len && strchr(marks, p.s[p.len - 1]))
		p.len--;
	return p;
}

/* Exactly two parts with any number of @mark between and around them. */
static bool split(struct pl_part line, char mark, struct machine *m)
{
	struct pl_part part[2];
	size_t n = 0;

	for (size_t i = 0; i < line.len;) {
		size_t end = i;

		while (end < line.len && line.s[end] != mark)
			end++;
		if (end > i && n == 2)
			return false;
		if (end > i)
			part[n++] = pl_part_trim((struct pl_part){line.s + i, end - i}, blanks);
		i = end + 1;
	}
	if (n != 2)
		return false;
	m->address = part[0];
	m->port = part[1];
	return true;
}

/* LightGBM's own grammar, except for a line with "rank=": that number would belong to the machine
 * whatever the order. */
static bool parse(const struct pl_line *line, struct machine *m)
{
	const struct pl_part whole = pl_part_trim((struct pl_part){line->s, line->len}, blanks);

	if (memmem(whole.s, whole.len, "rank=", 5))
		return false;
	return split(whole, ' ', m) || split(whole, ':', m);
}

static bool reads(struct pl_part p, const char *s)
{
	return s && strlen(s) == p.len && memcmp(s, p.s, p.len) == 0;
}

static bool is_of(const struct machine *m, const struct pl_host *host)
{
	return reads(m->address, host->addr) || reads(m->address, host->name);
}

/* If several hosts have one address, the port distinguishes them. */
static bool has_port(const struct machine *m, const struct pl_host *host)
{
	int64_t port;

	return pl_int_parse(m->port.s, m->port.len, 1, 65535, &port) == 0 && port == host->port;
}

/* The forms of an address that LightGBM can connect to. */
static bool is_ipv4(struct pl_part p)
{
	char text[INET_ADDRSTRLEN];
	struct in_addr addr;

	if (p.len >= sizeof(text))
		return false;
	memcpy(text, p.s, p.len);
	text[p.len] = '\0';
	return inet_pton(AF_INET, text, &addr) == 1;
}

static int check(const struct machine *m, struct pl_err *err)
{
	int64_t port;

	if (!is_ipv4(m->address))
		return pl_err_set(
			err, PL_EPARTIAL,
			"the list has the machine %.*s, but LightGBM knows only IPv4 addresses",
			(int)m->address.len, m->address.s);
	if (pl_int_parse(m->port.s, m->port.len, 1, 65535, &port))
		return pl_err_set(err, PL_EPARTIAL, "the list has the port \"%.*s\" of %.*s",
				  (int)m->port.len, m->port.s, (int)m->address.len, m->address.s);
	return 0;
}

static int find_host(struct machine *m, const struct pl_hosts *hosts, struct pl_err *err)
{
	size_t n = 0, n_exact = 0, exact = 0;

	for (size_t i = 0; i < hosts->n; i++) {
		if (!is_of(m, &hosts->v[i]))
			continue;
		m->host = i;
		n++;
		if (has_port(m, &hosts->v[i])) {
			exact = i;
			n_exact++;
		}
	}
	if (n > 1 && n_exact == 1)
		m->host = exact;
	if (n == 1 || n_exact == 1)
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  n ? "several hosts of the plan could be the machine %.*s of the list: "
			      "give their ports in the plan"
			    : "the list has the machine %.*s, which is no host of the plan",
			  (int)m->address.len, m->address.s);
}

static int read_all(struct machines *all, struct pl_text *list, const struct pl_hosts *hosts,
		    struct pl_err *err)
{
	struct pl_line line;

	while (pl_text_next(list, &line)) {
		struct machine m;

		if (!parse(&line, &m))
			continue;
		if (check(&m, err) || find_host(&m, hosts, err))
			return -1;
		if (pl_array_grow((void **)&all->v, &all->room, all->n, sizeof(m)))
			return pl_err_nomem(err);
		all->v[all->n++] = m;
	}
	return 0;
}

static int check_slots(const size_t *count, const struct pl_hosts *hosts, struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (count[i] != (size_t)hosts->v[i].slots)
			return pl_err_set(
				err, PL_EPARTIAL,
				"the list has %s %zu times, and the plan runs %d processes there",
				hosts->v[i].name, count[i], hosts->v[i].slots);
	return 0;
}

/* at[i] becomes the machine with rank i. */
static int place(const struct machines *all, const struct pl_plan *plan, const struct machine **at,
		 struct pl_err *err)
{
	const size_t n = plan->hosts.n;
	size_t *count = pl_array_create(n, sizeof(*count));
	size_t *next = pl_array_create(n, sizeof(*next));
	size_t first = 0;
	int rc = -1;

	if (!count || !next) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < all->n; i++)
		count[all->v[i].host]++;
	if (check_slots(count, &plan->hosts, err))
		goto out;
	for (size_t pos = 0; pos < n; pos++) {
		const size_t host = plan->order[0].host_at[pos];

		next[host] = first;
		first += count[host];
	}
	for (size_t i = 0; i < all->n; i++)
		at[next[all->v[i].host]++] = &all->v[i];
	rc = 0;
out:
	free(next);
	free(count);
	return rc;
}

static char *format(const struct machine *const *at, size_t n, struct pl_err *err)
{
	size_t len = 1;
	char *text, *end;

	for (size_t i = 0; i < n; i++)
		len += at[i]->address.len + at[i]->port.len + 2;
	text = end = malloc(len);
	if (!text) {
		pl_err_nomem(err);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		end += sprintf(end, "%s%.*s:%.*s", i ? "," : "", (int)at[i]->address.len,
			       at[i]->address.s, (int)at[i]->port.len, at[i]->port.s);
	return text;
}

char *pl_machines_order(struct pl_text *list, const struct pl_plan *plan, struct pl_err *err)
{
	struct machines all = {0};
	const struct machine **at = NULL;
	char *text = NULL;

	if (read_all(&all, list, &plan->hosts, err))
		goto out;
	at = pl_array_create(all.n, sizeof(*at));
	if (!at)
		pl_err_nomem(err);
	else if (place(&all, plan, at, err) == 0)
		text = format(at, all.n, err);
out:
	free(at);
	free(all.v);
	return text;
}
