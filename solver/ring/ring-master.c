/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-master.c - links between hosts as a linear program, and the bound it proves */
#include "config.h"

#include "solver/ring/ring-master.h"

#include "base/mem.h"
#include "solver/ring/ring-rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cheapest links of each host to begin with. */
#define NEAREST 8
/* Values this near to 0 or 1 are taken as 0 or 1. */
#define ROUND 1e-6
/* Rounds of cuts that must bring a hundredth of what is missing. */
#define ROUNDS 6

/* Room for a row over all columns, or a column over all rows. */
static int make_room(struct pl_ring_master *m, size_t n, struct pl_err *err)
{
	int *at;
	double *value;

	if (n <= m->entries_room)
		return 0;
	at = pl_array_create(2 * n, sizeof(*at));
	value = pl_array_create(2 * n, sizeof(*value));
	if (!at || !value) {
		free(at);
		free(value);
		return pl_err_nomem(err);
	}
	free(m->at);
	free(m->value);
	m->at = at;
	m->value = value;
	m->entries_room = 2 * n;
	return 0;
}

int pl_master_add_link(struct pl_ring_master *m, size_t a, size_t b, struct pl_err *err)
{
	struct pl_lp_entries rows = {.n = 2};
	int col;

	if (make_room(m, m->n_cuts + 3, err))
		return -1;
	m->at[1] = (int)a + 1;
	m->at[2] = (int)pl_master_row_to(m, b) + 1;
	m->value[1] = m->value[2] = 1;
	for (size_t k = 0; k < m->n_cuts; k++) {
		const int w = pl_master_weight(m, &m->cut[k], a, b);

		if (w == 0)
			continue;
		m->at[++rows.n] = m->first_cut + (int)k;
		m->value[rows.n] = w;
	}
	rows.at = m->at;
	rows.value = m->value;
	col = pl_lp_add_col(m->lp, &rows, ldexp((double)m->cost[a * m->n + b], -36), 1, err);
	m->col[a * m->n + b] = col > 0 ? col : 0;
	return col > 0 ? 0 : -1;
}

static int want_link(struct pl_ring_master *m, size_t a, size_t b, struct pl_err *err)
{
	if (m->symmetric && a > b)
		return want_link(m, b, a, err);
	if (m->col[a * m->n + b] > 0 || m->cost[a * m->n + b] == PL_MASTER_NEVER)
		return 0;
	return pl_master_add_link(m, a, b, err);
}

/* Rows of hosts, each with a spare link that is dearer than any ring: with fixed links there may be
 * no other solution. */
static int add_hosts(struct pl_ring_master *m, struct pl_err *err)
{
	const size_t n_rows = m->symmetric ? m->n : 2 * m->n;
	const double dear = 4 * (double)m->n, one[] = {0, 1};
	const struct pl_lp_entries none = {.n = 0, .at = m->at, .value = one};

	for (size_t r = 0; r < n_rows; r++) {
		const int row = pl_lp_add_row(m->lp, &none, pl_master_links(m), true, err);
		const int at[] = {0, row};
		const struct pl_lp_entries self = {1, at, one};

		if (row < 0 || pl_lp_add_col(m->lp, &self, dear, pl_master_links(m), err) < 0)
			return -1;
	}
	m->first_cut = (int)n_rows + 1;
	m->spare = pl_lp_add_col(m->lp, &none, dear, (double)m->n, err);
	return m->spare < 0 ? -1 : 0;
}

/* The cheapest links out of (into) a host. */
static int add_nearest(struct pl_ring_master *m, size_t host, bool out, struct pl_err *err)
{
	size_t near[NEAREST], n_near = 0;

	for (size_t k = 0; k < m->n; k++) {
		const size_t pair = out ? host * m->n + k : k * m->n + host;
		size_t at;

		if (k == host)
			continue;
		at = n_near < NEAREST ? n_near++ : NEAREST;
		for (; at > 0 && m->cost[near[at - 1]] > m->cost[pair]; at--)
			if (at < NEAREST)
				near[at] = near[at - 1];
		if (at < NEAREST)
			near[at] = pair;
	}
	for (size_t i = 0; i < n_near; i++)
		if (want_link(m, near[i] / m->n, near[i] % m->n, err))
			return -1;
	return 0;
}

static int add_links(struct pl_ring_master *m, const size_t *host_at, struct pl_err *err)
{
	for (size_t k = 0; k < m->n; k++)
		if (want_link(m, host_at[k], host_at[(k + 1) % m->n], err) ||
		    add_nearest(m, k, true, err) ||
		    (!m->symmetric && add_nearest(m, k, false, err)))
			return -1;
	return 0;
}

static int create_parts(struct pl_ring_master *m, struct pl_err *err)
{
	const size_t n2 = m->n * m->n;

	m->price_room = 2 * m->n + 1;
	m->cost = pl_array_create(n2, sizeof(*m->cost));
	m->fixed = pl_array_create(n2, sizeof(*m->fixed));
	m->left = pl_array_create(n2, sizeof(*m->left));
	m->price = pl_array_create(m->price_room, sizeof(*m->price));
	m->col = pl_array_create(n2, sizeof(*m->col));
	m->x = pl_array_create(n2, sizeof(*m->x));
	m->link = pl_array_create(n2, sizeof(*m->link));
	if (!m->cost || !m->fixed || !m->left || !m->price || !m->col || !m->x || !m->link ||
	    !pl_ring_separation_init(&m->sep, m->n, m->symmetric))
		return pl_err_nomem(err);
	m->lp = pl_lp_create(err);
	return m->lp ? 0 : -1;
}

int pl_ring_master_init(struct pl_ring_master *m, const int64_t *cost, size_t n, bool symmetric,
			const size_t *host_at, struct pl_err *err)
{
	assert(n >= 3 && n <= PL_CUT_HOSTS_MAX);
	*m = (struct pl_ring_master){.n = n, .symmetric = symmetric};
	if (create_parts(m, err) || make_room(m, 2, err))
		goto fail;
	memcpy(m->cost, cost, n * n * sizeof(*cost));
	if (add_hosts(m, err) || add_links(m, host_at, err))
		goto fail;
	return 0;
fail:
	pl_ring_master_fini(m);
	return -1;
}

void pl_ring_master_fini(struct pl_ring_master *m)
{
	pl_lp_destroy(m->lp);
	pl_ring_separation_fini(&m->sep);
	free(m->cost);
	free(m->fixed);
	free(m->left);
	free(m->price);
	free(m->col);
	free(m->cut);
	free(m->at);
	free(m->value);
	free(m->x);
	free(m->link);
	memset(m, 0, sizeof(*m));
}

static int add_cut(struct pl_ring_master *m, const struct pl_ring_cut *cut, struct pl_err *err)
{
	struct pl_lp_entries cols = {.n = 1};
	int row;

	if (make_room(m, m->n * m->n + 2, err) ||
	    pl_array_grow((void **)&m->cut, &m->cuts_room, m->n_cuts, sizeof(*m->cut)))
		return pl_err_nomem(err);
	m->at[1] = m->spare;
	m->value[1] = 1;
	for (size_t i = 0; i < m->n * m->n; i++) {
		const int w = m->col[i] > 0 ? pl_master_weight(m, cut, i / m->n, i % m->n) : 0;

		if (w == 0)
			continue;
		m->at[++cols.n] = m->col[i];
		m->value[cols.n] = w;
	}
	cols.at = m->at;
	cols.value = m->value;
	row = pl_lp_add_row(m->lp, &cols, pl_master_least(m, cut), false, err);
	if (row < 0)
		return -1;
	assert(row == m->first_cut + (int)m->n_cuts);
	m->cut[m->n_cuts++] = *cut;
	return 0;
}

static int add_cuts(struct pl_ring_master *m, struct pl_err *err)
{
	for (size_t k = 0; k < m->sep.n_cuts; k++)
		if (add_cut(m, &m->sep.cut[k], err))
			return -1;
	return 0;
}

/* Removes cuts that the solution satisfies anyway, once there are many. */
static int drop_loose_cuts(struct pl_ring_master *m, struct pl_err *err)
{
	size_t n_kept = 0, n_loose = 0;

	if (m->n_cuts < 4 * m->n)
		return 0;
	if (make_room(m, m->n_cuts + 1, err))
		return -1;
	for (size_t k = 0; k < m->n_cuts; k++) {
		const int row = m->first_cut + (int)k;

		if (pl_lp_row_loose(m->lp, row))
			m->at[++n_loose] = row;
		else
			m->cut[n_kept++] = m->cut[k];
	}
	pl_lp_drop_rows(m->lp, m->at, n_loose);
	m->n_cuts = n_kept;
	return 0;
}

/* The last solution, 0 to 1. Is it whole? */
static bool read_links(struct pl_ring_master *m)
{
	bool whole = true;

	for (size_t i = 0; i < m->n * m->n; i++) {
		const double x = m->col[i] > 0 ? pl_lp_value(m->lp, m->col[i]) : 0;

		m->x[i] = fmax(0, fmin(1, x));
		whole = whole && (m->x[i] < ROUND || m->x[i] > 1 - ROUND);
	}
	for (size_t i = 0; i < m->n * m->n; i++)
		m->link[i] = m->x[i] + m->x[i % m->n * m->n + i / m->n];
	return whole;
}

/* How the bound went, over the last rounds of cuts. */
struct rounds {
	int64_t bound[ROUNDS];
	size_t n;
};

static bool goes_on(struct rounds *r, int64_t bound, int64_t limit)
{
	const int64_t before = r->bound[r->n % ROUNDS];
	const bool well = r->n < ROUNDS || (bound - before) > (limit - bound) / 100;

	r->bound[r->n++ % ROUNDS] = bound;
	return well;
}

/* After a solution: cuts or links that were missing, or how it ends. */
static int look(struct pl_ring_master *m, const struct pl_master_aim *aim, struct rounds *rounds,
		bool *again, enum pl_master_end *end, struct pl_err *err)
{
	bool whole;

	*again = true;
	pl_master_prove(m);
	if (m->bound >= aim->limit) {
		*again = false;
		*end = PL_MASTER_ABOVE;
		return 0;
	}
	if (pl_master_add_cheaper(m, again, err))
		return -1;
	if (*again)
		return 0;
	whole = read_links(m);
	pl_ring_separate(&m->sep, m->link);
	if (m->sep.n_cuts > 0 && (goes_on(rounds, m->bound, aim->limit) || whole)) {
		*again = true;
		return add_cuts(m, err);
	}
	*end = whole ? PL_MASTER_RING : PL_MASTER_SPLIT;
	return 0;
}

int pl_ring_master_solve(struct pl_ring_master *m, const struct pl_master_aim *aim,
			 enum pl_master_end *end, struct pl_err *err)
{
	struct rounds rounds = {.n = 0};
	bool again = true;

	m->bound = 0;
	while (again) {
		const uint64_t done = pl_lp_iterations(m->lp);
		enum pl_lp_end lp_end;

		if (done >= aim->iterations_max || pl_stop_now(aim->stop)) {
			*end = PL_MASTER_STOPPED;
			return 0;
		}
		if (pl_lp_solve(m->lp, aim->stop, aim->iterations_max - done, &lp_end, err))
			return -1;
		if (lp_end != PL_LP_SOLVED) {
			*end = lp_end == PL_LP_STOPPED ? PL_MASTER_STOPPED : PL_MASTER_STUCK;
			return 0;
		}
		if (look(m, aim, &rounds, &again, end, err))
			return -1;
	}
	return drop_loose_cuts(m, err);
}

size_t pl_ring_master_pick(const struct pl_ring_master *m)
{
	size_t best = 0;
	double most = -1;

	for (size_t i = 0; i < m->n * m->n; i++) {
		const double x = m->x[i];
		double worth;

		if (m->col[i] <= 0 || x < ROUND || x > 1 - ROUND)
			continue;
		worth = fmin(x, 1 - x) * (PL_MASTER_HOP + (double)m->cost[i]);
		if (worth > most) {
			most = worth;
			best = i;
		}
	}
	return best;
}

void pl_ring_master_fix(struct pl_ring_master *m, size_t link, int taken)
{
	m->fixed[link] = (signed char)taken;
	pl_lp_limit(m->lp, m->col[link], taken > 0, taken >= 0);
}
