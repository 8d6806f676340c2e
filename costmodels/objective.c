/* SPDX-License-Identifier: BSD-3-Clause */
/* objective.c - what an order costs, kept up to date while hosts change places */
#include "config.h"

#include "costmodels/objective.h"

#include "costmodels/objective-parts.h"

#include <assert.h>
#include <string.h>

/* ---- maxima, longest paths and sums, kept while hops change their costs */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Gives a term its value and the maxima above it theirs, up to the first that stays. Is the bin's
 * maximum another one now? */
static bool put_term(struct pl_objective *o, size_t b, size_t term, double x)
{
	double *node = o->node + 2 * o->bin_start[b];
	size_t i = pl_bin_size(o, b) + term - o->bin_start[b];

	if (node[i] == x)
		return false;
	node[i] = x;
	while (i > 1) {
		i /= 2;
		x = larger(node[2 * i], node[2 * i + 1]);
		if (node[i] == x)
			return false;
		node[i] = x;
	}
	return true;
}

/* All maxima of a bin from its terms. */
static void build_bin(struct pl_objective *o, size_t b)
{
	double *node = o->node + 2 * o->bin_start[b];

	for (size_t i = pl_bin_size(o, b) - 1; i > 0; i--)
		node[i] = larger(node[2 * i], node[2 * i + 1]);
}

static double *term_of(struct pl_objective *o, size_t b, size_t term)
{
	return &o->node[o->bin_start[b] + pl_bin_size(o, b) + term];
}

static double with_below(const struct pl_objective *o, size_t hop)
{
	return o->below[hop] == PL_NO_BIN ? o->cost[hop]
					  : o->cost[hop] + pl_bin_top(o, o->below[hop]);
}

static void set_paths(struct pl_objective *o)
{
	const size_t last = o->n_bins - 1;

	for (size_t k = last; k-- > 0;) {
		const size_t b = o->downward[k];

		for (size_t h = o->bin_start[b]; h < o->bin_start[b + 1]; h++)
			*term_of(o, b, h) = with_below(o, h);
		build_bin(o, b);
	}
	for (size_t r = 0; r < o->n_roots; r++)
		*term_of(o, last, o->n_hops + r) = pl_bin_top(o, o->root[r]);
	build_bin(o, last);
}

static void set_maxima(struct pl_objective *o)
{
	for (size_t h = 0; h < o->n_hops; h++)
		*term_of(o, o->bin[h], h) = o->cost[h];
	for (size_t b = 0; b < o->n_bins; b++) {
		build_bin(o, b);
		pl_sum_add(&o->total, pl_bin_top(o, b));
	}
}

/* All of node[] and total from cost[]. */
static void values_set(struct pl_objective *o)
{
	o->total = (struct pl_running_sum){0, 0};
	if (o->n_hops == 0)
		return;
	if (o->kind == PL_SUM)
		for (size_t h = 0; h < o->n_hops; h++)
			pl_sum_add(&o->total, o->cost[h]);
	else if (o->kind == PL_LONGEST_PATH)
		set_paths(o);
	else
		set_maxima(o);
}

/* From a hop upward, as far as longest paths change. */
static void put_path(struct pl_objective *o, uint32_t hop)
{
	size_t term = hop, b = o->bin[hop];
	double x = with_below(o, hop);

	while (put_term(o, b, term, x) && b != o->n_bins - 1) {
		x = pl_bin_top(o, b);
		term = o->above[b];
		b = o->n_bins - 1;
		if (term < o->n_hops) {
			x += o->cost[term];
			b = o->bin[term];
		}
	}
}

static void put_maximum(struct pl_objective *o, uint32_t hop, double cost)
{
	const size_t b = o->bin[hop];
	const double before = pl_bin_top(o, b);

	if (!put_term(o, b, hop, cost))
		return;
	pl_sum_replace(&o->total, before, pl_bin_top(o, b));
}

/* The cost of one hop. */
static void values_put(struct pl_objective *o, uint32_t hop, double cost)
{
	const double before = o->cost[hop];

	o->cost[hop] = cost;
	if (o->kind == PL_SUM) {
		pl_sum_replace(&o->total, before, cost);
	} else if (o->kind == PL_LONGEST_PATH) {
		put_path(o, hop);
	} else {
		put_maximum(o, hop, cost);
	}
}

/* Of the current order. */
static double values_cost(const struct pl_objective *o)
{
	if (o->n_hops == 0)
		return 0;
	if (o->kind == PL_LONGEST_PATH || o->kind == PL_SLOWEST)
		return pl_bin_top(o, o->n_bins - 1);
	return o->total.hi;
}

/* ---- orders */

static double full_sum(const struct pl_objective *o, const size_t *host_at)
{
	struct pl_running_sum sum = {0, 0};

	for (size_t h = 0; h < o->n_hops; h++)
		pl_sum_add(&sum, pl_hop_cost(o, h, host_at[o->hop[h].src], host_at[o->hop[h].dst]));
	return sum.hi;
}

/* The dearest of the terms of a bin, with what is below them. */
static double full_bin(const struct pl_objective *o, size_t b, const size_t *host_at)
{
	double dearest = 0;

	for (size_t h = o->bin_start[b]; h < o->bin_start[b + 1]; h++) {
		double cost = pl_hop_cost(o, h, host_at[o->hop[h].src], host_at[o->hop[h].dst]);

		if (o->below && o->below[h] != PL_NO_BIN)
			cost += o->longest[o->below[h]];
		dearest = cost > dearest ? cost : dearest;
	}
	return dearest;
}

static double full_maxima(const struct pl_objective *o, const size_t *host_at)
{
	struct pl_running_sum sum = {0, 0};

	for (size_t b = 0; b < o->n_bins; b++)
		pl_sum_add(&sum, full_bin(o, b, host_at));
	return sum.hi;
}

static double full_path(const struct pl_objective *o, const size_t *host_at)
{
	double dearest = 0;

	for (size_t k = o->n_bins - 1; k-- > 0;) {
		const size_t b = o->downward[k];

		o->longest[b] = full_bin(o, b, host_at);
		dearest = o->longest[b] > dearest ? o->longest[b] : dearest;
	}
	return dearest;
}

double pl_objective_full(const struct pl_objective *o, const size_t *host_at)
{
	if (o->kind == PL_SUM)
		return full_sum(o, host_at);
	if (o->kind == PL_LONGEST_PATH)
		return full_path(o, host_at);
	return full_maxima(o, host_at);
}

double pl_objective_set(struct pl_objective *o, const size_t *host_at)
{
	if (host_at != o->at && o->n_pos > 0)
		memcpy(o->at, host_at, o->n_pos * sizeof(*o->at));
	for (size_t h = 0; h < o->n_hops; h++)
		o->cost[h] = pl_hop_cost(o, h, o->at[o->hop[h].src], o->at[o->hop[h].dst]);
	values_set(o);
	if (o->norms)
		pl_norms_set(o);
	o->change.kind = PL_CHANGE_NONE;
	return values_cost(o);
}

const size_t *pl_objective_order(const struct pl_objective *o)
{
	return o->at;
}

double pl_objective_cost(const struct pl_objective *o)
{
	return values_cost(o);
}

/* What the hops at a position cost now. Where both ways cost the same, all is read from the row of
 * the host there: one row is in few pages. */
static size_t look(const struct pl_objective *o, size_t pos, double *fresh)
{
	const size_t *from = o->incident_from + 2 * pos;
	const size_t leaving_end = o->symmetric ? from[2] : from[1];
	const size_t host = o->at[pos];
	size_t k = 0, i = from[0];

	for (; i < leaving_end; i++, k++)
		fresh[k] = pl_hop_cost(o, o->incident[i].hop, host, o->at[o->incident[i].other]);
	for (; i < from[2]; i++, k++)
		fresh[k] = pl_hop_cost(o, o->incident[i].hop, o->at[o->incident[i].other], host);
	return k;
}

/* A hop that both its ends bring here is told the same cost twice. */
static void tell(struct pl_objective *o, size_t pos, const double *fresh)
{
	const size_t *from = o->incident_from + 2 * pos;

	for (size_t i = from[0]; i < from[2]; i++) {
		const uint32_t hop = o->incident[i].hop;
		const double cost = fresh[i - from[0]];

		if (o->cost[hop] == cost)
			continue;
		o->old[o->n_old++] = (struct pl_old_cost){o->cost[hop], hop};
		if (o->norms)
			pl_norms_put(o, hop, o->cost[hop], cost);
		values_put(o, hop, cost);
	}
}

/* The same for a sum, without what an undo needs. */
static void tell_sum(struct pl_objective *o, size_t pos, const double *fresh)
{
	const size_t *from = o->incident_from + 2 * pos;
	struct pl_running_sum total = o->total;

	for (size_t i = from[0]; i < from[2]; i++) {
		double *cost = &o->cost[o->incident[i].hop];

		pl_sum_replace(&total, *cost, fresh[i - from[0]]);
		*cost = fresh[i - from[0]];
	}
	o->total = total;
}

/* Another host stands at these positions: all cells are fetched before any is used, so that the
 * memory answers many at a time. */
static void renew_two(struct pl_objective *o, size_t a, size_t b)
{
	const size_t k = look(o, a, o->fresh);

	look(o, b, o->fresh + k);
	tell(o, a, o->fresh);
	tell(o, b, o->fresh + k);
}

static void renew(struct pl_objective *o, size_t first, size_t end)
{
	for (size_t pos = first; pos < end; pos++) {
		look(o, pos, o->fresh);
		tell(o, pos, o->fresh);
	}
}

static void swap_hosts(size_t *at, size_t a, size_t b)
{
	const size_t host = at[a];

	at[a] = at[b];
	at[b] = host;
}

static void turn(size_t *at, size_t first, size_t end)
{
	for (; first + 1 < end; first++, end--)
		swap_hosts(at, first, end - 1);
}

/* Exchanges two ways next to each other: first .. middle - 1, middle .. end - 1. */
static void rotate(size_t *at, size_t first, size_t middle, size_t end)
{
	turn(at, first, middle);
	turn(at, middle, end);
	turn(at, first, end);
}

/* The positions a move changes, *middle where its second way begins. */
static void move_range(const struct pl_objective_change *m, size_t *first, size_t *middle,
		       size_t *end)
{
	const size_t len = m->last - m->first + 1;

	*first = m->to < m->first ? m->to : m->first;
	*middle = m->to < m->first ? m->first : m->first + len;
	*end = m->to < m->first ? m->first + len : m->to + len;
}

static void permute(struct pl_objective *o, const struct pl_objective_change *change)
{
	size_t first, middle, end;

	switch (change->kind) {
	case PL_EXCHANGE:
		for (size_t i = 0; i < change->to; i++)
			swap_hosts(o->at, change->first + i, change->last + i);
		break;
	case PL_REVERSE:
		turn(o->at, change->first, change->last + 1);
		break;
	case PL_MOVE:
		move_range(change, &first, &middle, &end);
		rotate(o->at, first, middle, end);
		break;
	case PL_CHANGE_NONE:
		break;
	}
}

/* Reads what the hops cost now at all positions that changed their hosts. */
static void renew_changed(struct pl_objective *o, const struct pl_objective_change *change)
{
	size_t first = change->first, middle, end = change->last + 1;

	if (change->kind == PL_EXCHANGE) {
		for (size_t i = 0; i < change->to; i++)
			renew_two(o, change->first + i, change->last + i);
		return;
	}
	if (change->kind == PL_MOVE)
		move_range(change, &first, &middle, &end);
	renew(o, first, end);
}

static double apply(struct pl_objective *o, struct pl_objective_change change)
{
	o->change = change;
	o->old_total = o->total;
	o->n_old = 0;
	permute(o, &change);
	if (o->norms)
		pl_norms_begin(o);
	renew_changed(o, &change);
	if (o->norms)
		pl_norms_end(o);
	return values_cost(o);
}

double pl_objective_exchange(struct pl_objective *o, size_t a, size_t b, size_t len)
{
	assert(a + len <= o->n_pos && b + len <= o->n_pos);
	assert(a == b || a + len <= b || b + len <= a);
	return apply(o, (struct pl_objective_change){PL_EXCHANGE, a, b, len});
}

double pl_objective_reverse(struct pl_objective *o, size_t first, size_t last)
{
	assert(first <= last && last < o->n_pos);
	return apply(o, (struct pl_objective_change){PL_REVERSE, first, last, 0});
}

double pl_objective_move(struct pl_objective *o, size_t first, size_t last, size_t to)
{
	assert(first <= last && last < o->n_pos && to + (last - first) < o->n_pos);
	return apply(o, (struct pl_objective_change){PL_MOVE, first, last, to});
}

double pl_objective_put(struct pl_objective *o, size_t pos, size_t host)
{
	assert(pos < o->n_pos && host < o->costs.n && !o->norms);
	o->change.kind = PL_CHANGE_NONE;
	o->n_old = 0;
	o->at[pos] = host;
	look(o, pos, o->fresh);
	if (o->kind == PL_SUM)
		tell_sum(o, pos, o->fresh);
	else
		tell(o, pos, o->fresh);
	return values_cost(o);
}

/* Of more hops than this, the memory takes no more requests at once. */
#define FETCHED_MAX 32

void pl_objective_fetch(const struct pl_objective *o, size_t pos, size_t host)
{
	const size_t *from = o->incident_from + 2 * pos;
	const size_t most = from[0] + FETCHED_MAX;
	const size_t end = from[2] < most ? from[2] : most;

	for (size_t i = from[0]; i < end; i++) {
		const size_t other = o->at[o->incident[i].other];
		const size_t cell = i < from[1] || o->symmetric ? host * o->costs.n + other
								: other * o->costs.n + host;

		__builtin_prefetch(&o->costs.c[cell]);
		if (o->costs.per_byte)
			__builtin_prefetch(&o->costs.per_byte[cell]);
	}
}

/* The change that takes this one back. */
static struct pl_objective_change inverse(struct pl_objective_change change)
{
	const size_t from = change.first;

	if (change.kind != PL_MOVE)
		return change;
	change.last = change.to + (change.last - change.first);
	change.first = change.to;
	change.to = from;
	return change;
}

void pl_objective_undo(struct pl_objective *o)
{
	const struct pl_objective_change back = inverse(o->change);

	assert(o->change.kind != PL_CHANGE_NONE);
	permute(o, &back);
	while (o->n_old > 0) {
		const struct pl_old_cost *old = &o->old[--o->n_old];

		values_put(o, old->hop, old->cost);
	}
	o->total = o->old_total;
	if (o->norms)
		pl_norms_undo(o);
	o->change.kind = PL_CHANGE_NONE;
}

/* ---- the hops that determine the cost */

/* From the top of a bin down to its dearest term; of equals, the bits of @pick take one. */
static size_t dearest(const struct pl_objective *o, size_t b, uint64_t pick)
{
	const double *node = o->node + 2 * o->bin_start[b];
	const size_t n = pl_bin_size(o, b);
	size_t i = 1;

	for (; i < n; pick = pick >> 1 | pick << 63) {
		const double left = node[2 * i], right = node[2 * i + 1];

		i = 2 * i + (left == right ? pick & 1 : right > left);
	}
	return o->bin_start[b] + i - n;
}

/* Hop number @nth on the longest path, or the number of its hops in *n. */
static size_t walk(const struct pl_objective *o, uint64_t pick, size_t nth, size_t *n)
{
	const size_t top = dearest(o, o->n_bins - 1, pick) - o->n_hops;
	uint32_t b = o->root[top];
	size_t hop = 0;

	for (*n = 0; b != PL_NO_BIN && *n <= nth; b = o->below[hop], ++*n)
		hop = dearest(o, b, pick);
	return hop;
}

int pl_objective_critical(const struct pl_objective *o, uint64_t pick, size_t ends[2])
{
	size_t hop, n;

	if (o->n_hops == 0)
		return -1;
	if (o->kind == PL_SUM) {
		hop = pick % o->n_hops;
	} else if (o->kind == PL_LONGEST_PATH) {
		walk(o, pick, SIZE_MAX, &n);
		hop = walk(o, pick, (pick >> 32) % n, &n);
	} else {
		hop = dearest(o, pick % o->n_bins, pick / o->n_bins);
	}
	ends[0] = o->hop[hop].src;
	ends[1] = o->hop[hop].dst;
	return 0;
}
