/* SPDX-License-Identifier: BSD-3-Clause */
/* order-start.c - orders to start from: hosts near each other side by side */
#include "config.h"

#include "solver/order/order-start.h"

#include "base/mem.h"
#include "solver/order/order-blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Blocks of @size hosts (the last may have fewer): those of block b are host_at[b * size ...].
 * Between two full ones, joint[a * n_blocks + b] is what joining them costs.
 */
struct pairing {
	const double *near;
	size_t n, size, n_blocks;
	size_t *host_at, *next; /* [n] this level's and the one above */
	double *joint;          /* [n_blocks * n_blocks] */
	size_t *mate;           /* [n_blocks] n_blocks: none */
	size_t *rank;           /* [n_blocks] those with the fewest choices
				 * first */
};

static double hop(const struct pairing *p, size_t a, size_t b)
{
	return fmax(p->near[a * p->n + b], p->near[b * p->n + a]);
}

/* The dearest hop between seats i of @a and i XOR x of @b; what is above @limit need not be
 * exact. */
static double joint_by(const struct pairing *p, size_t a, size_t b, size_t x, double limit)
{
	const size_t *u = p->host_at + a * p->size;
	const size_t *v = p->host_at + b * p->size;
	double dearest = 0;

	for (size_t i = 0; i < p->size && dearest < limit; i++)
		dearest = fmax(dearest, hop(p, u[i], v[i ^ x]));
	return dearest;
}

static double joint(const struct pairing *p, size_t a, size_t b, size_t *best_x)
{
	double least = INFINITY;

	*best_x = 0;
	for (size_t x = 0; x < p->size; x++) {
		const double cost = joint_by(p, a, b, x, least);

		if (cost < least) {
			least = cost;
			*best_x = x;
		}
	}
	return least;
}

static double cost_of(const struct pairing *p, size_t a, size_t b)
{
	return p->joint[a * p->n_blocks + b];
}

/* False: stopped, not all are there. */
static bool fill_joints(struct pairing *p, const struct pl_stop *stop)
{
	const size_t full = p->n / p->size;
	size_t x;

	for (size_t a = 0; a < full; a++) {
		if (pl_stop_now(stop))
			return false;
		for (size_t b = 0; b < a; b++)
			p->joint[a * p->n_blocks + b] = p->joint[b * p->n_blocks + a] =
				joint(p, a, b, &x);
	}
	return true;
}

/* The block without a mate that is cheapest to join to @a, the first of several. */
static size_t cheapest_mate(const struct pairing *p, size_t a)
{
	const size_t full = p->n / p->size;
	size_t found = p->n_blocks;

	for (size_t b = 0; b < full; b++)
		if (b != a && p->mate[b] == p->n_blocks &&
		    (found == p->n_blocks || cost_of(p, a, b) < cost_of(p, a, found)))
			found = b;
	return found;
}

static int rank_blocks(struct pairing *p)
{
	const size_t full = p->n / p->size;
	struct pl_dear_block *order = pl_array_create(full, sizeof(*order));

	if (!order)
		return -1;
	for (size_t a = 0; a < full; a++) {
		const size_t b = cheapest_mate(p, a);

		order[a] = (struct pl_dear_block){b == p->n_blocks ? 0 : cost_of(p, a, b), a};
	}
	qsort(order, full, sizeof(*order), pl_dearest_first);
	for (size_t i = 0; i < full; i++)
		p->rank[i] = order[i].block;
	free(order);
	return 0;
}

static void join(struct pairing *p, size_t a, size_t b)
{
	p->mate[a] = b;
	p->mate[b] = a;
}

/* Blocks with few choices choose first. */
static int match(struct pairing *p)
{
	const size_t full = p->n / p->size;

	for (size_t b = 0; b < p->n_blocks; b++)
		p->mate[b] = p->n_blocks;
	if (rank_blocks(p))
		return -1;
	for (size_t i = 0; i < full; i++) {
		const size_t a = p->rank[i];
		size_t b;

		if (p->mate[a] != p->n_blocks)
			continue;
		b = cheapest_mate(p, a);
		if (b == p->n_blocks)
			continue;
		join(p, a, b);
	}
	return 0;
}

/* Splits the most expensive pair by exchanging mates with another one, as long as that makes the
 * more expensive of the two cheaper. */
static void improve(struct pairing *p, const struct pl_stop *stop)
{
	for (size_t round = 0; round < 4 * p->n_blocks; round++) {
		size_t a = p->n_blocks, b, take = p->n_blocks;
		double best;

		for (size_t i = 0; i < p->n_blocks; i++)
			if (p->mate[i] != p->n_blocks &&
			    (a == p->n_blocks ||
			     cost_of(p, i, p->mate[i]) > cost_of(p, a, p->mate[a])))
				a = i;
		if (a == p->n_blocks || pl_stop_now(stop))
			return;
		b = p->mate[a];
		best = cost_of(p, a, b);
		for (size_t c = 0; c < p->n_blocks; c++) {
			const size_t d = p->mate[c];
			double cost;

			if (c == a || c == b || d == p->n_blocks)
				continue;
			cost = fmax(cost_of(p, a, c), cost_of(p, b, d));
			if (cost < best) {
				best = cost;
				take = c;
			}
		}
		if (take == p->n_blocks)
			return;
		join(p, b, p->mate[take]);
		join(p, a, take);
	}
}

/* Writes the pairs in the order of their first blocks; then the block without a mate, then the
 * short block. */
static void write_pairs(struct pairing *p)
{
	size_t *out = p->next;

	for (size_t a = 0; a < p->n_blocks; a++) {
		const size_t b = p->mate[a];
		size_t x;

		if (b == p->n_blocks || b < a)
			continue;
		joint(p, a, b, &x);
		memcpy(out, p->host_at + a * p->size, p->size * sizeof(*out));
		out += p->size;
		for (size_t i = 0; i < p->size; i++)
			*out++ = p->host_at[b * p->size + (i ^ x)];
	}
	for (size_t a = 0; a < p->n_blocks; a++) {
		const size_t from = a * p->size;
		const size_t len = p->n - from < p->size ? p->n - from : p->size;

		if (p->mate[a] != p->n_blocks)
			continue;
		memcpy(out, p->host_at + from, len * sizeof(*out));
		out += len;
	}
	memcpy(p->host_at, p->next, p->n * sizeof(*p->next));
}

int pl_order_start_pairs(const double *near, size_t n, const struct pl_stop *stop, size_t *host_at,
			 struct pl_err *err)
{
	struct pairing p = {.near = near, .n = n, .host_at = host_at};
	int rc = -1;

	p.next = pl_array_create(n, sizeof(*p.next));
	p.joint = pl_array_create(n * n, sizeof(*p.joint));
	p.mate = pl_array_create(n, sizeof(*p.mate));
	p.rank = pl_array_create(n, sizeof(*p.rank));
	if (!p.next || !p.joint || !p.mate || !p.rank) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		host_at[i] = i;
	for (p.size = 1; 2 * p.size <= n && !pl_stop_now(stop); p.size *= 2) {
		p.n_blocks = (n + p.size - 1) / p.size;
		if (!fill_joints(&p, stop))
			break;
		if (match(&p)) {
			pl_err_nomem(err);
			goto out;
		}
		improve(&p, stop);
		write_pairs(&p);
	}
	rc = 0;
out:
	free(p.next);
	free(p.joint);
	free(p.mate);
	free(p.rank);
	return rc;
}

void pl_order_start_nearest(const double *near, size_t n, size_t first, size_t *host_at)
{
	for (size_t i = 0; i < n; i++)
		host_at[i] = i;
	host_at[first] = 0;
	host_at[0] = first;
	for (size_t done = 1; done < n; done++) {
		const double *row = near + host_at[done - 1] * n;
		size_t pick = done;
		size_t host;

		for (size_t i = done + 1; i < n; i++)
			if (row[host_at[i]] < row[host_at[pick]])
				pick = i;
		host = host_at[pick];
		host_at[pick] = host_at[done];
		host_at[done] = host;
	}
}
