/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth-moves.c - the exchanges of hosts that smooth.h anneals by */
#include "config.h"

#include "solver/order/smooth-moves.h"

#include <math.h>

/* Times the spread; above it all is as bad. */
#define RATIO_MAX 1e12

/* One move of so many exchanges blocks, or is within one, half of them each. */
#define MOVES_PER_BLOCK 8

/* Looks between changes of the shares, and the least one against the
 * largest. */
#define LOOKS_PER_SHARE 16
#define SHARE_MIN 0.02

void pl_smooth_moves_init(struct pl_smooth_moves *m, const struct pl_smooth *s,
			  const struct pl_smooth_job *job)
{
	*m = (struct pl_smooth_moves){
		.first = job->first, .end = job->end, .levels = 1, .fine = job->fine};
	while ((s->n - 1) >> m->levels > 0)
		m->levels++;
	for (size_t k = 0; k < m->levels; k++)
		m->share[k] = 1 / (double)m->levels;
}

void pl_smooth_moves_adapt(struct pl_smooth_moves *m)
{
	double sum = 0;

	if (++m->looks % LOOKS_PER_SHARE)
		return;
	for (size_t k = 0; k < m->levels; k++) {
		m->share[k] = ((double)m->taken[k] + 1) / ((double)m->tried[k] + 1);
		m->share[k] = fmax(m->share[k], SHARE_MIN);
		sum += m->share[k];
		m->taken[k] = m->tried[k] = 0;
	}
	for (size_t k = 0; k < m->levels; k++)
		m->share[k] /= sum;
}

double pl_smooth_hop_cost(const struct pl_smooth *s, const struct pl_smooth_hop *hop, size_t host)
{
	const size_t other = s->at[hop->other], n = s->costs.n;
	const size_t cell = hop->enters ? other * n + host : host * n + other;
	double x = s->costs.c[cell];

	if (s->plain)
		return x;
	if (s->costs.per_byte)
		x += hop->bytes * s->costs.per_byte[cell];
	return hop->times * x;
}

/* What the hops of a seat count, those to other blocks of @len seats. */
static double around(const struct pl_smooth *s, size_t seat, size_t len)
{
	const size_t host = s->at[seat];
	double sum = 0;

	for (size_t i = s->from[seat]; i < s->from[seat + 1]; i++) {
		const struct pl_smooth_hop *hop = &s->hop[i];
		double x;

		if ((hop->other ^ seat) < len)
			continue;
		x = (pl_smooth_hop_cost(s, hop, host) - s->zero[hop->group]) * s->scale[hop->group];
		if (x <= 0)
			continue;
		x = x < RATIO_MAX ? x : RATIO_MAX;
		for (int k = 0; k < s->doublings; k++)
			x *= x;
		sum += s->weight[hop->group] * x;
	}
	return sum;
}

static double around_block(const struct pl_smooth *s, size_t first, size_t len)
{
	double sum = 0;

	for (size_t seat = first; seat < first + len; seat++)
		sum += around(s, seat, len);
	return sum;
}

/* Of two different blocks. */
static void exchange(struct pl_smooth *s, size_t a, size_t b, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const size_t host = s->at[a + i];

		s->at[a + i] = s->at[b + i];
		s->at[b + i] = host;
	}
}

/* Seat i and seat i XOR x of a block. */
static void flip(struct pl_smooth *s, size_t first, size_t len, size_t x)
{
	for (size_t i = 0; i < len; i++)
		if (i < (i ^ x))
			exchange(s, first + i, first + (i ^ x), 1);
}

/* Another seat of the same aligned block of 2^(level + 1) seats. */
static size_t near_seat(size_t seat, size_t level, uint64_t bits)
{
	const size_t mask = ((size_t)2 << level) - 1;

	return (seat & ~mask) | (bits & mask & UINT32_MAX);
}

static size_t pick_level(const struct pl_smooth_moves *m, uint64_t bits)
{
	double x = (double)bits / (double)UINT32_MAX;
	size_t k = 0;

	if (!m->fine)
		return bits % m->levels;
	for (; k + 1 < m->levels && x >= m->share[k]; k++)
		x -= m->share[k];
	return k;
}

static bool is_movable(const struct pl_smooth_moves *m, size_t first, size_t len)
{
	return first >= m->first && first + len <= m->end;
}

/* Blocks half as often for each doubling, since they take as much longer. */
static void move_blocks(struct pl_smooth *s, const struct pl_smooth_moves *m, double tolerated,
			struct pl_rng *rng)
{
	const size_t seat = m->first + pl_rng_below(rng, m->end - m->first);
	const uint64_t bits = pl_rng_u64(rng);
	size_t level = 0, len, a, b;
	double before;

	while (level + 1 < m->levels && bits >> level & 1)
		level++;
	len = (size_t)1 << level;
	a = seat & ~(len - 1);
	if (bits >> 63) {
		const size_t x = pl_rng_u64(rng) & (len - 1);

		if (!is_movable(m, a, len) || x == 0)
			return;
		before = around_block(s, a, len);
		flip(s, a, len, x);
		if (around_block(s, a, len) - before > tolerated)
			flip(s, a, len, x);
		return;
	}
	b = near_seat(seat, level + pl_rng_below(rng, m->levels - level), pl_rng_u64(rng)) &
	    ~(len - 1);
	if (a == b || !is_movable(m, a, len) || !is_movable(m, b, len))
		return;
	before = around_block(s, a, len) + around_block(s, b, len);
	exchange(s, a, b, len);
	if (around_block(s, a, len) + around_block(s, b, len) - before > tolerated)
		exchange(s, a, b, len);
}

void pl_smooth_move(struct pl_smooth *s, struct pl_smooth_moves *m, double heat, struct pl_rng *rng)
{
	const size_t a = m->first + pl_rng_below(rng, m->end - m->first);
	const uint64_t bits = pl_rng_u64(rng);
	const size_t level = pick_level(m, bits >> 32);
	const size_t b = near_seat(a, level, bits);
	double before, tolerated;

	if (b == a || !is_movable(m, b, 1))
		return;
	tolerated = heat > 0 ? heat * pl_rng_double(rng) : 0;
	if (m->fine && pl_rng_below(rng, MOVES_PER_BLOCK) == 0) {
		move_blocks(s, m, tolerated, rng);
		return;
	}
	m->tried[level]++;
	before = around(s, a, 1) + around(s, b, 1);
	exchange(s, a, b, 1);
	if (around(s, a, 1) + around(s, b, 1) - before > tolerated)
		exchange(s, a, b, 1);
	else
		m->taken[level]++;
}
