/* SPDX-License-Identifier: BSD-3-Clause */
/* order-blocks.c - seats the hosts of each block as cheaply as possible, block by block */
#include "config.h"

#include "solver/order/order-blocks.h"

#include "base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the work a part for a first look at all blocks; and of what is left, a part for each. */
#define LOOK_SHARE 4
#define BLOCK_SHARE 4

/* Of more groups none is worth this. */
#define GROUPS_MAX 64

/* A smaller gain counts as none. */
#define PRECISION 1e-12

/* A hop to a lower seat of the same block. */
struct inner {
	const struct pl_hop *hop;
	size_t other;
};

struct blocks {
	const struct pl_costs *costs;
	size_t n, n_groups;
	size_t *host_at;     /* [n] by seat */
	struct inner *inner; /* by the higher of their seats */
	size_t *from;        /* [n + 1] */
	/* [n_groups] no block has to be cheaper than this */
	double floor[GROUPS_MAX];
	uint64_t work; /* left */
};

/* One block being seated; by seat of the block. */
struct seating {
	const struct blocks *b;
	size_t first, n;
	size_t host[PL_ORDER_BLOCK]; /* all of them */
	/* by place in host[], the others' places, the nearest first */
	uint8_t near[PL_ORDER_BLOCK][PL_ORDER_BLOCK];
	uint8_t place[PL_ORDER_BLOCK]; /* in host[], by seat */
	size_t at[PL_ORDER_BLOCK], best[PL_ORDER_BLOCK];
	bool seated[PL_ORDER_BLOCK]; /* by place in host[] */
	/* [seat][group] with that seat and lower ones taken */
	double dearest[PL_ORDER_BLOCK][GROUPS_MAX];
	double enough, best_cost;
	uint64_t work;
};

static double cost_of(const struct blocks *b, const double *dearest)
{
	double sum = 0;

	for (size_t g = 0; g < b->n_groups; g++)
		sum += fmax(b->floor[g], dearest[g]);
	return sum;
}

static double hop_cost(const struct blocks *b, const struct pl_hop *hop, size_t src, size_t dst)
{
	const size_t cell = src * b->n + dst;
	double x = b->costs->c[cell];

	if (b->costs->per_byte)
		x += hop->bytes * b->costs->per_byte[cell];
	return hop->times * x;
}

/* Puts a host there: the hops to lower seats count from now on. */
static void put(struct seating *s, size_t seat, size_t host)
{
	const struct blocks *b = s->b;
	double *dearest = s->dearest[seat];

	s->at[seat] = host;
	if (seat == 0)
		memset(dearest, 0, b->n_groups * sizeof(*dearest));
	else
		memcpy(dearest, s->dearest[seat - 1], b->n_groups * sizeof(*dearest));
	for (size_t i = b->from[s->first + seat]; i < b->from[s->first + seat + 1]; i++) {
		const struct pl_hop *hop = b->inner[i].hop;
		const size_t other = s->at[b->inner[i].other - s->first];
		const double x = hop->src < hop->dst ? hop_cost(b, hop, other, host)
						     : hop_cost(b, hop, host, other);

		dearest[hop->group] = fmax(dearest[hop->group], x);
	}
}

/* By the hop towards them; an insertion sort. */
static void fill_near(struct seating *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const double *row = s->b->costs->c + s->host[i] * s->b->n;

		for (size_t j = 0; j < s->n; j++) {
			size_t k = j;

			for (; k > 0 && row[s->host[s->near[i][k - 1]]] > row[s->host[j]]; k--)
				s->near[i][k] = s->near[i][k - 1];
			s->near[i][k] = (uint8_t)j;
		}
	}
}

/* The places to be tried on a seat: near whom its first hop leads to. */
static const uint8_t *places(const struct seating *s, size_t seat)
{
	const size_t *from = s->b->from + s->first + seat;
	const struct inner *first = &s->b->inner[from[1] - 1];

	return s->near[from[0] < from[1] ? s->place[first->other - s->first] : 0];
}

/* Depth first. */
static void fill(struct seating *s, size_t seat)
{
	const uint8_t *place;

	if (seat == s->n) {
		s->best_cost = cost_of(s->b, s->dearest[seat - 1]);
		memcpy(s->best, s->at, sizeof(s->best));
		return;
	}
	place = places(s, seat);
	for (size_t i = 0; i < s->n; i++) {
		if (s->work == 0 || s->best_cost <= s->enough)
			return;
		if (s->seated[place[i]])
			continue;
		s->work--;
		put(s, seat, s->host[place[i]]);
		if (cost_of(s->b, s->dearest[seat]) >= s->best_cost)
			continue;
		s->place[seat] = place[i];
		s->seated[place[i]] = true;
		fill(s, seat + 1);
		s->seated[place[i]] = false;
	}
}

/* Seats a block anew where that is cheaper. Gives what it costs. */
static double seat_block(struct blocks *b, size_t block, uint64_t work, double *dearest)
{
	const double none[GROUPS_MAX] = {0};
	struct seating s = {
		.b = b, .first = block * PL_ORDER_BLOCK, .work = work < b->work ? work : b->work};
	size_t *hosts = b->host_at + s.first;

	b->work -= s.work;
	s.n = b->n - s.first < PL_ORDER_BLOCK ? b->n - s.first : PL_ORDER_BLOCK;
	memcpy(s.host, hosts, s.n * sizeof(*hosts));
	for (size_t seat = 0; seat < s.n; seat++)
		put(&s, seat, hosts[seat]);
	memcpy(s.best, s.at, sizeof(s.best));
	s.best_cost = cost_of(b, s.dearest[s.n - 1]) * (1 - PRECISION);
	s.enough = cost_of(b, none);
	fill_near(&s);
	put(&s, 0, hosts[0]);
	s.seated[0] = true;
	fill(&s, 1);
	b->work += s.work;
	for (size_t seat = 0; seat < s.n; seat++)
		put(&s, seat, hosts[seat] = s.best[seat]);
	memcpy(dearest, s.dearest[s.n - 1], b->n_groups * sizeof(*dearest));
	return cost_of(b, dearest);
}

int pl_dearest_first(const void *a, const void *b)
{
	const struct pl_dear_block *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	return x->block < y->block ? -1 : 1;
}

static void seat_blocks(struct blocks *b, const struct pl_stop *stop, struct pl_dear_block *order)
{
	const size_t n = (b->n + PL_ORDER_BLOCK - 1) / PL_ORDER_BLOCK;
	const uint64_t look = b->work / LOOK_SHARE / n;
	double dearest[GROUPS_MAX];

	for (size_t k = 0; k < n; k++) {
		if (pl_stop_now(stop))
			return;
		order[k] = (struct pl_dear_block){seat_block(b, k, look, dearest), k};
	}
	qsort(order, n, sizeof(*order), pl_dearest_first);
	for (size_t k = 0; k < n && !pl_stop_now(stop); k++) {
		seat_block(b, order[k].block, b->work / BLOCK_SHARE, dearest);
		for (size_t g = 0; g < b->n_groups; g++)
			b->floor[g] = fmax(b->floor[g], dearest[g]);
	}
}

/* By counting: from[] are ends first, and beginnings once all are put. */
static void list_inner(struct blocks *b, const struct pl_shape *shape, size_t alike)
{
	for (int put_them = 0; put_them < 2; put_them++) {
		for (size_t h = 0; h < shape->n_hops; h++) {
			const struct pl_hop *hop = &shape->hop[h];
			const size_t x = hop->src / alike, y = hop->dst / alike;
			const size_t high = x > y ? x : y;

			if (x == y || x / PL_ORDER_BLOCK != y / PL_ORDER_BLOCK)
				continue;
			if (put_them)
				b->inner[--b->from[high]] = (struct inner){hop, x > y ? y : x};
			else
				b->from[high]++;
		}
		for (size_t p = 0; !put_them && p < b->n; p++)
			b->from[p + 1] += b->from[p];
	}
}

int pl_order_blocks(const struct pl_shape *shape, const struct pl_costs *costs, size_t alike,
		    uint64_t work, const struct pl_stop *stop, size_t *host_at, struct pl_err *err)
{
	struct blocks b = {.costs = costs,
			   .n = costs->n,
			   .n_groups = shape->n_groups,
			   .host_at = host_at,
			   .work = work};
	struct pl_dear_block *order = NULL;

	if (b.n_groups > GROUPS_MAX)
		return 0;
	b.inner = pl_array_create(shape->n_hops, sizeof(*b.inner));
	b.from = pl_array_create(b.n + 1, sizeof(*b.from));
	order = pl_array_create(b.n, sizeof(*order));
	if (b.inner && b.from && order) {
		list_inner(&b, shape, alike);
		seat_blocks(&b, stop, order);
	}
	free(b.inner);
	free(b.from);
	free(order);
	return b.inner && b.from && order ? 0 : pl_err_nomem(err);
}
