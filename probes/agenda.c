/* SPDX-License-Identifier: BSD-3-Clause */
/* agenda.c - which pairs are still to be measured, and which can begin now */
#include "config.h"

#include "probes/agenda.h"

#include "src/mem.h"

#include <stdlib.h>
#include <string.h>

/* The meetings of each host, which are by round as all are. */
static void list_by_host(struct pl_agenda *a)
{
	for (size_t k = 0; k < a->n_meets; k++) {
		a->first[a->meet[k].a + 1]++;
		a->first[a->meet[k].b + 1]++;
	}
	for (size_t h = 0; h < a->n_hosts; h++) {
		a->first[h + 1] += a->first[h];
		a->at[h] = a->first[h];
		a->busy[h] = PL_AGENDA_NONE;
	}
	for (size_t k = 0; k < a->n_meets; k++) {
		a->list[a->at[a->meet[k].a]++] = k;
		a->list[a->at[a->meet[k].b]++] = k;
	}
	for (size_t h = 0; h < a->n_hosts; h++)
		a->at[h] = a->first[h];
}

int pl_agenda_init(struct pl_agenda *a, const struct pl_meet *v, size_t n,
		   size_t n_hosts, struct pl_err *err)
{
	memset(a, 0, sizeof(*a));
	a->meet = pl_array_create(n, sizeof(*a->meet));
	a->first = pl_array_create(n_hosts + 1, sizeof(*a->first));
	a->list = pl_array_create(n, 2 * sizeof(*a->list));
	a->at = pl_array_create(n_hosts, sizeof(*a->at));
	a->busy = pl_array_create(n_hosts, sizeof(*a->busy));
	a->begun = pl_array_create(n, sizeof(*a->begun));
	if (!a->meet || !a->first || !a->list || !a->at || !a->busy ||
	    !a->begun) {
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
	return 0;
}

void pl_agenda_fini(struct pl_agenda *a)
{
	free(a->meet);
	free(a->first);
	free(a->list);
	free(a->at);
	free(a->busy);
	free(a->begun);
	memset(a, 0, sizeof(*a));
}

static bool is_free(const struct pl_agenda *a, size_t host)
{
	return a->busy[host] == PL_AGENDA_NONE;
}

size_t pl_agenda_begin(struct pl_agenda *a, size_t host)
{
	const size_t end = a->first[host + 1];

	if (!is_free(a, host))
		return PL_AGENDA_NONE;
	while (a->at[host] < end && a->begun[a->list[a->at[host]]])
		a->at[host]++;
	for (size_t i = a->at[host]; i < end; i++) {
		const size_t k = a->list[i];
		const struct pl_meet *meet = &a->meet[k];

		if (a->begun[k] || !is_free(a, meet->a) || !is_free(a, meet->b))
			continue;
		a->begun[k] = 1;
		a->busy[meet->a] = a->busy[meet->b] = k;
		a->n_left--;
		return k;
	}
	return PL_AGENDA_NONE;
}

bool pl_agenda_is_on(const struct pl_agenda *a, size_t k)
{
	return k < a->n_meets && a->busy[a->meet[k].a] == k &&
	       a->busy[a->meet[k].b] == k;
}

void pl_agenda_end(struct pl_agenda *a, size_t k)
{
	a->busy[a->meet[k].a] = PL_AGENDA_NONE;
	a->busy[a->meet[k].b] = PL_AGENDA_NONE;
	a->n_ended++;
}

void pl_agenda_leave(struct pl_agenda *a, size_t host)
{
	for (size_t i = a->first[host]; i < a->first[host + 1]; i++)
		if (!a->begun[a->list[i]]) {
			a->begun[a->list[i]] = 1;
			a->n_left--;
		}
	a->busy[host] = PL_AGENDA_GONE;
}
