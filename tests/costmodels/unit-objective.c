/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-objective.c - costs kept up to date are those added up anew */
#include "config.h"

#include "costmodels/objective.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { POS_MAX = 24, HOPS_MAX = 120, HOSTS_MAX = 12 };

static const char *const kind_names[] = {
	"sum",
	"sum of maxima",
	"longest path",
	"slowest",
};

/* A problem of random size: positions without hops, several hops between the same two and from a
 * position to itself, hosts at several positions. */
struct problem {
	struct pl_shape shape;
	struct pl_hop hop[HOPS_MAX];
	struct pl_costs costs;
	double c[HOSTS_MAX * HOSTS_MAX], per_byte[HOSTS_MAX * HOSTS_MAX];
	size_t at[POS_MAX];
	bool whole; /* all numbers are whole: equal to the bit */
};

static void add_hop(struct problem *p, struct pl_rng *rng, size_t src, size_t dst, size_t group)
{
	struct pl_hop *hop = &p->hop[p->shape.n_hops++];

	*hop = (struct pl_hop){
		.src = (uint32_t)src,
		.dst = (uint32_t)dst,
		.group = (uint32_t)group,
		.times = 1,
		.bytes = (double)pl_rng_below(rng, 5),
	};
	if (p->costs.per_byte)
		hop->times = (double)(1 + pl_rng_below(rng, 3));
	if (group >= p->shape.n_groups)
		p->shape.n_groups = group + 1;
}

static void add_any(struct problem *p, struct pl_rng *rng)
{
	const size_t n = p->shape.n_pos, n_hops = pl_rng_below(rng, HOPS_MAX);
	const size_t n_groups = 1 + pl_rng_below(rng, 6);

	for (size_t i = 0; i < n_hops; i++)
		add_hop(p, rng, pl_rng_below(rng, n), pl_rng_below(rng, n),
			2 * pl_rng_below(rng, n_groups));
}

/* Each position's parent is one of those before it in a random order, if any; hops lead to it or
 * from it. */
static void add_forest(struct problem *p, struct pl_rng *rng, size_t group)
{
	const size_t n = p->shape.n_pos, spread = 1 + pl_rng_below(rng, n);
	const bool upward = pl_rng_below(rng, 2);
	size_t order[POS_MAX];

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	pl_rng_shuffle(rng, order, n);
	for (size_t i = 1; i < n; i++) {
		const size_t back = 1 + pl_rng_below(rng, spread);
		const size_t parent = order[i < back ? 0 : i - back];

		if (pl_rng_below(rng, 5) > 0)
			add_hop(p, rng, upward ? order[i] : parent, upward ? parent : order[i],
				group);
	}
}

static void make(struct problem *p, enum pl_shape_kind kind, uint64_t number)
{
	const enum solve_kind cells = (enum solve_kind)(number % SOLVE_KINDS);
	struct pl_rng rng;
	size_t n;

	pl_rng_init(&rng, 31 + kind, number);
	n = 1 + pl_rng_below(&rng, HOSTS_MAX);
	memset(p, 0, sizeof(*p));
	p->whole = cells == SOLVE_WHOLE;
	p->shape.kind = kind;
	p->shape.n_pos = 1 + pl_rng_below(&rng, POS_MAX);
	p->shape.hop = p->hop;
	solve_fill(p->c, n, cells, &rng);
	solve_fill(p->per_byte, n, cells, &rng);
	p->costs = (struct pl_costs){.n = n, .c = p->c};
	if (pl_rng_below(&rng, 2))
		p->costs.per_byte = p->per_byte;
	for (size_t g = pl_rng_below(&rng, 4); kind == PL_LONGEST_PATH && g-- > 0;)
		add_forest(p, &rng, 3 * g);
	if (kind != PL_LONGEST_PATH)
		add_any(p, &rng);
	for (size_t i = 0; i < p->shape.n_pos; i++)
		p->at[i] = pl_rng_below(&rng, n);
}

/* The definitions of shape.h, word for word. */
static double hop_cost(const struct problem *p, const struct pl_hop *hop, const size_t *at)
{
	const size_t cell = at[hop->src] * p->costs.n + at[hop->dst];
	const double wire = p->costs.per_byte ? hop->bytes * p->costs.per_byte[cell] : 0;

	return hop->times * (p->costs.c[cell] + wire);
}

static double path_below(const struct problem *p, const size_t *at, size_t pos, size_t group)
{
	double longest = 0;

	for (size_t i = 0; i < p->shape.n_hops; i++) {
		const struct pl_hop *hop = &p->hop[i];

		if (hop->src == pos && hop->group == group)
			longest = fmax(longest,
				       hop_cost(p, hop, at) + path_below(p, at, hop->dst, group));
	}
	return longest;
}

static double by_definition(const struct problem *p, const size_t *at)
{
	double sum = 0, dearest = 0;

	for (size_t g = 0; g < p->shape.n_groups; g++) {
		double most = 0;

		for (size_t i = 0; i < p->shape.n_hops; i++) {
			if (p->hop[i].group != g)
				continue;
			most = fmax(most, hop_cost(p, &p->hop[i], at));
			if (p->shape.kind == PL_SUM)
				sum += hop_cost(p, &p->hop[i], at);
		}
		dearest = fmax(dearest, most);
		if (p->shape.kind == PL_SUM_OF_MAXIMA)
			sum += most;
		for (size_t i = 0; p->shape.kind == PL_LONGEST_PATH && i < p->shape.n_pos; i++)
			dearest = fmax(dearest, path_below(p, at, i, g));
	}
	return p->shape.kind == PL_SUM || p->shape.kind == PL_SUM_OF_MAXIMA ? sum : dearest;
}

static bool same(double a, double b, bool whole)
{
	return whole ? a == b : fabs(a - b) <= 1e-13 * fmax(a, b);
}

static void plain_swap(size_t *at, size_t a, size_t b)
{
	const size_t t = at[a];

	at[a] = at[b];
	at[b] = t;
}

static void plain_move(size_t *at, size_t n, size_t first, size_t last, size_t to)
{
	const size_t len = last - first + 1;
	size_t part[POS_MAX], rest[POS_MAX], n_rest = 0;

	memcpy(part, at + first, len * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		if (i < first || i > last)
			rest[n_rest++] = at[i];
	memcpy(at, rest, to * sizeof(*at));
	memcpy(at + to, part, len * sizeof(*at));
	memcpy(at + to + len, rest + to, (n_rest - to) * sizeof(*at));
}

/* One random change of @o, and of at[n] in the plainest way. */
static double change(struct pl_objective *o, size_t *at, size_t n, struct pl_rng *rng)
{
	const size_t a = pl_rng_below(rng, n), b = pl_rng_below(rng, n);
	const size_t first = a < b ? a : b, last = a < b ? b : a;
	const size_t len = last - first + 1;
	size_t to;

	switch (pl_rng_below(rng, 4)) {
	case 0:
		plain_swap(at, a, b);
		return pl_objective_exchange(o, a, b, 1);
	case 1:
		for (size_t i = 0; i < len / 2; i++)
			plain_swap(at, first + i, last - i);
		return pl_objective_reverse(o, first, last);
	case 2:
		to = len == n ? 0 : pl_rng_below(rng, n - len + 1);
		plain_move(at, n, first, last, to);
		return pl_objective_move(o, first, last, to);
	default:
		to = len < 2 ? 1 : 1 + pl_rng_below(rng, len / 2);
		for (size_t i = 0; len > 1 && i < to; i++)
			plain_swap(at, first + i, last - to + 1 + i);
		return pl_objective_exchange(o, first, len > 1 ? last - to + 1 : last, to);
	}
}

struct faults {
	int full, kept, order, undone, critical;
};

/* Puts another host at a position, and the one that was there again. */
static void put(struct problem *p, struct pl_objective *o, size_t *at, struct faults *f,
		struct pl_rng *rng)
{
	const size_t pos = pl_rng_below(rng, p->shape.n_pos), host = at[pos];
	double cost;

	at[pos] = pl_rng_below(rng, p->costs.n);
	cost = pl_objective_put(o, pos, at[pos]);
	f->kept += !same(cost, by_definition(p, at), p->whole);
	f->order += pl_objective_order(o)[pos] != at[pos];
	at[pos] = host;
	pl_objective_put(o, pos, host);
}

static void walk(struct problem *p, struct faults *f, struct pl_rng *rng)
{
	const size_t n = p->shape.n_pos, bytes = n * sizeof(size_t);
	struct pl_objective *o = pl_objective_create(&p->shape, &p->costs, NULL);
	size_t at[POS_MAX], before[POS_MAX], ends[2];
	double cost = pl_objective_set(o, p->at);

	memcpy(at, p->at, sizeof(at));
	for (int step = 0; step < 60; step++) {
		const double right = by_definition(p, at);
		double cost_before;

		f->full += !same(pl_objective_full(o, at), right, p->whole);
		f->kept += !same(cost, right, p->whole);
		f->order += memcmp(pl_objective_order(o), at, bytes) != 0;
		f->critical += (pl_objective_critical(o, pl_rng_u64(rng), ends) == 0) !=
			       (p->shape.n_hops > 0);
		put(p, o, at, f, rng);
		cost_before = cost = pl_objective_cost(o);
		f->kept += !same(cost, right, p->whole);
		memcpy(before, at, sizeof(at));
		cost = change(o, at, n, rng);
		f->kept += cost != pl_objective_cost(o);
		if (pl_rng_below(rng, 2))
			continue;
		f->kept += !same(cost, by_definition(p, at), p->whole);
		pl_objective_undo(o);
		memcpy(at, before, sizeof(at));
		cost = pl_objective_cost(o);
		f->undone += cost != cost_before;
	}
	pl_objective_destroy(o);
}

static void test_walks(enum pl_shape_kind kind)
{
	struct faults f = {0};
	struct pl_rng rng;

	pl_rng_init(&rng, 32, kind);
	for (uint64_t k = 0; k < 300; k++) {
		struct problem p;

		make(&p, kind, k);
		walk(&p, &f, &rng);
	}
	printf("# %s\n", kind_names[kind]);
	is_int(f.full, 0, "full evaluation: what shape.h says");
	is_int(f.kept, 0, "after each change: the same");
	is_int(f.order, 0, "the order is the one the header promises");
	is_int(f.undone, 0, "taken back: order and cost as before, to the bit");
	is_int(f.critical, 0, "a critical hop where there are hops");
}

/* Kept norms are those of the order set anew, wherever no hop costs more than twice what the
 * dearest one did; and are between the cost and what as many hops as there are would make of it. */
static void walk_norms(struct problem *p, struct faults *f, struct pl_rng *rng)
{
	const size_t n = p->shape.n_pos;
	struct pl_objective *kept = pl_objective_create(&p->shape, &p->costs, NULL);
	struct pl_objective *anew = pl_objective_create(&p->shape, &p->costs, NULL);
	size_t at[POS_MAX];

	f->kept += pl_objective_add_norms(kept, NULL) || pl_objective_add_norms(anew, NULL);
	pl_objective_set(kept, p->at);
	memcpy(at, p->at, sizeof(at));
	for (int step = 0; step < 60; step++) {
		const double before = pl_objective_norms(kept);
		double cost, norms;

		cost = change(kept, at, n, rng);
		if (pl_rng_below(rng, 2)) {
			pl_objective_undo(kept);
			f->undone += pl_objective_norms(kept) != before;
			memcpy(at, pl_objective_order(kept), n * sizeof(*at));
			continue;
		}
		norms = pl_objective_norms(kept);
		pl_objective_set(anew, at);
		f->kept += fabs(norms - pl_objective_norms(anew)) > 1e-9 * norms;
		f->order += norms < cost * (1 - 1e-12) || norms > cost * pow(HOPS_MAX, 0.125);
	}
	pl_objective_destroy(kept);
	pl_objective_destroy(anew);
}

static void test_norms(enum pl_shape_kind kind)
{
	struct faults f = {0};
	struct pl_rng rng;

	pl_rng_init(&rng, 33, kind);
	for (uint64_t k = 0; k < 100; k++) {
		struct problem p;

		make(&p, kind, k);
		p.costs.per_byte = NULL;
		for (size_t i = 0; i < HOSTS_MAX * HOSTS_MAX; i++)
			p.c[i] = 1000 + (double)pl_rng_below(&rng, 1000);
		for (size_t h = 0; h < p.shape.n_hops; h++)
			p.hop[h].times = 1;
		walk_norms(&p, &f, &rng);
	}
	ok(f.kept == 0, "%s: norms are kept", kind_names[kind]);
	is_int(f.order, 0, "they are hardly above the cost, and never below");
	is_int(f.undone, 0, "taken back: as before, to the bit");
}

/* Ten million costs put in and taken out again leave no trace: no drift. */
static void test_drift(void)
{
	enum { N = 64 };
	static struct pl_hop hop[N];
	const struct pl_shape shape = {.kind = PL_SUM, .n_pos = N, .hop = hop, .n_hops = N};
	static double c[N * N];
	const struct pl_costs costs = {.n = N, .c = c};
	struct pl_objective *o;
	struct pl_rng rng;
	size_t at[N];

	pl_rng_init(&rng, 33, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	for (size_t i = 0; i < N; i++) {
		at[i] = i;
		hop[i] = (struct pl_hop){
			.src = (uint32_t)i, .dst = (uint32_t)((i + 1) % N), .times = 1};
		c[i * N] *= 1e12; /* now and then a hop hides the others' bits */
	}
	o = pl_objective_create(&shape, &costs, NULL);
	pl_objective_set(o, at);
	for (int i = 0; i < 2500000; i++)
		pl_objective_exchange(o, pl_rng_below(&rng, N), pl_rng_below(&rng, N), 1);
	ok(pl_objective_cost(o) == pl_objective_full(o, pl_objective_order(o)),
	   "10^7 hops changed: kept and full sum are the same bits");
	pl_objective_destroy(o);
}

/* The hops that critical names, in a problem where they are known. */
static void test_critical(void)
{
	struct pl_hop hop[] = {
		{.src = 0, .dst = 1, .group = 0, .times = 1},
		{.src = 1, .dst = 2, .group = 1, .times = 1},
		{.src = 0, .dst = 2, .group = 1, .times = 1},
		{.src = 2, .dst = 3, .group = 1, .times = 1},
	};
	struct pl_shape shape = {.kind = PL_SUM_OF_MAXIMA, .n_pos = 4, .hop = hop, .n_hops = 4};
	const double c[] = {0, 5, 5, 1, 5, 0, 5, 1, 5, 5, 0, 1, 1, 1, 1, 0};
	const struct pl_costs costs = {.n = 4, .c = c};
	const size_t at[] = {0, 1, 2, 3};
	int seen[4][4] = {{0}}, broken = 0;
	struct pl_objective *o;
	struct pl_rng rng;
	size_t ends[2];

	pl_rng_init(&rng, 34, 0);
	o = pl_objective_create(&shape, &costs, NULL);
	pl_objective_set(o, at);
	for (int i = 0; i < 400; i++) {
		broken += pl_objective_critical(o, pl_rng_u64(&rng), ends);
		seen[ends[0]][ends[1]]++;
	}
	ok(!broken && seen[0][1] > 100 && seen[1][2] + seen[0][2] > 100 && !seen[2][3],
	   "maxima: the dearest of each group, evenly");
	ok(seen[1][2] > 40 && seen[0][2] > 40, "of equals, each");
	pl_objective_destroy(o);
	shape.kind = PL_LONGEST_PATH;
	hop[2].src = 3; /* group 1: 3 -> 2, 1 -> 2 would be two parents */
	hop[1].dst = 0;
	hop[3] = (struct pl_hop){.src = 2, .dst = 1, .group = 1, .times = 1};
	o = pl_objective_create(&shape, &costs, NULL);
	is_int((int64_t)pl_objective_set(o, at), 1 + 5 + 5, "3 -> 2 -> 1 -> 0: the longest path");
	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < 400; i++) {
		broken += pl_objective_critical(o, pl_rng_u64(&rng), ends);
		seen[ends[0]][ends[1]]++;
	}
	ok(!broken && seen[3][2] > 60 && seen[2][1] > 60 && seen[1][0] > 60 && !seen[0][1],
	   "each hop of it is named, and none beside it");
	pl_objective_destroy(o);
}

static bool refused(struct pl_hop *hop, size_t n_hops, const char *why)
{
	const struct pl_shape shape = {
		.kind = PL_LONGEST_PATH, .n_pos = 4, .hop = hop, .n_hops = n_hops};
	const double c[1] = {0};
	const struct pl_costs costs = {.n = 1, .c = c};
	struct pl_err err = {0};
	struct pl_objective *o = pl_objective_create(&shape, &costs, &err);

	pl_objective_destroy(o);
	return !o && err.code == PL_EUSAGE && strstr(err.text, why);
}

static void test_refused(void)
{
	struct pl_hop two[] = {{.src = 0, .dst = 2}, {.src = 1, .dst = 2}};
	struct pl_hop both[] = {{.src = 0, .dst = 2}, {.src = 1, .dst = 2}, {.src = 0, .dst = 3}};
	struct pl_hop ring[] = {{.src = 0, .dst = 3}, {.src = 1, .dst = 2}, {.src = 2, .dst = 1}};
	struct pl_hop self[] = {{.src = 1, .dst = 1}};

	ok(!refused(two, 2, ""), "two hops to one position lead upward");
	ok(refused(both, 3, "two parents"), "two parents are refused");
	ok(refused(ring, 3, "ring"), "a ring beside a tree is refused");
	ok(refused(self, 1, "ring"), "a parent of itself is refused");
	both[2].group = 1;
	ok(!refused(both, 3, ""), "in two groups they are two trees");
}

static void test_no_memory(enum pl_shape_kind kind)
{
	struct problem p;
	size_t live, k = 0;
	bool failed;
	int wrong = 0;

	make(&p, kind, 3);
	do {
		struct pl_err err = {0};
		struct pl_objective *o;
		bool refused;

		failalloc_begin(k++);
		o = pl_objective_create(&p.shape, &p.costs, &err);
		refused = !o || ((kind == PL_SUM_OF_MAXIMA || kind == PL_SLOWEST) &&
				 pl_objective_add_norms(o, &err));
		pl_objective_destroy(o);
		failed = failalloc_end(&live);
		wrong += refused != failed || live > 0 || (failed && err.code != PL_ESYSTEM);
	} while (failed);
	ok(k > 8 && !wrong, "%s: %zu allocations, each refused once", kind_names[kind], k - 1);
}

int main(void)
{
	for (int kind = PL_SUM; kind <= PL_SLOWEST; kind++) {
		test_walks((enum pl_shape_kind)kind);
		test_no_memory((enum pl_shape_kind)kind);
	}
	test_norms(PL_SUM_OF_MAXIMA);
	test_norms(PL_SLOWEST);
	test_drift();
	test_critical();
	test_refused();
	return done_testing();
}
