/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-sweep.c - each host tries the parts of its group until it is near to one */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define LOOKS 6          /* hosts of a part whose loads are compared */
#define LOOKS_ALL 32     /* of a part so small all are */
#define LOAD_SHARE 8     /* such a share of a host's pairs in one step */
#define MOST_SHARE 3     /* pairs a host may be in, to those of the usual one */
#define AT_ONCE_MOST 4   /* tests of one host in a step, and one more */
#define AT_ONCE_PART 12  /* parts for each of these, where pairs abound */
#define AT_ONCE_LARGE 48 /* and in a large network, where they do not */
#define KNOWN_MOST 64    /* pairs that are looked at */

int pl_sparse_part_add(struct pl_sparse_part *part, size_t host)
{
	if (pl_array_grow((void **)&part->member, &part->room, part->n, sizeof(*part->member)))
		return -1;
	part->member[part->n++] = (uint32_t)host;
	return 0;
}

int pl_sparse_seat(struct pl_sparse *s, struct pl_sparse_node *node, size_t host, uint32_t part)
{
	s->host[host].seat = PL_SEAT_TAKEN;
	s->host[host].part = part;
	return pl_sparse_part_add(&node->part[part], host);
}

/* Pairs that the host has in this step. */
static uint32_t load_of(const struct pl_sparse *s, size_t host)
{
	const struct pl_sparse_host *h = &s->host[host];

	return h->step == s->n_steps ? h->load : 0;
}

static void add_load(struct pl_sparse *s, size_t host)
{
	struct pl_sparse_host *h = &s->host[host];

	h->load = load_of(s, host) + 1;
	h->step = (uint32_t)s->n_steps;
}

bool pl_sparse_is_busy(const struct pl_sparse *s, size_t host)
{
	return load_of(s, host) > s->options.per_host / LOAD_SHARE;
}

uint32_t pl_sparse_pick(struct pl_sparse *s, struct pl_sparse_part *part, size_t host)
{
	const size_t most = part->n <= LOOKS_ALL ? part->n : LOOKS;
	uint32_t found = PL_SPARSE_END;
	size_t looks = 0;

	for (size_t k = 0; k < part->n && looks < most; k++) {
		const uint32_t m = part->member[part->next++ % part->n];

		if (m == host || s->host[m].gone ||
		    s->pairs.degree[m] >= MOST_SHARE * s->options.per_host ||
		    pl_sparse_pairs_find(&s->pairs, host, m))
			continue;
		looks++;
		if (pl_sparse_is_busy(s, m)) {
			if (found == PL_SPARSE_END)
				found = PL_SPARSE_BUSY;
			continue;
		}
		if (found >= PL_SPARSE_BUSY || s->pairs.degree[m] < s->pairs.degree[found])
			found = m;
	}
	return found;
}

static int add_test(struct pl_sparse *s, struct pl_sparse_node *node, uint32_t host, uint32_t part,
		    uint32_t member)
{
	if (pl_array_grow((void **)&s->test, &s->tests_room, s->n_tests, sizeof(*s->test)))
		return -1;
	s->test[s->n_tests++] =
		(struct pl_sparse_test){.host = host, .part = part, .member = member};
	node->n_tests++;
	return 0;
}

int pl_sparse_try(struct pl_sparse *s, struct pl_sparse_node *node, uint32_t host, uint32_t part,
		  uint32_t member)
{
	if (add_test(s, node, host, part, member))
		return -1;
	add_load(s, host);
	add_load(s, member);
	return pl_sparse_ask(s, host, member);
}

/* A seated host of that part which @host was measured against before its node's parts were known;
 * PL_SPARSE_END: none. */
static uint32_t find_known(const struct pl_sparse *s, size_t host, uint32_t part)
{
	uint32_t at = s->pairs.head[host];

	while (at != PL_SPARSE_END) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		if (s->host[other].node == s->host[host].node &&
		    s->host[other].seat == PL_SEAT_TAKEN && s->host[other].part == part &&
		    !isnan(d))
			return (uint32_t)other;
	}
	return PL_SPARSE_END;
}

/* 1: asked, or that part has nobody to ask; 0: all are busy; -1: no memory. */
static int ask_part(struct pl_sparse *s, struct pl_sparse_node *node, size_t host, uint32_t part)
{
	uint32_t member = PL_SPARSE_END;
	int rc;

	if (node->sweeps == 0 && isnan(s->host[host].doubt))
		member = find_known(s, host, part);
	if (member != PL_SPARSE_END) {
		rc = add_test(s, node, (uint32_t)host, part, member);
		return rc ? -1 : 1;
	}
	member = pl_sparse_pick(s, &node->part[part], host);
	if (member == PL_SPARSE_BUSY)
		return 0;
	if (member == PL_SPARSE_END)
		return 1;
	rc = pl_sparse_try(s, node, (uint32_t)host, part, member);
	return rc ? -1 : 1;
}

bool pl_sparse_may_ask(const struct pl_sparse *s, size_t host)
{
	return !s->host[host].gone && s->n_asked < s->budget &&
	       s->pairs.degree[host] < MOST_SHARE * s->options.per_host;
}

static int ask_host(struct pl_sparse *s, struct pl_sparse_node *node, size_t host)
{
	struct pl_sparse_host *h = &s->host[host];
	const bool large = s->n > s->options.per_host * s->options.per_host;
	size_t at_once = node->n_parts / (large ? AT_ONCE_LARGE : AT_ONCE_PART);

	if (!pl_sparse_may_ask(s, host)) {
		h->seat = PL_SEAT_LEFT;
		return 0;
	}
	if (!isnan(h->doubt)) {
		const size_t before = node->n_tests;

		const int rc = ask_part(s, node, host, h->part);

		/* where there is nobody else to ask, one answer must do */
		if (rc == 1 && node->n_tests == before)
			return pl_sparse_seat(s, node, host, h->part);
		return rc < 0 ? -1 : 0;
	}
	if (at_once > AT_ONCE_MOST)
		at_once = AT_ONCE_MOST;
	for (size_t k = 0; k <= at_once && h->tried < node->n_parts; k++) {
		const size_t part = (h->first + h->tried) % node->n_parts;
		const int rc = ask_part(s, node, host, (uint32_t)part);

		if (rc < 0)
			return -1;
		if (rc == 0)
			break;
		h->tried++;
	}
	return 0;
}

int pl_sparse_sweep_ask(struct pl_sparse *s, struct pl_sparse_node *node)
{
	node->test = s->n_tests;
	node->n_tests = 0;
	for (size_t k = 0; k < node->n; k++)
		if (s->host[node->member[k]].seat == PL_SEAT_OPEN &&
		    ask_host(s, node, node->member[k]))
			return -1;
	return 0;
}

/* What a host has of its own, as far as what it measured in the node tells. */
static double find_own(const struct pl_sparse *s, const struct pl_sparse_node *node, size_t host)
{
	const struct pl_sparse_host *h = &s->host[host];
	const double most = 3 * node->scale.spread;
	uint32_t at = s->pairs.head[host];
	double sum = 0;
	size_t n = 0;

	if (isinf(node->scale.ratio))
		return (double)h->own;
	while (at != PL_SPARSE_END && n < KNOWN_MOST) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		d -= (double)s->host[other].own + (double)h->own;
		if (s->host[other].node != h->node || !(d > node->scale.cut))
			continue;
		sum += fmax(fmin(d - node->scale.far, most), -most);
		n++;
	}
	return (double)h->own + sum / ((double)n + node->scale.ratio);
}

/* The host's nearest test of those that are next to each other in the list; NAN: none came out. */
static double find_nearest(const struct pl_sparse *s, const struct pl_sparse_node *node,
			   const struct pl_sparse_test *test, size_t n, uint32_t *part)
{
	const double own = find_own(s, node, test->host);
	double best = NAN;

	for (size_t k = 0; k < n; k++) {
		const double d = pl_sparse_pairs_get(&s->pairs, test->host, test[k].member) - own -
				 (double)s->host[test[k].member].own;

		if (isnan(d) || best <= d)
			continue;
		best = d;
		*part = test[k].part;
	}
	return best;
}

static int judge_host(struct pl_sparse *s, struct pl_sparse_node *node,
		      const struct pl_sparse_test *test, size_t n)
{
	const double cut = node->scale.cut;
	const double sure = sqrt(cut * node->scale.near);
	struct pl_sparse_host *h = &s->host[test->host];
	uint32_t part = 0;
	double near = find_nearest(s, node, test, n, &part);

	if (!isnan(h->doubt)) {
		/* this was the second look at that part */
		near = ((double)h->doubt + near) / 2;
		h->doubt = NAN;
		if (near < cut)
			return pl_sparse_seat(s, node, test->host, part);
	} else if (near < sure) {
		return pl_sparse_seat(s, node, test->host, part);
	} else if (near < cut) {
		h->doubt = (float)near;
		h->best = (float)near;
		h->part = part;
		return 0;
	}
	if (near < (double)h->best) {
		h->best = (float)near;
		h->part = part;
	}
	return 0;
}

int pl_sparse_sweep_judge(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const struct pl_sparse_test *test = s->test + node->test;
	size_t n;

	for (size_t k = 0; k < node->n_tests; k += n) {
		for (n = 1; k + n < node->n_tests && test[k + n].host == test[k].host; n++)
			;
		if (judge_host(s, node, test + k, n))
			return -1;
	}
	for (size_t k = 0; k < node->n; k++) {
		struct pl_sparse_host *h = &s->host[node->member[k]];

		if (h->seat == PL_SEAT_OPEN && isnan(h->doubt) && h->tried == node->n_parts)
			h->seat = PL_SEAT_LEFT;
	}
	return 0;
}
