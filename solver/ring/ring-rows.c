/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-rows.c - rows of links, prices of rows, and the bounds they prove */
#include "config.h"

#include "solver/ring/ring-rows.h"

#include <math.h>

/* A link that is cheaper by more than this has to be added. */
#define CHEAPER (PL_MASTER_HOP >> 34)

static bool crosses(const struct pl_ring_master *m, const struct pl_ring_cut *cut, size_t a,
		    size_t b)
{
	const bool from = pl_ring_cut_has(cut, a), to = pl_ring_cut_has(cut, b);

	return m->symmetric ? from != to : from && !to;
}

static bool is_tooth(const struct pl_ring_cut *cut, size_t a, size_t b)
{
	for (size_t t = 0; t < cut->n_teeth; t++) {
		const size_t c = cut->tooth[t][0], d = cut->tooth[t][1];

		if ((a == c && b == d) || (a == d && b == c))
			return true;
	}
	return false;
}

int pl_master_weight(const struct pl_ring_master *m, const struct pl_ring_cut *cut, size_t a,
		     size_t b)
{
	return !crosses(m, cut, a, b) ? 0 : is_tooth(cut, a, b) ? -1 : 1;
}

int pl_master_least(const struct pl_ring_master *m, const struct pl_ring_cut *cut)
{
	return cut->n_teeth > 0 ? 1 - (int)cut->n_teeth : m->symmetric ? 2 : 1;
}

size_t pl_master_row_to(const struct pl_ring_master *m, size_t b)
{
	return m->symmetric ? b : m->n + b;
}

/* Is (a, b) the name of a link? If both directions are alike, a link has one name. */
static bool is_link(const struct pl_ring_master *m, size_t a, size_t b)
{
	return m->symmetric ? a < b : a != b;
}

/* How many links of a host there are to be. */
int pl_master_links(const struct pl_ring_master *m)
{
	return m->symmetric ? 2 : 1;
}

/* A price within what a spare link costs: sums of them do not overflow. */
static int64_t price_of(const struct pl_ring_master *m, int row)
{
	const double most = 8 * (double)m->n;
	const double price = pl_lp_price(m->lp, row);

	return isnan(price) ? 0 : llround(ldexp(fmax(-most, fmin(most, price)), 36));
}

static void subtract_hosts(struct pl_ring_master *m)
{
	for (size_t a = 0; a < m->n; a++)
		for (size_t b = 0; b < m->n; b++) {
			const size_t i = a * m->n + b;

			m->left[i] = m->cost[i] == PL_MASTER_NEVER
					     ? 0
					     : m->cost[i] - m->price[a] -
						       m->price[pl_master_row_to(m, b)];
		}
}

static void subtract_cut(struct pl_ring_master *m, const struct pl_ring_cut *cut, int64_t price)
{
	for (size_t a = 0; a < m->n; a++)
		for (size_t b = 0; b < m->n; b++)
			if (is_link(m, a, b))
				m->left[a * m->n + b] -= price * pl_master_weight(m, cut, a, b);
}

/* What the links add to the sum of the prices: those taken, and what may be taken to save costs. */
static int64_t add_up_links(const struct pl_ring_master *m)
{
	int64_t sum = 0;

	for (size_t i = 0; i < m->n * m->n; i++) {
		if (!is_link(m, i / m->n, i % m->n) || m->cost[i] == PL_MASTER_NEVER ||
		    m->fixed[i] < 0)
			continue;
		if (m->fixed[i] > 0 || m->left[i] < 0)
			sum += m->left[i];
	}
	return sum;
}

/* Prices of the last solution, what is left of the costs by them, and the bound that they prove. */
void pl_master_prove(struct pl_ring_master *m)
{
	const size_t n_hosts = (size_t)m->first_cut - 1;
	const int64_t most = 8 * (int64_t)m->n * PL_MASTER_HOP;
	int64_t sum = 0, cuts = 0;

	for (size_t r = 0; r < n_hosts; r++) {
		m->price[r] = price_of(m, (int)r + 1);
		sum += pl_master_links(m) * m->price[r];
	}
	subtract_hosts(m);
	for (size_t k = 0; k < m->n_cuts; k++) {
		const int64_t price = price_of(m, m->first_cut + (int)k);

		if (price <= 0 || cuts + price > most)
			continue;
		cuts += price;
		sum += price * pl_master_least(m, &m->cut[k]);
		subtract_cut(m, &m->cut[k], price);
	}
	m->last = sum + add_up_links(m);
	m->bound = m->last > m->bound ? m->last : m->bound;
}

/* Adds links that are cheaper than their prices. Were there any? */
int pl_master_add_cheaper(struct pl_ring_master *m, bool *any, struct pl_err *err)
{
	*any = false;
	for (size_t i = 0; i < m->n * m->n; i++) {
		const size_t a = i / m->n, b = i % m->n;

		if (!is_link(m, a, b) || m->col[i] > 0 || m->fixed[i] < 0 ||
		    m->cost[i] == PL_MASTER_NEVER || m->left[i] >= -CHEAPER)
			continue;
		if (pl_master_add_link(m, a, b, err))
			return -1;
		*any = true;
	}
	return 0;
}

void pl_ring_master_exclude(struct pl_ring_master *m, int64_t limit)
{
	for (size_t i = 0; i < m->n * m->n; i++) {
		if (!is_link(m, i / m->n, i % m->n) || m->fixed[i] != 0 ||
		    m->cost[i] == PL_MASTER_NEVER || m->left[i] <= 0 ||
		    m->last + m->left[i] < limit)
			continue;
		m->cost[i] = PL_MASTER_NEVER;
		if (m->col[i] > 0)
			pl_lp_limit(m->lp, m->col[i], 0, 0);
	}
}
