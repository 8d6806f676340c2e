/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-racks-part.c - parts of hosts: what they cost to tell, and that moves gain */
#include "config.h"

#include "base/rng.h"
#include "tests/tap.h"
#include "topology/racks-part.h"

#include <math.h>

enum { HOSTS = 30, WHOLES = 3, FEW = 7 };

static void logarithms(void)
{
	double worst = 0;

	for (double x = 1e-12; x < 1e12; x *= 1.37)
		worst = fmax(worst, fabs(pl_racks_log(x) - log(x)) / fmax(1, fabs(log(x))));
	ok(worst < 1e-12, "logarithms are off by %g at most", worst);
	ok(pl_racks_log(1) == 0, "that of 1 is 0");
}

static double log_factorial(size_t n)
{
	return lgamma((double)n + 1);
}

/* The cost as racks-part.h has it, from nothing but who is where. */
static double cost_of(const struct pl_parting *t)
{
	size_t size[2 * HOSTS] = {0}, whole[2 * HOSTS], n_sized[HOSTS + 1] = {0};
	size_t n_in[WHOLES] = {0}, n_hosts[WHOLES] = {0}, k = 0, n_sizes = 0;
	double cost = log((double)t->m) + log(2);

	for (size_t i = 0; i < t->m; i++) {
		size[t->part[i]]++;
		whole[t->part[i]] = t->whole[i];
		n_hosts[t->whole[i]]++;
	}
	for (size_t p = 0; p < 2 * HOSTS; p++)
		if (size[p]) {
			k++;
			n_in[whole[p]]++;
			n_sized[size[p]]++;
			cost -= log_factorial(size[p]);
		}
	for (size_t g = 0; g < t->n_wholes; g++)
		cost += log_factorial(n_hosts[g]) - log_factorial(n_in[g]);
	cost += log_factorial(k);
	for (size_t s = 1; s <= t->m; s++) {
		cost -= log_factorial(n_sized[s]);
		n_sizes += n_sized[s] > 0;
	}
	if (n_sizes > 1)
		cost += (double)n_sizes * (log((double)(t->m / k + 1)) + log((double)k)) -
			log_factorial(n_sizes);
	return cost;
}

/* Hosts of up to three wholes, each whole in parts by chance. */
static bool scatter(struct pl_parting *t, size_t m, size_t n_wholes, struct pl_rng *rng)
{
	if (pl_parting_init(t, m, n_wholes))
		return false;
	t->usual = 0.1;
	t->usual_cells = 4;
	for (size_t i = 0; i < m; i++) {
		t->whole[i] = i % n_wholes;
		t->part[i] = i < n_wholes ? i : t->whole[i] + n_wholes * pl_rng_below(rng, 2);
	}
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j <= i; j++) {
			float x = (float)pl_rng_double(rng);

			if (i == j || t->whole[i] != t->whole[j] || pl_rng_below(rng, 9) == 0)
				x = NAN;
			t->raw[i * m + j] = t->raw[j * m + i] = x;
		}
	t->fit.parted = true;
	pl_parting_number(t);
	pl_parting_fit(t);
	/* any means will do for moves, those of noise are too much alike */
	t->fit.mean[0] = 0.35;
	t->fit.mean[1] = 0.65;
	t->fit.spread = 0.2;
	return true;
}

static void codes(void)
{
	double worst = 0;

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct pl_parting t = {0};
		struct pl_rng rng;

		pl_rng_init(&rng, seed, 1);
		if (!scatter(&t, HOSTS, 1 + seed % WHOLES, &rng))
			worst = INFINITY;
		for (int k = 0; isfinite(worst) && k < 40; k++) {
			const size_t i = pl_rng_below(&rng, HOSTS);
			size_t to = pl_rng_below(&rng, t.n_parts + 1);

			if (t.size[to] && t.owner[to] != t.whole[i])
				continue;
			t.owner[to] = t.whole[i];
			pl_parting_resize(&t, t.part[i], t.size[t.part[i]] - 1);
			pl_parting_resize(&t, to, t.size[to] + 1);
			t.part[i] = to;
			worst = fmax(worst, fabs(pl_part_code_cost(&t.code) - cost_of(&t)));
		}
		pl_parting_fini(&t);
	}
	ok(worst < 1e-9, "costs kept while hosts move are off by %g", worst);
}

/* All ways to part the hosts from @i on, each in a part so far or a new one. */
static double best_of_all(struct pl_parting *t, size_t i, size_t n_parts)
{
	double best = -INFINITY;

	if (i == t->m) {
		size_t part[FEW];

		memcpy(part, t->part, sizeof(part));
		pl_parting_number(t);
		best = pl_parting_worth(t);
		memcpy(t->part, part, sizeof(part));
		return best;
	}
	for (size_t p = 0; p <= n_parts; p++) {
		t->part[i] = p;
		best = fmax(best, best_of_all(t, i + 1, n_parts + (p == n_parts)));
	}
	return best;
}

static void moves(void)
{
	size_t n_worse = 0, n_best = 0, n_apart = 0, n_failed = 0;

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct pl_parting t = {0};
		struct pl_rng rng;
		double before;

		pl_rng_init(&rng, seed, 2);
		if (scatter(&t, HOSTS, 1 + seed % WHOLES, &rng)) {
			before = pl_parting_worth(&t);
			n_failed += pl_parting_improve(&t) != 0;
			n_worse += pl_parting_worth(&t) < before - 1e-3;
		}
		for (size_t i = 0; i < t.m; i++)
			n_apart += t.owner[t.part[i]] != t.whole[i];
		pl_parting_fini(&t);
		if (scatter(&t, FEW, 1, &rng)) {
			double found;

			n_failed += pl_parting_improve(&t) != 0;
			found = pl_parting_worth(&t);
			n_best += found > best_of_all(&t, 0, 0) - 1e-3;
		}
		pl_parting_fini(&t);
	}
	is_int((int64_t)n_failed, 0, "moves need no more memory than there is");
	is_int((int64_t)n_worse, 0, "moves make nothing worse");
	is_int((int64_t)n_apart, 0, "no part is of two wholes");
	ok(n_best >= 25, "7 hosts: the best of all 877 ways in %zu of 50 cases", n_best);
}

int main(void)
{
	logarithms();
	codes();
	moves();
	return done_testing();
}
