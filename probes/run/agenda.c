/* SPDX-License-Identifier: BSD-3-Clause */
/* agenda.c - which pairs are still to be measured, and which can begin now */
#include "config.h"

#include "probes/run/agenda.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t other(const struct pl_agenda *a, size_t k, size_t host)
{
	const struct pl_meet *meet = &a->meet[k];

	return meet->a == host ? meet->b : meet->a;
}

static void rewind_lists(struct pl_agenda *a)
{
	for (size_t h = 0; h < a->n_hosts; h++)
		a->at[h] = a->first[h];
}

/* The meetings of each host: by round, as all are; and, since every host adds its own to the lists
 * of those it meets, by the other host. */
static void list_by_host(struct pl_agenda *a)
{
	for (size_t k = 0; k < a->n_meets; k++) {
		a->first[a->meet[k].a + 1]++;
		a->first[a->meet[k].b + 1]++;
	}
	for (size_t h = 0; h < a->n_hosts; h++)
		a->first[h + 1] += a->first[h];
	rewind_lists(a);
	for (size_t k = 0; k < a->n_meets; k++) {
		a->list[a->at[a->meet[k].a]++] = (uint32_t)k;
		a->list[a->at[a->meet[k].b]++] = (uint32_t)k;
	}
	rewind_lists(a);
	for (size_t h = 0; h < a->n_hosts; h++)
		for (size_t i = a->first[h]; i < a->first[h + 1]; i++)
			a->by_peer[a->at[other(a, a->list[i], h)]++] = a->list[i];
	rewind_lists(a);
}

static void add_free(struct pl_agenda *a, size_t host)
{
	a->busy[host] = PL_AGENDA_NONE;
	a->place[host] = (uint32_t)a->n_free;
	a->free[a->n_free++] = (uint32_t)host;
}

/* What it is now: a meeting, or GONE. */
static void take_free(struct pl_agenda *a, size_t host, size_t now)
{
	const uint32_t last = a->free[--a->n_free];

	a->busy[host] = now;
	a->free[a->place[host]] = last;
	a->place[last] = a->place[host];
}

static int allocate(struct pl_agenda *a, size_t n, size_t n_hosts)
{
	a->meet = pl_array_create(n, sizeof(*a->meet));
	a->first = pl_array_create(n_hosts + 1, sizeof(*a->first));
	a->list = pl_array_create(n, 2 * sizeof(*a->list));
	a->by_peer = pl_array_create(n, 2 * sizeof(*a->by_peer));
	a->at = pl_array_create(n_hosts, sizeof(*a->at));
	a->busy = pl_array_create(n_hosts, sizeof(*a->busy));
	a->begun = pl_array_create(n, sizeof(*a->begun));
	a->free = pl_array_create(n_hosts, sizeof(*a->free));
	a->place = pl_array_create(n_hosts, sizeof(*a->place));
	return a->meet && a->first && a->list && a->by_peer && a->at && a->busy && a->begun &&
			       a->free && a->place
		       ? 0
		       : -1;
}

int pl_agenda_init(struct pl_agenda *a, const struct pl_meet *v, size_t n, size_t n_hosts,
		   struct pl_err *err)
{
	memset(a, 0, sizeof(*a));
	if (n > UINT32_MAX || allocate(a, n, n_hosts)) {
		pl_agenda_fini(a);
		return pl_err_nomem(err);
	}
	if (n > 0)
		memcpy(a->meet, v, n * sizeof(*v));
	a->n_meets = a->n_left = n;
	a->n_hosts = n_hosts;
	if (pl_rounds_assign(a->meet, n, n_hosts, &a->n_rounds, err)) {
		pl_agenda_fini(a);
		return -1;
	}
	list_by_host(a);
	for (size_t h = 0; h < n_hosts; h++)
		add_free(a, h);
	return 0;
}

void pl_agenda_fini(struct pl_agenda *a)
{
	free(a->meet);
	free(a->first);
	free(a->list);
	free(a->by_peer);
	free(a->at);
	free(a->busy);
	free(a->begun);
	free(a->free);
	free(a->place);
	memset(a, 0, sizeof(*a));
}

static bool is_free(const struct pl_agenda *a, size_t host)
{
	return a->busy[host] == PL_AGENDA_NONE;
}

size_t pl_agenda_find(const struct pl_agenda *a, size_t host, size_t peer)
{
	const size_t end = a->first[host + 1];
	size_t from = a->first[host], to = end;

	if (host == peer || peer >= a->n_hosts)
		return PL_AGENDA_NONE;
	if (to - from == a->n_hosts - 1) /* it meets all others */
		return a->by_peer[from + peer - (peer > host)];
	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (other(a, a->by_peer[mid], host) < peer)
			from = mid + 1;
		else
			to = mid;
	}
	return from < end && other(a, a->by_peer[from], host) == peer ? a->by_peer[from]
								      : PL_AGENDA_NONE;
}

/* The earliest meeting with any of the free hosts, which are few. */
static size_t ask_free(const struct pl_agenda *a, size_t host)
{
	size_t found = PL_AGENDA_NONE;

	for (size_t i = 0; i < a->n_free; i++) {
		const size_t k = pl_agenda_find(a, host, a->free[i]);

		if (k < found && !a->begun[k])
			found = k;
	}
	return found;
}

/*
 * If many hosts are free, a free one is soon found in the host's own list of pairs; if few are,
 * asking each of them is quicker. So no more entries of the list are looked at than there are free
 * hosts.
 */
static size_t find_next(struct pl_agenda *a, size_t host)
{
	const size_t end = a->first[host + 1];
	size_t from = a->at[host], to;

	while (from < end && a->begun[a->list[from]])
		from++;
	a->at[host] = from;
	to = end - from > a->n_free ? from + a->n_free : end;
	for (size_t i = from; i < to; i++) {
		const size_t k = a->list[i];

		if (!a->begun[k] && is_free(a, other(a, k, host)))
			return k;
	}
	return to < end ? ask_free(a, host) : PL_AGENDA_NONE;
}

size_t pl_agenda_begin(struct pl_agenda *a, size_t host)
{
	size_t k;

	if (!is_free(a, host))
		return PL_AGENDA_NONE;
	k = find_next(a, host);
	if (k == PL_AGENDA_NONE)
		return PL_AGENDA_NONE;
	a->begun[k] = 1;
	take_free(a, a->meet[k].a, k);
	take_free(a, a->meet[k].b, k);
	a->n_left--;
	return k;
}

bool pl_agenda_is_on(const struct pl_agenda *a, size_t k)
{
	return k < a->n_meets && a->busy[a->meet[k].a] == k && a->busy[a->meet[k].b] == k;
}

void pl_agenda_end(struct pl_agenda *a, size_t k)
{
	assert(pl_agenda_is_on(a, k));
	add_free(a, a->meet[k].a);
	add_free(a, a->meet[k].b);
	a->n_ended++;
}

void pl_agenda_leave(struct pl_agenda *a, size_t host)
{
	for (size_t i = a->first[host]; i < a->first[host + 1]; i++)
		if (!a->begun[a->list[i]]) {
			a->begun[a->list[i]] = 1;
			a->n_left--;
		}
	if (is_free(a, host))
		take_free(a, host, PL_AGENDA_GONE);
}
