/* SPDX-License-Identifier: BSD-3-Clause */
/* bottleneck.c - how cheap the dearest hop of a ring can be */
#include "config.h"

#include "solver/bound/bottleneck.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* Hops that cost no more than a threshold. */
struct graph {
	const double *c;      /* [n * n] */
	const double *either; /* [n * n] the cheaper of both ways */
	size_t n;
	double most;
	size_t *stack, *next; /* [n] scratch */
	size_t *depth, *low;  /* [n] scratch */
	size_t *row_of;       /* [n] the host that has this one as its
			       * successor, or NONE */
	size_t *kept;         /* [n] row_of of the highest threshold where
				  not everybody had one, to start from */
	size_t *from;         /* [n] scratch */
	size_t *todo;         /* [n] scratch */
};

/* Can host 0 reach all hosts; or, the other way, can all hosts reach it? */
static bool spans(struct graph *g, const double *c, size_t row, size_t column)
{
	size_t n_stack = 0, n_todo = g->n - 1;

	for (size_t h = 1; h < g->n; h++)
		g->todo[h - 1] = h;
	g->stack[n_stack++] = 0;
	while (n_stack > 0) {
		const size_t at = g->stack[--n_stack];
		size_t kept = 0;

		for (size_t k = 0; k < n_todo; k++) {
			const size_t h = g->todo[k];

			if (c[at * row + h * column] <= g->most)
				g->stack[n_stack++] = h;
			else
				g->todo[kept++] = h;
		}
		n_todo = kept;
	}
	return n_todo == 0;
}

/* The next host linked with @at that the walk has not dealt with there. */
static size_t next_link(struct graph *g, size_t at)
{
	for (; g->next[at] < g->n; g->next[at]++)
		if (g->next[at] != at && g->either[at * g->n + g->next[at]] <= g->most)
			return g->next[at]++;
	return NONE;
}

/*
 * Is the graph 2-connected: does it stay connected without any one host? Depth first, with the
 * least depth that is reached from below each host: Hopcroft and Tarjan, CACM 16 (1973). The links
 * are known to connect all hosts.
 */
static bool holds_without_any(struct graph *g)
{
	size_t n_stack = 0, n_below_root = 0;

	memset(g->depth, 0, g->n * sizeof(*g->depth));
	memset(g->next, 0, g->n * sizeof(*g->next));
	g->stack[n_stack++] = 0;
	g->depth[0] = g->low[0] = 1;
	while (n_stack > 0) {
		const size_t at = g->stack[n_stack - 1];
		const size_t to = next_link(g, at);

		if (to != NONE && g->depth[to] > 0) {
			if (g->depth[to] < g->low[at])
				g->low[at] = g->depth[to];
		} else if (to != NONE) {
			g->depth[to] = g->low[to] = g->depth[at] + 1;
			g->stack[n_stack++] = to;
			n_below_root += at == 0;
		} else if (--n_stack > 0) {
			const size_t above = g->stack[n_stack - 1];

			if (above != 0 && g->low[at] >= g->depth[above])
				return false;
			if (g->low[at] < g->low[above])
				g->low[above] = g->low[at];
		}
	}
	return n_below_root <= 1;
}

/* Gives @row a successor, others another one where that takes it. */
static bool find_successor(struct graph *g, size_t row)
{
	size_t n_stack = 0, n_todo = g->n;

	for (size_t j = 0; j < g->n; j++)
		g->todo[j] = j;
	g->stack[n_stack++] = row;
	while (n_stack > 0) {
		const size_t at = g->stack[--n_stack];
		size_t kept = 0;

		for (size_t k = 0; k < n_todo; k++) {
			const size_t j = g->todo[k];

			if (j == at || g->c[at * g->n + j] > g->most) {
				g->todo[kept++] = j;
				continue;
			}
			g->from[j] = at;
			if (g->row_of[j] != NONE) {
				g->stack[n_stack++] = g->row_of[j];
				continue;
			}
			for (size_t to = j; to != NONE;) {
				const size_t i = g->from[to];
				const size_t old = g->next[i];

				g->row_of[to] = i;
				g->next[i] = to;
				to = i == row ? NONE : old;
			}
			return true;
		}
		n_todo = kept;
	}
	return false;
}

/* Can every host have a successor of its own? */
static bool has_successors(struct graph *g)
{
	memcpy(g->row_of, g->kept, g->n * sizeof(*g->row_of));
	for (size_t h = 0; h < g->n; h++)
		g->next[h] = NONE;
	for (size_t j = 0; j < g->n; j++)
		if (g->row_of[j] != NONE)
			g->next[g->row_of[j]] = j;
	for (size_t h = 0; h < g->n; h++)
		if (g->next[h] == NONE && !find_successor(g, h)) {
			memcpy(g->kept, g->row_of, g->n * sizeof(*g->kept));
			return false;
		}
	return true;
}

/*
 * Is there a Hamiltonian cycle? By sets of hosts that contain host 0: ends[set] has the hosts (bit
 * h - 1) in which a way through the whole set can end.
 */
static bool has_ring(const struct graph *g, uint32_t *ends)
{
	const size_t m = g->n - 1;
	uint32_t into[PL_BOTTLENECK_EXACT_MAX] = {0}, home = 0;

	for (size_t h = 0; h < m; h++) {
		if (g->c[(h + 1) * g->n] <= g->most)
			home |= 1U << h;
		for (size_t i = 0; i < m; i++)
			if (i != h && g->c[(i + 1) * g->n + h + 1] <= g->most)
				into[h] |= 1U << i;
	}
	for (uint32_t set = 1; set >> m == 0; set++) {
		ends[set] = 0;
		for (size_t h = 0; h < m; h++) {
			const uint32_t rest = set & ~(1U << h);

			if (rest == set)
				continue;
			if (rest ? (ends[rest] & into[h]) != 0 : g->c[h + 1] <= g->most)
				ends[set] |= 1U << h;
		}
	}
	return (ends[(1U << m) - 1] & home) != 0;
}

static bool may_have_ring(struct graph *g, uint32_t *ends)
{
	if (ends)
		return has_ring(g, ends);
	return spans(g, g->c, g->n, 1) && spans(g, g->c, 1, g->n) && holds_without_any(g) &&
	       has_successors(g);
}

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* Numbers from 0 on are in the order of their bits: so 64 steps are enough. */
static double between(double a, double b)
{
	const uint64_t x = bits_of(a), y = bits_of(b), middle = x + (y - x) / 2;
	double result;

	memcpy(&result, &middle, sizeof(result));
	return result;
}

/* The largest cell up to @limit and the least above it. */
static void snap(const struct graph *g, double limit, double *below, double *above)
{
	*below = 0;
	*above = INFINITY;
	for (size_t i = 0; i < g->n * g->n; i++) {
		const double x = g->c[i];

		if (i % (g->n + 1) == 0)
			continue;
		if (x <= limit)
			*below = fmax(*below, x);
		else
			*above = fmin(*above, x);
	}
}

/* The least cell from which on there may be a ring; all there are at last. */
static double bisect(struct graph *g, uint32_t *ends, const struct pl_stop *stop)
{
	double low, high, none;

	snap(g, 0, &none, &low);
	if (low == INFINITY)
		return 0;
	g->most = 0;
	if (none <= 0 && may_have_ring(g, ends))
		return 0;
	snap(g, INFINITY, &high, &none);
	while (low < high && !pl_stop_now(stop)) {
		double below, above;

		g->most = between(low, high);
		snap(g, g->most, &below, &above);
		if (may_have_ring(g, ends))
			high = below;
		else
			low = above;
	}
	return low;
}

static void graph_fini(struct graph *g)
{
	free(g->stack);
	free(g->next);
	free(g->depth);
	free(g->low);
	free(g->row_of);
	free(g->kept);
	free(g->from);
	free(g->todo);
}

static int graph_init(struct graph *g, size_t n)
{
	*g = (struct graph){
		.n = n,
		.stack = pl_array_create(n, sizeof(*g->stack)),
		.next = pl_array_create(n, sizeof(*g->next)),
		.depth = pl_array_create(n, sizeof(*g->depth)),
		.low = pl_array_create(n, sizeof(*g->low)),
		.row_of = pl_array_create(n, sizeof(*g->row_of)),
		.kept = pl_array_create(n, sizeof(*g->kept)),
		.from = pl_array_create(n, sizeof(*g->from)),
		.todo = pl_array_create(n, sizeof(*g->todo)),
	};
	if (!g->stack || !g->next || !g->depth || !g->low || !g->row_of || !g->kept || !g->from ||
	    !g->todo)
		return -1;
	for (size_t h = 0; h < n; h++)
		g->kept[h] = g->row_of[h] = NONE;
	return 0;
}

int pl_bottleneck_ring(const double *c, size_t n, size_t exact_max, const struct pl_stop *stop,
		       double *least, struct pl_err *err)
{
	const bool exact = n <= exact_max && n <= PL_BOTTLENECK_EXACT_MAX;
	double *either = NULL;
	uint32_t *ends = NULL;
	struct graph g;
	int rc = -1;

	*least = 0;
	if (n < 2)
		return 0;
	if (exact)
		ends = pl_array_create((size_t)1 << (n - 1), sizeof(*ends));
	else
		either = pl_array_create(n * n, sizeof(*either));
	if (graph_init(&g, n) || !(exact ? (void *)ends : (void *)either)) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; either && i < n; i++)
		for (size_t j = 0; j < n; j++)
			either[i * n + j] = fmin(c[i * n + j], c[j * n + i]);
	g.c = c;
	g.either = either;
	*least = bisect(&g, ends, stop);
	rc = 0;
out:
	graph_fini(&g);
	free(either);
	free(ends);
	return rc;
}
