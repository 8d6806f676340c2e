/* SPDX-License-Identifier: BSD-3-Clause */
/* cover.c - the fewest hosts that are at one end of every missing pair */
#include "config.h"

#include "order/missing/cover.h"

#include "base/mem.h"
#include "base/stats.h"

#include <stdlib.h>
#include <string.h>

/* A branch: a host was taken or, once that has been tried, all hosts that it has missing pairs
 * with. */
struct branch {
	size_t n_before; /* hosts taken before it */
	uint32_t host;
	bool is_second;
};

struct search {
	const struct pl_gaps *gaps;
	bool *here;       /* [n] of this part, and not taken */
	uint32_t *degree; /* [n] peers that are not taken */
	uint32_t *part;   /* [n_part] hosts of the part under way */
	size_t n_part;
	uint32_t *taken; /* [n_taken] in that order */
	size_t n_taken;
	struct branch *branch; /* [n_branches] */
	size_t n_branches;
	uint32_t *best; /* [n_best] */
	size_t n_best;
	/* for the bound: cliques of hosts that are not taken */
	uint32_t *clique;      /* [n] of a host */
	uint32_t *size, *hits; /* [n] of a clique: how many of its hosts a host
				* has missing pairs with */
	uint64_t n_steps, steps_max;
};

#define NO_CLIQUE UINT32_MAX

static void fini(struct search *s)
{
	free(s->here);
	free(s->degree);
	free(s->part);
	free(s->taken);
	free(s->branch);
	free(s->best);
	free(s->clique);
	free(s->size);
	free(s->hits);
}

static int init(struct search *s)
{
	const size_t n = s->gaps->n;

	s->here = pl_array_create(n, sizeof(*s->here));
	s->degree = pl_array_create(n, sizeof(*s->degree));
	s->part = pl_array_create(n, sizeof(*s->part));
	s->taken = pl_array_create(n, sizeof(*s->taken));
	s->branch = pl_array_create(n, sizeof(*s->branch));
	s->best = pl_array_create(n, sizeof(*s->best));
	s->clique = pl_array_create(n, sizeof(*s->clique));
	s->size = pl_array_create(n, sizeof(*s->size));
	s->hits = pl_array_create(n, sizeof(*s->hits));
	return s->here && s->degree && s->part && s->taken && s->branch && s->best && s->clique &&
			       s->size && s->hits
		       ? 0
		       : -1;
}

/* The hosts that @host has missing pairs with; the list ends where the next host's begins. */
static const uint32_t *peers(const struct search *s, size_t host)
{
	return s->gaps->peer + s->gaps->first[host];
}

static void take(struct search *s, uint32_t host)
{
	s->here[host] = false;
	s->taken[s->n_taken++] = host;
	for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++)
		s->degree[*p]--;
	s->n_steps += (uint64_t)(peers(s, host + 1) - peers(s, host));
}

static void undo(struct search *s, size_t n_before)
{
	while (s->n_taken > n_before) {
		const uint32_t host = s->taken[--s->n_taken];

		for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++)
			s->degree[*p]++;
		s->here[host] = true;
	}
}

/* Takes all hosts that @host has missing pairs with, so that it can stay. */
static void take_peers(struct search *s, uint32_t host)
{
	for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++)
		if (s->here[*p])
			take(s, *p);
}

static uint32_t any_peer(const struct search *s, uint32_t host)
{
	for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++)
		if (s->here[*p])
			return *p;
	return host;
}

/*
 * If a host lacks measurements to one other host only, it stays and the other is left out: no
 * smaller set of hosts can be left out. If two hosts lack only those to each other, the later one
 * is left out. Returns whether there was such a host.
 */
static bool reduce(struct search *s)
{
	bool found = false;

	for (size_t i = 0; i < s->n_part; i++) {
		const uint32_t host = s->part[i];
		uint32_t peer;

		if (!s->here[host] || s->degree[host] != 1)
			continue;
		peer = any_peer(s, host);
		take(s, s->degree[peer] == 1 && host > peer ? host : peer);
		found = true;
	}
	s->n_steps += s->n_part;
	return found;
}

/* The host with most missing pairs, of several the last; *n_missed: how
 * many. */
static uint32_t worst(const struct search *s, uint32_t *host)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->n_part; i++)
		if (s->here[s->part[i]] && s->degree[s->part[i]] >= most) {
			*host = s->part[i];
			most = s->degree[*host];
		}
	return most;
}

/* The largest clique of which @host has missing pairs with every host. */
static uint32_t fitting_clique(struct search *s, uint32_t host)
{
	uint32_t found = NO_CLIQUE;

	for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++) {
		const uint32_t c = s->clique[*p];

		if (s->here[*p] && c != NO_CLIQUE && ++s->hits[c] == s->size[c] &&
		    (found == NO_CLIQUE || s->size[c] > s->size[found]))
			found = c;
	}
	for (const uint32_t *p = peers(s, host); p < peers(s, host + 1); p++) {
		const uint32_t c = s->clique[*p];

		if (s->here[*p] && c != NO_CLIQUE)
			s->hits[c] = 0;
	}
	s->n_steps += (uint64_t)(peers(s, host + 1) - peers(s, host));
	return found;
}

/* How many more hosts must be taken at least: all but one of each clique. */
static size_t bound(struct search *s)
{
	size_t n_hosts = 0, n_cliques = 0;

	for (size_t i = 0; i < s->n_part; i++)
		s->clique[s->part[i]] = NO_CLIQUE;
	for (size_t i = 0; i < s->n_part; i++) {
		const uint32_t host = s->part[i];
		uint32_t c;

		if (!s->here[host] || s->degree[host] == 0)
			continue;
		n_hosts++;
		c = fitting_clique(s, host);
		if (c == NO_CLIQUE) {
			c = (uint32_t)n_cliques++;
			s->size[c] = 0;
			s->hits[c] = 0;
		}
		s->clique[host] = c;
		s->size[c]++;
	}
	return n_hosts - n_cliques;
}

static void keep_best(struct search *s)
{
	memcpy(s->best, s->taken, s->n_taken * sizeof(*s->best));
	s->n_best = s->n_taken;
}

/* Goes back to the last host that was taken and whose peers were not tried; false: there is
 * none. */
static bool turn_back(struct search *s)
{
	struct branch *b;

	while (s->n_branches && s->branch[s->n_branches - 1].is_second)
		s->n_branches--;
	if (s->n_branches == 0)
		return false;
	b = &s->branch[s->n_branches - 1];
	undo(s, b->n_before);
	b->is_second = true;
	take_peers(s, b->host);
	return true;
}

/* Searches one part, of which nothing is taken yet. Returns a lower bound on its covers: the size
 * of the best, unless the steps ran out. */
static size_t search(struct search *s)
{
	const size_t least = bound(s);
	bool more = true;

	s->n_best = s->n_part + 1;
	while (more) {
		uint32_t host = 0;

		while (reduce(s))
			;
		if (worst(s, &host) == 0) {
			if (s->n_taken < s->n_best)
				keep_best(s);
			if (s->n_best == least)
				break;
			more = turn_back(s);
		} else if (s->n_best <= s->n_part && s->n_taken + bound(s) >= s->n_best) {
			more = turn_back(s);
		} else {
			s->branch[s->n_branches++] = (struct branch){s->n_taken, host, false};
			take(s, host);
		}
		if (s->n_best <= s->n_part && s->n_steps > s->steps_max)
			break;
	}
	undo(s, 0);
	s->n_branches = 0;
	return more ? least : s->n_best;
}

/* Makes a part of all hosts that missing pairs connect with @host. */
static void gather_part(struct search *s, uint32_t host)
{
	s->part[0] = host;
	s->n_part = 1;
	s->here[host] = true;
	for (size_t i = 0; i < s->n_part; i++)
		for (const uint32_t *p = peers(s, s->part[i]); p < peers(s, s->part[i] + 1); p++) {
			const uint32_t peer = *p;

			if (s->here[peer])
				continue;
			s->here[peer] = true;
			s->part[s->n_part++] = peer;
		}
}

int pl_cover_find(const struct pl_gaps *gaps, uint64_t steps_max, bool *taken,
		  struct pl_cover *cover)
{
	struct search s = {.gaps = gaps, .steps_max = steps_max};
	const int status = init(&s);

	*cover = (struct pl_cover){0};
	for (size_t h = 0; !status && h < gaps->n; h++) {
		s.degree[h] = (uint32_t)(gaps->first[h + 1] - gaps->first[h]);
		taken[h] = false;
	}
	for (uint32_t h = 0; !status && h < gaps->n; h++) {
		if (s.degree[h] == 0 || s.here[h])
			continue;
		gather_part(&s, h);
		pl_sort_uint32(s.part, s.n_part);
		cover->n_least += search(&s);
		cover->n_taken += s.n_best;
		for (size_t i = 0; i < s.n_best; i++)
			taken[s.best[i]] = true;
	}
	fini(&s);
	return status;
}
