/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rounds.c - any set of pairs in rounds; an agenda run in invented time */
#include "config.h"

#include "base/rng.h"
#include "probes/run/agenda.h"
#include "probes/run/rounds.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

#define HOSTS 40
#define MEETS (HOSTS * (HOSTS - 1) / 2)

/* A random set: each pair of @n hosts with that chance. */
static size_t draw(struct pl_meet *v, size_t n, double chance, struct pl_rng *rng)
{
	size_t m = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n; j++)
			if (pl_rng_double(rng) < chance)
				v[m++] = (struct pl_meet){.a = i, .b = j, .ways = PL_MEET_BOTH};
	return m;
}

static size_t degree(const struct pl_meet *v, size_t m)
{
	size_t of[HOSTS] = {0}, most = 0;

	for (size_t i = 0; i < m; i++) {
		of[v[i].a]++;
		of[v[i].b]++;
	}
	for (size_t h = 0; h < HOSTS; h++)
		most = of[h] > most ? of[h] : most;
	return most;
}

/* Hosts twice in a round, pairs changed or lost, an order that is none. */
static int faults(const struct pl_meet *v, const struct pl_meet *was, size_t m, size_t n_rounds)
{
	static uint8_t in[MEETS + 1][HOSTS], pair[HOSTS][HOSTS];
	int wrong = 0;

	memset(in, 0, sizeof(in));
	memset(pair, 0, sizeof(pair));
	for (size_t i = 0; i < m; i++)
		pair[was[i].a][was[i].b] = 1;
	for (size_t i = 0; i < m; i++) {
		if (v[i].round >= n_rounds || v[i].a >= v[i].b)
			return 1;
		wrong += i > 0 && v[i].round < v[i - 1].round;
		wrong += in[v[i].round][v[i].a]++;
		wrong += in[v[i].round][v[i].b]++;
		wrong += pair[v[i].a][v[i].b]-- != 1;
	}
	return wrong;
}

static void test_random(void)
{
	static struct pl_meet v[MEETS], was[MEETS];
	struct pl_rng rng;
	size_t n_rounds;
	int wrong = 0, over = 0, full = 0;

	pl_rng_init(&rng, 1, 0);
	for (int t = 0; t < 3000; t++) {
		const size_t n = 1 + pl_rng_below(&rng, HOSTS);
		const double chance = t % 10 ? pl_rng_double(&rng) : 1;
		const size_t m = draw(v, n, chance, &rng);
		size_t most;

		memcpy(was, v, sizeof(was));
		if (pl_rounds_assign(v, m, n, &n_rounds, NULL)) {
			wrong++;
			continue;
		}
		most = degree(was, m);
		wrong += faults(v, was, m, n_rounds);
		over += n_rounds < most || n_rounds > most + 1;
		if (m == n * (n - 1) / 2 && n > 1)
			full += n_rounds != n - 1 + n % 2;
	}
	is_int(wrong, 0, "3000 random sets: disjoint pairs, each one once");
	is_int(over, 0, "the largest number of a host's pairs, or one more");
	is_int(full, 0, "all pairs: no more than the circle method");
}

/* The pairs of hosts that are not the first ones. */
static void test_circle_of_some(void)
{
	static const uint32_t host[] = {3, 8, 11, 30};
	struct pl_meet v[6];
	size_t m = 0, n_rounds;

	for (size_t i = 0; i < 4; i++)
		for (size_t j = i + 1; j < 4; j++)
			v[m++] = (struct pl_meet){.a = host[i], .b = host[j]};
	pl_rounds_assign(v, m, HOSTS, &n_rounds, NULL);
	is_int((int64_t)n_rounds, 3, "four of forty hosts: three rounds");
	is_int(pl_rounds_assign(v, 0, 5, &n_rounds, NULL), 0, "no pair at all");
	is_int((int64_t)n_rounds, 0, "is no round");
}

static void test_memory(void)
{
	static struct pl_meet v[MEETS];
	struct pl_agenda a;
	struct pl_err err;
	struct pl_rng rng;
	size_t live, m, k = 0;
	int wrong = 0, status;
	bool refused;

	pl_rng_init(&rng, 2, 0);
	m = draw(v, HOSTS, 0.5, &rng);
	do {
		err.code = PL_OK;
		failalloc_begin(k++);
		status = pl_agenda_init(&a, v, m, HOSTS, &err);
		pl_agenda_fini(&a);
		refused = failalloc_end(&live);
		wrong += live != 0 || refused != (status != 0) ||
			 refused != (err.code == PL_ESYSTEM);
	} while (refused);
	ok(k > 10, "each of %zu allocations refused in turn", k - 1);
	is_int(wrong, 0, "an error each time, and nothing leaks");
}

/* A network in which a pair takes its time; every free host begins at once. */
struct play {
	struct pl_agenda a;
	double ends[MEETS], now, took[HOSTS][HOSTS];
	int met[HOSTS][HOSTS], wrong;
	size_t under_way;
};

static void begin_all(struct play *p)
{
	for (size_t h = 0; h < p->a.n_hosts; h++) {
		const size_t k = pl_agenda_begin(&p->a, h);

		if (k == PL_AGENDA_NONE)
			continue;
		p->wrong += !pl_agenda_is_on(&p->a, k);
		p->ends[k] = p->now + p->took[p->a.meet[k].a][p->a.meet[k].b];
		p->under_way++;
	}
}

static void end_one(struct play *p)
{
	size_t next = PL_AGENDA_NONE;

	for (size_t h = 0; h < p->a.n_hosts; h++) {
		const size_t k = p->a.busy[h];

		if (pl_agenda_is_on(&p->a, k) &&
		    (next == PL_AGENDA_NONE || p->ends[k] < p->ends[next]))
			next = k;
	}
	p->now = p->ends[next];
	p->met[p->a.meet[next].a][p->a.meet[next].b]++;
	pl_agenda_end(&p->a, next);
	p->under_way--;
}

/* The most that any host has to do by itself. */
static double least_time(const struct play *p)
{
	double sum[HOSTS] = {0}, most = 0;

	for (size_t k = 0; k < p->a.n_meets; k++) {
		const struct pl_meet *m = &p->a.meet[k];

		sum[m->a] += p->took[m->a][m->b];
		sum[m->b] += p->took[m->a][m->b];
	}
	for (size_t h = 0; h < HOSTS; h++)
		most = sum[h] > most ? sum[h] : most;
	return most;
}

/* Two racks' worth of times, or random ones. A host may leave on the way. */
static void play(struct play *p, size_t n, double far, double noise, size_t leaver)
{
	static struct pl_meet v[MEETS];
	struct pl_rng rng;
	size_t m;

	memset(p, 0, sizeof(*p));
	pl_rng_init(&rng, n, 0);
	m = draw(v, n, 1, &rng);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			p->took[i][j] =
				(i % 4 == j % 4 ? 1 : far) * (1 + noise * pl_rng_double(&rng));
	pl_agenda_init(&p->a, v, m, n, NULL);
	begin_all(p);
	while (p->under_way > 0) {
		end_one(p);
		if (p->a.n_ended == m / 2 && leaver < n) {
			if (p->a.busy[leaver] != PL_AGENDA_NONE) {
				pl_agenda_end(&p->a, p->a.busy[leaver]);
				p->under_way--;
			}
			pl_agenda_leave(&p->a, leaver);
		}
		begin_all(p);
	}
}

static void test_play(void)
{
	static struct play p;
	static const double far[] = {1, 2, 7}, noise[] = {0, 0.1, 1};
	double worst = 0;
	int missed = 0, wrong = 0;

	for (size_t n = 2; n <= HOSTS; n += n < 8 ? 1 : 8)
		for (size_t k = 0; k < 9; k++) {
			play(&p, n, far[k / 3], noise[k % 3], HOSTS);
			for (size_t i = 0; i < n; i++)
				for (size_t j = i + 1; j < n; j++)
					missed += p.met[i][j] != 1;
			wrong += p.wrong || p.a.n_left > 0;
			if (n >= 8 && p.now / least_time(&p) > worst)
				worst = p.now / least_time(&p);
			pl_agenda_fini(&p.a);
		}
	is_int(missed, 0, "every pair meets once");
	is_int(wrong, 0, "and none is left over");
	ok(worst < 1.3, "within 1.3 of what the busiest host needs (%.2f)", worst);
	play(&p, 9, 2, 0.5, 4);
	missed = 0;
	for (size_t i = 0; i < 9; i++)
		for (size_t j = i + 1; j < 9; j++)
			missed += i != 4 && j != 4 && p.met[i][j] != 1;
	is_int(missed, 0, "a host that leaves does not keep the others");
	is_int((int64_t)p.a.n_left, 0, "its own pairs are dropped");
	pl_agenda_fini(&p.a);
}

/* What is to begin, by looking at every pair there is. */
static size_t first_of_all(const struct pl_agenda *a, const bool *begun, size_t host)
{
	for (size_t k = 0; k < a->n_meets; k++) {
		const struct pl_meet *m = &a->meet[k];

		if ((m->a == host || m->b == host) && !begun[k] &&
		    a->busy[m->a] == PL_AGENDA_NONE && a->busy[m->b] == PL_AGENDA_NONE)
			return k;
	}
	return PL_AGENDA_NONE;
}

static int find_faults(const struct pl_agenda *a)
{
	size_t found = 0;
	int wrong = 0;

	for (size_t k = 0; k < a->n_meets; k++) {
		const struct pl_meet *m = &a->meet[k];

		wrong += pl_agenda_find(a, m->a, m->b) != k || pl_agenda_find(a, m->b, m->a) != k;
	}
	for (size_t i = 0; i < a->n_hosts; i++)
		for (size_t j = 0; j <= a->n_hosts; j++)
			found += pl_agenda_find(a, i, j) != PL_AGENDA_NONE;
	return wrong + (found != 2 * a->n_meets);
}

/* Hosts ask, end what they are in, and now and then leave, in any order. */
static int ask_in_any_order(struct pl_agenda *a, struct pl_rng *rng)
{
	bool begun[MEETS] = {false};
	size_t n_left = a->n_meets;
	int wrong = 0;

	for (int step = 0; step < 4000; step++) {
		const size_t host = pl_rng_below(rng, a->n_hosts);
		const size_t on = a->busy[host];
		size_t k;

		if (pl_agenda_is_on(a, on) && pl_rng_below(rng, 3) == 0)
			pl_agenda_end(a, on);
		if (a->busy[host] == PL_AGENDA_NONE && pl_rng_below(rng, 400) == 0) {
			pl_agenda_leave(a, host);
			pl_agenda_leave(a, host); /* as a lost host may */
			for (k = 0; k < a->n_meets; k++)
				if (a->meet[k].a == host || a->meet[k].b == host) {
					n_left -= !begun[k];
					begun[k] = true;
				}
		}
		k = first_of_all(a, begun, host);
		wrong += pl_agenda_begin(a, host) != k;
		if (k != PL_AGENDA_NONE) {
			begun[k] = true;
			n_left--;
		}
		wrong += a->n_left != n_left;
	}
	return wrong;
}

static void test_next(void)
{
	static struct pl_meet v[MEETS];
	struct pl_agenda a;
	struct pl_rng rng;
	int wrong = 0, unfound = 0;

	pl_rng_init(&rng, 3, 0);
	for (int t = 0; t < 200; t++) {
		const size_t n = 2 + pl_rng_below(&rng, HOSTS - 1);
		const double chance = t % 3 ? pl_rng_double(&rng) : 1;
		const size_t m = draw(v, n, chance, &rng);

		pl_agenda_init(&a, v, m, n, NULL);
		unfound += find_faults(&a);
		wrong += ask_in_any_order(&a, &rng);
		pl_agenda_fini(&a);
	}
	is_int(wrong, 0, "a host begins the earliest of all its pairs that can");
	is_int(unfound, 0, "a pair is found by either host, others are not");
}

int main(void)
{
	test_random();
	test_next();
	test_circle_of_some();
	test_memory();
	test_play();
	return done_testing();
}
