/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.c - any set of pairs as few rounds of disjoint pairs */
#include "config.h"

#include "probes/run/rounds.h"

#include "base/mem.h"
#include "base/tournament.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/* Edges (pairs) are coloured (given rounds) one by one, as in Vizing's
 * proof. */
struct colouring {
	struct pl_meet *v;
	size_t n, n_hosts;
	size_t n_colours; /* the largest degree + 1 */
	size_t *at;       /* [n_hosts * n_colours] edge of a host's colour */
	size_t *colour;   /* [n] of an edge */
	size_t *fan;      /* [n_colours] edges of the fan's centre */
	size_t *missing;  /* [n_colours] a colour that the fan's k-th
			   * end lacks */
	size_t *met;      /* [n_colours] where in the fan a colour is missing */
	size_t *path;     /* [n_hosts] edges of two colours in turn */
};

static void fini(struct colouring *c)
{
	free(c->at);
	free(c->colour);
	free(c->fan);
	free(c->missing);
	free(c->met);
	free(c->path);
}

static int init(struct colouring *c)
{
	c->at = pl_array_create(c->n_hosts, c->n_colours * sizeof(size_t));
	c->colour = pl_array_create(c->n, sizeof(size_t));
	c->fan = pl_array_create(c->n_colours, sizeof(size_t));
	c->missing = pl_array_create(c->n_colours, sizeof(size_t));
	c->met = pl_array_create(c->n_colours, sizeof(size_t));
	c->path = pl_array_create(c->n_hosts, sizeof(size_t));
	if (!c->at || !c->colour || !c->fan || !c->missing || !c->met || !c->path)
		return -1;
	for (size_t k = 0; k < c->n_colours; k++)
		c->met[k] = NONE;
	for (size_t i = 0; i < c->n_hosts * c->n_colours; i++)
		c->at[i] = NONE;
	return 0;
}

static size_t *slot(const struct colouring *c, size_t host, size_t colour)
{
	return &c->at[host * c->n_colours + colour];
}

static size_t other_end(const struct colouring *c, size_t edge, size_t host)
{
	const struct pl_meet *meet = &c->v[edge];

	return meet->a == host ? meet->b : meet->a;
}

static void paint(struct colouring *c, size_t edge, size_t colour)
{
	c->colour[edge] = colour;
	*slot(c, c->v[edge].a, colour) = edge;
	*slot(c, c->v[edge].b, colour) = edge;
}

static void wash(struct colouring *c, size_t edge)
{
	*slot(c, c->v[edge].a, c->colour[edge]) = NONE;
	*slot(c, c->v[edge].b, c->colour[edge]) = NONE;
}

/* There is one: a host has fewer edges than there are colours. */
static size_t free_colour(const struct colouring *c, size_t host)
{
	size_t k = 0;

	while (*slot(c, host, k) != NONE)
		k++;
	return k;
}

/* Swaps two colours along the path from @host that begins with @first; the host lacks @second.
 * Returns the path's other end. */
static size_t swap_path(struct colouring *c, size_t host, size_t first, size_t second)
{
	size_t n = 0, want = first, edge;

	while ((edge = *slot(c, host, want)) != NONE) {
		c->path[n++] = edge;
		host = other_end(c, edge, host);
		want = want == first ? second : first;
	}
	for (size_t i = 0; i < n; i++)
		wash(c, c->path[i]);
	for (size_t i = 0; i < n; i++)
		paint(c, c->path[i], i % 2 ? first : second);
	return host;
}

/*
 * Grows a fan around @u, beginning with @edge, as in Vizing's theorem: each further edge of @u has
 * a colour that is free at the end of the edge before. Returns the place of the last end; *back is
 * the place of an earlier end that lacks the same free colour, NONE if that colour is free at @u
 * itself.
 */
static size_t grow_fan(struct colouring *c, size_t u, size_t edge, size_t *back)
{
	size_t k = 0;

	*back = NONE;
	for (;; k++) {
		size_t lacks;

		c->fan[k] = edge;
		lacks = free_colour(c, other_end(c, edge, u));
		c->missing[k] = lacks;
		if (c->met[lacks] != NONE)
			*back = c->met[lacks];
		edge = *slot(c, u, lacks);
		if (*back != NONE || edge == NONE)
			break;
		c->met[lacks] = k;
	}
	for (size_t i = 0; i < k; i++)
		c->met[c->missing[i]] = NONE;
	return k;
}

/* Each of the fan's edges up to @last takes the colour its end lacks. */
static void turn_fan(struct colouring *c, size_t last)
{
	for (size_t i = 1; i <= last; i++)
		wash(c, c->fan[i]);
	for (size_t i = 0; i <= last; i++)
		paint(c, c->fan[i], c->missing[i]);
}

static void colour_edge(struct colouring *c, size_t edge)
{
	const size_t u = c->v[edge].a, at_u = free_colour(c, u);
	size_t back, last = grow_fan(c, u, edge, &back);

	if (back != NONE) {
		const size_t lacks = c->missing[last];

		/* now u lacks it, and so does at least one of the two ends:
		 * the path ended at one of them or at neither */
		if (swap_path(c, u, lacks, at_u) == other_end(c, c->fan[back], u))
			c->missing[back] = at_u;
		else
			last = back;
	}
	turn_fan(c, last);
}

static int by_round(const void *x, const void *y)
{
	const struct pl_meet *a = x, *b = y;

	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	return a->a < b->a ? -1 : a->a > b->a;
}

/* Orders v by round and leaves no round empty; the number of rounds. */
static size_t put_in_order(struct pl_meet *v, size_t n)
{
	uint32_t round = 0, was = 0;

	qsort(v, n, sizeof(*v), by_round);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && v[i].round != was)
			round++;
		was = v[i].round;
		v[i].round = round;
	}
	return n ? (size_t)round + 1 : 0;
}

static int colour_all(struct pl_meet *v, size_t n, size_t n_hosts, size_t degree)
{
	struct colouring c = {.v = v, .n = n, .n_hosts = n_hosts, .n_colours = degree + 1};
	const int status = init(&c);

	for (size_t i = 0; !status && i < n; i++)
		colour_edge(&c, i);
	for (size_t i = 0; !status && i < n; i++)
		v[i].round = (uint32_t)c.colour[i];
	fini(&c);
	return status;
}

/* Every host that is in any pair is in one with every other such host. */
static void meet_in_circle(struct pl_meet *v, size_t n, const size_t *place, size_t n_active)
{
	for (size_t i = 0; i < n; i++)
		v[i].round = (uint32_t)pl_tournament_round(n_active, place[v[i].a], place[v[i].b]);
}

int pl_rounds_assign(struct pl_meet *v, size_t n, size_t n_hosts, size_t *n_rounds,
		     struct pl_err *err)
{
	size_t *degree = pl_array_create(n_hosts, sizeof(*degree));
	size_t n_active = 0, most = 0;
	int status = 0;

	if (!degree)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		degree[v[i].a]++;
		degree[v[i].b]++;
	}
	for (size_t h = 0; h < n_hosts; h++) {
		if (degree[h] > most)
			most = degree[h];
		if (degree[h] > 0)
			degree[h] = n_active++; /* from here on its place */
	}
	if (n == n_active * (n_active - (n_active > 0)) / 2)
		meet_in_circle(v, n, degree, n_active);
	else
		status = colour_all(v, n, n_hosts, most);
	free(degree);
	if (status)
		return pl_err_nomem(err);
	*n_rounds = put_in_order(v, n);
	return 0;
}
