/* SPDX-License-Identifier: BSD-3-Clause */
/* agenda.h - the pairs still to be measured, and which of them can begin now */
#ifndef PLINK_PROBES_RUN_AGENDA_H
#define PLINK_PROBES_RUN_AGENDA_H

#include "base/err.h"
#include "probes/run/rounds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_AGENDA_NONE SIZE_MAX
#define PL_AGENDA_GONE (SIZE_MAX - 1)

/*
 * A free host begins its earliest pair (by round) whose other host is free, too; so a round does
 * not wait for its slowest pair. A meeting, "k" below, is an index into meet. Start with {0} and
 * pl_agenda_init; end with fini.
 */
struct pl_agenda {
	struct pl_meet *meet; /* [n_meets], by round */
	size_t n_meets, n_hosts, n_rounds;
	size_t *first;     /* [n_hosts + 1] start of each host's part of the two
			    * lists */
	uint32_t *list;    /* [2 * n_meets] a host's meetings, by round */
	uint32_t *by_peer; /* [2 * n_meets] the same, by other host */
	size_t *at;        /* [n_hosts] into list: the meetings before have begun */
	size_t *busy;      /* [n_hosts] its present meeting, NONE or GONE */
	uint8_t *begun;    /* [n_meets] */
	uint32_t *free;    /* [n_free] hosts in no meeting, in any order */
	uint32_t *place;   /* [n_hosts] index of a free host in free */
	size_t n_free;
	size_t n_left; /* meetings not begun */
	size_t n_ended;
};

/* Copies v[n] and gives the pairs their rounds. 0, or -1 with @err set. */
int pl_agenda_init(struct pl_agenda *a, const struct pl_meet *v, size_t n, size_t n_hosts,
		   struct pl_err *err);
void pl_agenda_fini(struct pl_agenda *a);

/* Begins a meeting of @host if one can begin, and returns it; else NONE. It checks at most twice as
 * many meetings as there are free hosts. */
size_t pl_agenda_begin(struct pl_agenda *a, size_t host);

/* The meeting of two hosts, begun or not; NONE: there is none. */
size_t pl_agenda_find(const struct pl_agenda *a, size_t host, size_t peer);

/* Is meeting @k under way? */
bool pl_agenda_is_on(const struct pl_agenda *a, size_t k);

/* Ends a meeting that is under way; its hosts become free, unless gone. */
void pl_agenda_end(struct pl_agenda *a, size_t k);

/* Removes @host: meetings that it has not begun never begin. End its present meeting first. */
void pl_agenda_leave(struct pl_agenda *a, size_t host);

#endif
