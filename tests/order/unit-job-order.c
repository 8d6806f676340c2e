/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-job-order.c - orders for a whole job: costs kept up to date, bounds,
 * and what is found against all orders */
#include "config.h"

#include "base/rng.h"
#include "order/job/parts.h"
#include "order/job/solve.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 7, SLOTS = 2, RANKS = HOSTS * SLOTS, MANY = 24 };

static const char small[] =
	"# plink-job 1\nranks 14\nlibrary nccl\n"
	"mesh in=2 all=7\n"
	"kind in allreduce 64k along=in\n"
	"kind ring allreduce 7k calls=3 along=all\n"
	"kind halves allreduce 64k library=openmpi algorithm=recursive-doubling\n"
	"group 0 2 4 6\ngroup 8 10 12 1\n"
	"kind stages pipeline 4k microbatches=3\n"
	"group 0 5 9 13\ngroup 2 3 6 11\n"
	"kind tree broadcast 16k library=mpich algorithm=binomial\n"
	"group 3 6 9 12 1\n"
	"kind halo traffic exposed=0.5\n"
	"send 0 9 4k\nsend 9 0 1k messages=7\nsend 4 13 64k\nsend 0 1 1G\n";

/* 24 seats: experts in fours, data across them. */
static const char large[] = "# plink-job 1\nranks 48\nlibrary nccl\n"
			    "mesh in=2 ep=4 dp=3 pp=2\n"
			    "kind ep allgather 64k calls=8 along=ep\n"
			    "kind dp allreduce 1M along=dp\n"
			    "kind pp pipeline 256k microbatches=4 along=pp\n";

struct problem {
	struct pl_job job;
	double c[MANY * MANY], per_byte[MANY * MANY];
	size_t seat_of[2 * MANY];
	struct pl_job_cost_options o;
};

/* Whole numbers for costs: sums of them are exact. */
static void make(struct problem *p, const char *lines, size_t n, uint64_t seed)
{
	struct pl_rng rng;
	struct pl_text text;
	struct pl_err err = {0};

	memset(p, 0, sizeof(*p));
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const bool near = i % 3 == j % 3;

			p->c[i * n + j] =
				i == j ? 0 : (near ? 100 : 400) + (double)pl_rng_below(&rng, 90);
			p->per_byte[i * n + j] = i == j ? 0 : 1 + (double)pl_rng_below(&rng, 3);
		}
	for (size_t r = 0; r < SLOTS * n; r++)
		p->seat_of[r] = r / SLOTS;
	if (pl_text_copy(&text, "job", lines, strlen(lines), &err) ||
	    pl_job_parse(&p->job, &text, &err)) {
		printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
		abort();
	}
	pl_text_fini(&text);
	p->o = (struct pl_job_cost_options){.job = &p->job,
					    .seats = {n, p->seat_of},
					    .costs = {.n = n, .c = p->c, .per_byte = p->per_byte},
					    .only = SIZE_MAX};
}

static void shuffled(size_t *host_at, size_t n, struct pl_rng *rng)
{
	for (size_t i = 0; i < n; i++)
		host_at[i] = i;
	pl_rng_shuffle(rng, host_at, n);
}

static bool alike(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static struct pl_job_cost *cost_of(const struct pl_job_cost_options *o)
{
	struct pl_err err = {0};
	struct pl_job_cost *c = pl_job_cost_create(o, &err);

	if (!c) {
		printf("# %s\n", err.text);
		abort();
	}
	return c;
}

/* Exchanges, one after the other, against the cost computed anew. */
static void test_exchanges(void)
{
	struct problem p;
	struct pl_job_cost *c, *fresh;
	struct pl_rng rng;
	bool same = true, parts = true, back = true;

	make(&p, large, MANY, 1);
	c = cost_of(&p.o);
	fresh = cost_of(&p.o);
	pl_rng_init(&rng, 2, 0);
	for (int i = 0; i < 500; i++) {
		const size_t a = pl_rng_below(&rng, MANY);
		const size_t b = pl_rng_below(&rng, MANY);
		const double before = pl_job_cost_now(c);
		double sum = 0;

		pl_job_cost_exchange(c, a, b);
		pl_job_cost_exchange(c, a, b);
		back &= alike(pl_job_cost_now(c), before);
		pl_job_cost_exchange(c, a, b);
		pl_job_cost_set(fresh, pl_job_cost_order(c));
		same &= alike(pl_job_cost_now(c), pl_job_cost_now(fresh)) &&
			alike(pl_job_cost_smooth(c), pl_job_cost_smooth(fresh));
		for (size_t k = 0; k < p.job.n_kinds; k++)
			sum += pl_job_cost_kind(c, k);
		parts &= alike(sum, pl_job_cost_now(c));
	}
	ok(same, "after exchanges the cost is that of the order");
	ok(back, "the same exchange again takes one back");
	ok(parts, "the kinds add up");
	pl_job_cost_destroy(c);
	pl_job_cost_destroy(fresh);
	pl_job_fini(&p.job);
}

/* By hand: two hosts, a ring of two there and back. */
static void test_by_hand(void)
{
	static const char lines[] = "# plink-job 1\nranks 4\nlibrary nccl\nmesh in=2 out=2\n"
				    "kind ring allreduce 64k along=out calls=2 exposed=0.5\n"
				    "kind stages pipeline 1k along=out microbatches=3\n"
				    "kind halo traffic\nsend 0 3 10 messages=5\n"
				    "kind blocks alltoallv along=out\nsend 0 2 10\nsend 3 1 70\n"
				    "kind parts pipeline 1k along=out microbatches=2 vpp=2\n";
	struct problem p;
	struct pl_job_cost *c;
	const size_t host_at[2] = {1, 0};
	double there, back;

	make(&p, lines, 2, 3);
	c = cost_of(&p.o);
	pl_job_cost_set(c, host_at);
	/* two ranks of each host: their groups share a card. A ring of two takes two rounds, each
	 * as long as its dearer hop where hops differ by little: the factor of even hops, 2 / 2,
	 * times both */
	there = p.c[1] + 2 * 32768 * p.per_byte[1];
	back = p.c[2] + 2 * 32768 * p.per_byte[2];
	ok(alike(pl_job_cost_kind(c, 0), there + back), "a ring of two");
	there = p.c[1] + 2 * 1024 * p.per_byte[1];
	back = p.c[2] + 2 * 1024 * p.per_byte[2];
	ok(alike(pl_job_cost_kind(c, 1), there + back + 2 * fmax(there, back)),
	   "a pipeline: filled and drained, then twice the dearer hop of an exchange");
	ok(alike(pl_job_cost_kind(c, 4), there + back + 6 * fmax(there, back)),
	   "two parts at each stage: three further steps, each with both neighbours, which are one "
	   "stage");
	/* rank 0 is on host 1 */
	ok(alike(pl_job_cost_kind(c, 2), (5 * p.c[1 * 2 + 0] + 10 * p.per_byte[1 * 2 + 0]) / 2),
	   "traffic: the mean of the hosts");
	ok(alike(pl_job_cost_kind(c, 3),
		 (p.c[2] + 10 * p.per_byte[2] + p.c[1] + 70 * p.per_byte[1]) / 2),
	   "unequal blocks, too");
	pl_job_cost_destroy(c);
	pl_job_fini(&p.job);
}

/* Three stages in a ring: each step is the dearest two hops in a row. */
static void test_ring_of_parts(void)
{
	struct problem p;
	struct pl_job_cost *c;
	const size_t host_at[3] = {2, 0, 1};
	double hop[9], ends = 0, dearest = 0;

	make(&p,
	     "# plink-job 1\nranks 6\nlibrary nccl\ncards 2\nmesh in=2 out=3\n"
	     "kind parts pipeline 1k along=out microbatches=3 vpp=4\n",
	     3, 6);
	c = cost_of(&p.o);
	pl_job_cost_set(c, host_at);
	for (size_t i = 0; i < 9; i++) {
		const size_t cell = host_at[i / 3] * 3 + host_at[i % 3];

		hop[i] = p.c[cell] + 1024 * p.per_byte[cell];
	}
	for (size_t i = 0; i < 3; i++) {
		const size_t j = (i + 1) % 3, k = (i + 2) % 3;

		ends += i < 2 ? hop[i * 3 + j] + hop[j * 3 + i] : 0;
		dearest = fmax(dearest, hop[i * 3 + j] + hop[j * 3 + k]);
		dearest = fmax(dearest, hop[k * 3 + j] + hop[j * 3 + i]);
	}
	ok(alike(pl_job_cost_now(c), ends + 11 * dearest),
	   "parts of the model: the last stage is a neighbour of the first");
	pl_job_cost_destroy(c);
	pl_job_fini(&p.job);
}

static void test_exact(uint64_t seed)
{
	struct problem p;
	struct pl_job_cost *c;
	struct pl_job_search_options o = {.seed = seed, .moves = 1, .threads = 1};
	struct pl_job_search_result all, found;
	size_t best[HOSTS], host_at[HOSTS], class[HOSTS] = {0};
	struct pl_rng rng;
	struct pl_err err = {0};
	double bound;

	make(&p, small, HOSTS, seed);
	c = cost_of(&p.o);
	pl_rng_init(&rng, seed, 1);
	shuffled(best, HOSTS, &rng);
	memcpy(host_at, best, sizeof(best));
	if (pl_job_search(&p.o, &o, best, &all, &err) || pl_job_bound(c, host_at, &bound))
		abort();
	ok(all.exact && alike(pl_job_cost_set(c, best), all.cost), "all orders tried, seed %d",
	   (int)seed);
	ok(bound > 0 && bound <= all.cost * (1 + 1e-12), "none is below the bound");
	/* classes that are all the same: the same problem, by annealing */
	o.moves = 60000;
	o.class = class;
	if (pl_job_search(&p.o, &o, host_at, &found, &err))
		abort();
	ok(alike(found.cost, all.cost), "annealing finds the best");
	pl_job_cost_destroy(c);
	pl_job_fini(&p.job);
}

static void test_search(void)
{
	struct problem p;
	struct pl_job_search_options o = {.seed = 5, .moves = 60000, .threads = 1};
	struct pl_job_search_result r, r3;
	size_t given[MANY], one[MANY], three[MANY], class[MANY];
	struct pl_rng rng;
	struct pl_err err = {0};
	bool kept = true;

	make(&p, large, MANY, 4);
	pl_rng_init(&rng, 4, 1);
	shuffled(given, MANY, &rng);
	memcpy(one, given, sizeof(one));
	memcpy(three, given, sizeof(three));
	if (pl_job_search(&p.o, &o, one, &r, &err))
		abort();
	o.threads = 3;
	if (pl_job_search(&p.o, &o, three, &r3, &err))
		abort();
	ok(memcmp(one, three, sizeof(one)) == 0 && r.moves == r3.moves,
	   "the same order with three threads");
	ok(r.cost < r.cost_given, "a cheaper order is found");
	memcpy(three, one, sizeof(one));
	o.moves = 100;
	if (pl_job_search(&p.o, &o, three, &r3, &err))
		abort();
	ok(r3.cost <= r.cost, "and never made dearer");
	for (size_t i = 0; i < MANY; i++)
		class[i] = given[i] % 2;
	memcpy(three, given, sizeof(given));
	o.class = class;
	o.moves = 20000;
	if (pl_job_search(&p.o, &o, three, &r3, &err))
		abort();
	for (size_t i = 0; i < MANY; i++)
		kept &= three[i] % 2 == class[i];
	ok(kept && r3.cost < r3.cost_given, "hosts of other slots do not exchange places");
	pl_job_fini(&p.job);
}

/* Two kinds of messages between seats i and 23 - i, more than between i and the next; hosts 2 k and
 * 2 k + 1 are entries of one machine. */
static void make_traffic(struct problem *p, bool next)
{
	char lines[8192] = "# plink-job 1\nranks 48\ncards 2\n";
	size_t len = strlen(lines);

	for (int kind = 0; kind < 2; kind++) {
		len += (size_t)snprintf(lines + len, sizeof(lines) - len,
					"kind t%d traffic calls=%d exposed=0.5\n", kind, kind + 1);
		for (int i = 0; i < MANY; i++) {
			len += (size_t)snprintf(lines + len, sizeof(lines) - len,
						"send %d %d 64k messages=%d\n", SLOTS * i,
						SLOTS * (MANY - 1 - i) + kind, 9 + kind);
			if (next)
				len += (size_t)snprintf(lines + len, sizeof(lines) - len,
							"send %d %d 1k\n", SLOTS * i,
							SLOTS * ((i + 1) % MANY));
		}
	}
	make(p, lines, MANY, 6);
	for (size_t i = 0; i < MANY; i++)
		for (size_t j = 0; j < MANY; j++) {
			const size_t cell = i / 2 * 2 * MANY + j / 2 * 2;

			p->c[i * MANY + j] = p->c[cell];
			p->per_byte[i * MANY + j] = p->per_byte[cell];
		}
}

/* The problem of assignment costs what the job does, in any order, and is solved on machines: each
 * pair meets on one. */
static void test_traffic(void)
{
	const double scale[] = {2, 3};
	struct problem p;
	struct pl_job_cost *c;
	struct pl_job_flows flows = {0};
	struct pl_job_search_options o = {.seed = 5, .moves = 200000, .threads = 1};
	struct pl_job_search_result r;
	size_t at[MANY], machine[MANY], used[MANY] = {0};
	struct pl_rng rng;
	struct pl_err err = {0};
	bool same = true, each = true;
	double bound;

	make_traffic(&p, true);
	p.o.scale = scale;
	c = cost_of(&p.o);
	pl_rng_init(&rng, 7, 0);
	for (int i = 0; i < 20; i++) {
		shuffled(at, MANY, &rng);
		pl_job_flows_fini(&flows);
		if (pl_job_flows_init(&flows, &p.o, at))
			abort();
		for (size_t k = 0; k < MANY; k++)
			machine[k] = flows.machine_of[at[k]];
		same &= alike(pl_assign_cost(&flows.problem, machine), pl_job_cost_set(c, at));
	}
	ok(same && flows.costs.n == MANY / 2,
	   "messages of two kinds cost the same as flows between machines");
	if (pl_job_bound(c, at, &bound) || pl_job_search(&p.o, &o, at, &r, &err))
		abort();
	for (size_t k = 0; k < MANY; k++)
		each &= ++used[at[k]] == 1;
	ok(each && alike(r.cost, pl_job_cost_set(c, at)) && r.cost < r.cost_given && bound > 0 &&
		   bound <= r.cost,
	   "each host once, cheaper (%g of %g), not below the bound (%g)", r.cost, r.cost_given,
	   bound);
	pl_job_flows_fini(&flows);
	pl_job_cost_destroy(c);
	pl_job_fini(&p.job);
	make_traffic(&p, false);
	shuffled(at, MANY, &rng);
	if (pl_job_search(&p.o, &o, at, &r, &err))
		abort();
	ok(r.cost_given > 0 && r.cost == 0, "pairs meet on one machine");
	pl_job_fini(&p.job);
}

/* Kinds of any collective, each in groups of any size over all ranks. */
static void random_job(char *lines, size_t room, size_t n_ranks, uint64_t seed)
{
	static const char *const calls[] = {
		"allreduce %u library=nccl",      "allreduce %u library=openmpi",
		"allreduce %u library=gloo",      "allgather %u library=mpich",
		"broadcast %u library=openmpi",   "alltoall %u library=gloo",
		"reduce-scatter %u library=nccl", "pipeline %u microbatches=3"};
	size_t rank[RANKS], len;
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 9);
	len = (size_t)snprintf(lines, room, "# plink-job 1\nranks %zu\n", n_ranks);
	for (int k = 0; k < 3; k++) {
		size_t left = 0;

		len += (size_t)snprintf(lines + len, room - len, "kind k%d ", k);
		len += (size_t)snprintf(lines + len, room - len,
					calls[pl_rng_below(&rng, sizeof(calls) / sizeof(*calls))],
					240 + 240 * (unsigned)pl_rng_below(&rng, 12));
		for (size_t i = 0; i < n_ranks; i++)
			rank[i] = i;
		pl_rng_shuffle(&rng, rank, n_ranks);
		for (size_t i = 0; i < n_ranks; i++, left--) {
			if (left == 0) {
				left = 2 + pl_rng_below(&rng, 4);
				len += (size_t)snprintf(lines + len, room - len, "\ngroup");
			}
			len += (size_t)snprintf(lines + len, room - len, " %zu", rank[i]);
		}
		len += (size_t)snprintf(lines + len, room - len, "\n");
	}
}

static double bound_of(struct problem *p, size_t only, const size_t *host_at)
{
	struct pl_job_cost *c;
	double bound;

	p->o.only = only;
	c = cost_of(&p->o);
	if (pl_job_bound(c, host_at, &bound))
		abort();
	pl_job_cost_destroy(c);
	p->o.only = SIZE_MAX;
	return bound;
}

static double sum_of_bounds(struct problem *p, const size_t *host_at)
{
	double sum = 0;

	for (size_t k = 0; k < p->job.n_kinds; k++)
		sum += bound_of(p, k, host_at);
	return sum;
}

static void test_bounds(void)
{
	enum { N = 6, JOBS = 200 };
	int valid = 0, better = 0;

	for (uint64_t seed = 1; seed <= JOBS; seed++) {
		struct pl_job_search_options o = {.moves = 1, .threads = 1};
		struct pl_job_search_result best;
		struct problem p;
		size_t host_at[N] = {0, 1, 2, 3, 4, 5};
		struct pl_err err = {0};
		char lines[2048];
		double sum, bound;

		random_job(lines, sizeof(lines), SLOTS * N, seed);
		make(&p, lines, N, seed);
		sum = sum_of_bounds(&p, host_at);
		bound = bound_of(&p, SIZE_MAX, host_at);
		if (pl_job_search(&p.o, &o, host_at, &best, &err))
			abort();
		valid += fmax(bound, sum) <= best.cost * (1 + 1e-12);
		better += bound > sum * (1 + 1e-9);
		if (fmax(bound, sum) > best.cost * (1 + 1e-12))
			printf("# seed %d: %g, %g above %g\n%s", (int)seed, bound, sum, best.cost,
			       lines);
		pl_job_fini(&p.job);
	}
	ok(valid == JOBS && better > 0,
	   "of %d jobs, the bound is valid for %d, and above that of single kinds for %d", JOBS,
	   valid, better);
}

/* Two racks of four: rows or columns of a grid fit into them, not both. */
static void test_contradiction(void)
{
	static const char lines[] = "# plink-job 1\nranks 16\nlibrary nccl\n"
				    "mesh in=2 x=4 y=2\n"
				    "kind rows allreduce 4k along=x\n"
				    "kind columns allgather 1k along=y calls=5\n";
	enum { N = 8 };
	struct pl_job_search_options o = {.moves = 1, .threads = 1};
	struct pl_job_search_result best;
	struct problem p;
	size_t host_at[N] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct pl_err err = {0};
	double sum, bound;

	make(&p, lines, N, 1);
	for (size_t i = 0; i < N * N; i++) {
		p.c[i] = i / N == i % N ? 0 : i / N % 2 == i % N % 2 ? 20 : 200;
		p.per_byte[i] = 0;
	}
	sum = sum_of_bounds(&p, host_at);
	bound = bound_of(&p, SIZE_MAX, host_at);
	if (pl_job_search(&p.o, &o, host_at, &best, &err))
		abort();
	ok(best.exact && alike(bound, best.cost) && sum < 0.7 * bound,
	   "rows and columns over two racks: %g, the sum of their bounds %g", bound, sum);
	pl_job_fini(&p.job);
}

/* All pairs at once: every order costs what the bound says. */
static void test_even(void)
{
	static const char lines[] = "# plink-job 1\nranks 48\nlibrary gloo\nmesh all=48\n"
				    "kind all alltoall 1k along=all\n";
	struct problem p;
	struct pl_job_cost *c;
	size_t host_at[MANY];
	struct pl_rng rng;
	double cost, bound;

	make(&p, lines, MANY, 3);
	pl_rng_init(&rng, 3, 3);
	shuffled(host_at, MANY, &rng);
	c = cost_of(&p.o);
	cost = pl_job_cost_set(c, host_at);
	shuffled(host_at, MANY, &rng);
	if (pl_job_bound(c, host_at, &bound))
		abort();
	ok(pl_job_cost_is_even(c) && alike(bound, cost) &&
		   alike(pl_job_cost_set(c, host_at), cost) &&
		   pl_job_cost_exchange(c, 1, 2) == cost,
	   "an all-to-all of all costs the same in all orders, and not below the bound");
	pl_job_cost_destroy(c);
	pl_job_fini(&p.job);
}

static void test_refused(void)
{
	static const char lines[] = "# plink-job 1\nranks 4\nmesh a=4\n"
				    "kind odd allreduce 64k algorithm=none along=a\n";
	struct problem p;
	struct pl_err err = {0};

	make(&p, lines, 2, 1);
	ok(!pl_job_cost_create(&p.o, &err) && err.code == PL_EINPUT &&
		   strstr(err.text, "kind \"odd\"") && strstr(err.text, "none"),
	   "an algorithm that is not there: the kind is named");
	pl_job_fini(&p.job);
}

int main(void)
{
	test_by_hand();
	test_ring_of_parts();
	test_exchanges();
	for (uint64_t seed = 1; seed <= 4; seed++)
		test_exact(seed);
	test_search();
	test_bounds();
	test_contradiction();
	test_even();
	test_traffic();
	test_refused();
	return done_testing();
}
