/* SPDX-License-Identifier: BSD-3-Clause */
/* patch.c - a ring with some of its links replaced, made one ring again */
#include "config.h"

#include "solver/ring/patch.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pl_patch_init(struct pl_patch *p, const struct pl_hops *hops, const struct pl_neighbours *nb,
		  struct pl_err *err)
{
	const size_t n = hops->n;

	memset(p, 0, sizeof(*p));
	p->hops = hops;
	p->nb = nb;
	p->mate = pl_array_create(2 * n, sizeof(*p->mate));
	p->cut = pl_array_create(n, sizeof(*p->cut));
	p->rank = pl_array_create(n, sizeof(*p->rank));
	p->ring = pl_array_create(n, sizeof(*p->ring));
	p->size = pl_array_create(n, sizeof(*p->size));
	p->first = pl_array_create(n, sizeof(*p->first));
	if (!p->mate || !p->cut || !p->rank || !p->ring || !p->size || !p->first) {
		pl_patch_fini(p);
		return pl_err_nomem(err);
	}
	memset(p->mate, 0xff, 2 * n * sizeof(*p->mate));
	return 0;
}

void pl_patch_fini(struct pl_patch *p)
{
	free(p->mate);
	free(p->cut);
	free(p->rank);
	free(p->ring);
	free(p->size);
	free(p->first);
	memset(p, 0, sizeof(*p));
}

static uint32_t after(const struct pl_patch *p, uint32_t pos)
{
	return pos + 1 == p->tour->n ? 0 : pos + 1;
}

static uint32_t before(const struct pl_patch *p, uint32_t pos)
{
	return pos == 0 ? p->tour->n - 1 : pos - 1;
}

/* The end that @end is linked to. */
static uint32_t mate_of(const struct pl_patch *p, uint32_t end)
{
	if (p->mate[end] != PL_AS_IT_WAS)
		return p->mate[end];
	return end % 2 ? 2 * after(p, end / 2) : 2 * before(p, end / 2) + 1;
}

/* Of a link: from the end that leads onward, if one does. */
static double cost(const struct pl_patch *p, uint32_t end, uint32_t other)
{
	const uint32_t src = end % 2 ? end : other, dst = end % 2 ? other : end;

	return pl_hop(p->hops, pl_patch_host(p, src), pl_patch_host(p, dst));
}

/* Numbers the ring on which the way with the end @end lies. */
static void label(struct pl_patch *p, uint32_t end)
{
	const uint32_t k = (uint32_t)p->n_cuts, number = (uint32_t)p->n_rings++;

	p->size[number] = 0;
	p->first[number] = end;
	for (;;) {
		uint32_t way = end % 2 ? p->rank[end / 2] : p->rank[before(p, end / 2)] + 1;
		uint32_t from;

		way = way == k ? 0 : way;
		if (p->ring[way] == number)
			return;
		from = p->cut[way == 0 ? k - 1 : way - 1];
		p->ring[way] = number;
		p->size[number] +=
			p->cut[way] > from ? p->cut[way] - from : p->cut[way] + p->tour->n - from;
		end = end % 2 ? 2 * after(p, from) : 2 * p->cut[way] + 1;
		end = p->mate[end];
	}
}

static void label_all(struct pl_patch *p)
{
	p->n_rings = 0;
	for (uint32_t k = 0; k < p->n_cuts; k++) {
		p->rank[p->cut[k]] = k;
		p->ring[k] = UINT32_MAX;
	}
	for (uint32_t k = 0; k < p->n_cuts; k++)
		if (p->ring[k] == UINT32_MAX)
			label(p, 2 * p->cut[k] + 1);
}

static void clear(struct pl_patch *p)
{
	for (size_t k = 0; k < p->n_cuts; k++) {
		p->mate[2 * p->cut[k] + 1] = PL_AS_IT_WAS;
		p->mate[2 * after(p, p->cut[k])] = PL_AS_IT_WAS;
	}
	p->n_cuts = 0;
	p->gain = 0;
}

static void join(struct pl_patch *p, uint32_t end, uint32_t other)
{
	p->mate[end] = other;
	p->mate[other] = end;
	p->gain -= cost(p, end, other);
}

void pl_patch_set(struct pl_patch *p, const struct pl_tour *tour, const uint32_t *host,
		  size_t n_links)
{
	uint32_t first = 0, last = 0;

	if (p->tour)
		clear(p);
	p->tour = tour;
	for (size_t i = 0; i < n_links; i++) {
		const uint32_t a = tour->pos[host[2 * i]];
		const uint32_t b = tour->pos[host[2 * i + 1]];
		const bool onward = after(p, a) == b;
		const uint32_t end = 2 * a + onward;

		p->cut[p->n_cuts++] = onward ? a : b;
		p->gain += cost(p, end, 2 * b);
		if (i == 0)
			first = end;
		else
			join(p, last, end);
		last = 2 * b + !onward;
	}
	join(p, last, first);
	pl_sort_uint32(p->cut, p->n_cuts);
	label_all(p);
}

static uint32_t ring_of(const struct pl_patch *p, uint32_t pos)
{
	size_t low = 0, high = p->n_cuts;

	while (low < high) { /* the first cut from pos on */
		const size_t mid = (low + high) / 2;

		if (p->cut[mid] < pos)
			low = mid + 1;
		else
			high = mid;
	}
	return p->ring[low == p->n_cuts ? 0 : low];
}

/* The links of two ends, and what joining those ends and their mates gains. */
struct bridge {
	uint32_t end, other;
	double gain;
};

/* Looks from @end, on ring @number, to neighbours of its host on other rings; with directed costs
 * it is one that leads onward. */
static void look(const struct pl_patch *p, uint32_t end, uint32_t number, struct bridge *best)
{
	const struct pl_neighbours *nb = p->nb;
	const uint32_t host = pl_patch_host(p, end), mate = mate_of(p, end);
	const double parted = cost(p, end, mate);
	const uint32_t n_ends = nb->symmetric ? 2 : 1;

	for (size_t i = host * nb->k; i < (host + 1) * nb->k; i++) {
		const uint32_t pos = p->tour->pos[nb->out[i]];

		if (ring_of(p, pos) == number)
			continue;
		for (uint32_t other = 2 * pos; other < 2 * pos + n_ends; other++) {
			const uint32_t next = mate_of(p, other);
			const double gain =
				parted + cost(p, other, next) - nb->cost[i] - cost(p, mate, next);

			if (gain > best->gain)
				*best = (struct bridge){end, other, gain};
		}
	}
}

/* Parts the link of @end. */
static void part(struct pl_patch *p, uint32_t end, uint32_t mate)
{
	const uint32_t pos = end % 2 ? end / 2 : mate / 2;
	size_t k = p->n_cuts;

	p->gain += cost(p, end, mate);
	if (p->mate[end] != PL_AS_IT_WAS)
		return;
	for (; k > 0 && p->cut[k - 1] > pos; k--)
		p->cut[k] = p->cut[k - 1];
	p->cut[k] = pos;
	p->n_cuts++;
}

static bool join_smallest(struct pl_patch *p)
{
	struct bridge best = {.gain = -INFINITY};
	uint32_t number = 0, end, mate, next;

	for (uint32_t r = 1; r < p->n_rings; r++)
		if (p->size[r] < p->size[number])
			number = r;
	end = p->first[number];
	do {
		if (p->nb->symmetric || end % 2)
			look(p, end, number, &best);
		if (p->nb->symmetric || end % 2 == 0)
			look(p, end ^ 1, number, &best);
		end = mate_of(p, end) ^ 1;
	} while (end != p->first[number]);
	if (best.gain == -INFINITY)
		return false;
	mate = mate_of(p, best.end);
	next = mate_of(p, best.other);
	part(p, best.end, mate);
	part(p, best.other, next);
	join(p, best.end, best.other);
	join(p, mate, next);
	return true;
}

bool pl_patch_mend(struct pl_patch *p)
{
	while (p->n_rings > 1) {
		if (!join_smallest(p))
			return false;
		label_all(p);
	}
	return true;
}

void pl_patch_get(const struct pl_patch *p, size_t *host_at)
{
	uint32_t end = 1;

	for (uint32_t k = 0; k < p->tour->n; k++) {
		host_at[k] = pl_patch_host(p, end);
		end = mate_of(p, end) ^ 1;
	}
}
