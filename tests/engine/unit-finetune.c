/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-finetune.c - the tuner held against the Finetune of the PLink thesis, section 4.2.3, which
 * moves masters by blame */
#include "config.h"

#include "engine/shares.h"
#include "tests/engine/tuned-job.h"

#include <string.h>

#define CHUNKS_MAX 256
#define GROUPS_MAX N_MAX
#define STEPS 25
#define NETWORKS 60

/* beta and epsilon of the thesis, which gives no values; gamma is 1. Epsilon is the balance that
 * its figure 6.15 ends with. */
static const double betas[] = {1, 0.1, 0};
#define N_BETAS (sizeof(betas) / sizeof(*betas))
#define EPSILON 1.05

struct masters {
	size_t n; /* chunks */
	uint64_t weight[CHUNKS_MAX];
	uint32_t gm[CHUNKS_MAX], lm[CHUNKS_MAX][GROUPS_MAX];
};

struct finetune {
	const struct job *j;
	double beta;
	struct masters m;
	struct pl_slices slices;
	size_t worst, n_moves; /* of the last step; SIZE_MAX: none */
};

static size_t group_of(const struct job *j, size_t rank)
{
	return j->parent[rank] - j->tree.n_ranks;
}

/* Who adds up for a group, and who for all, as a slice says. */
static void find_masters(const struct job *j, const struct pl_slice *s, uint32_t *gm, uint32_t *lm)
{
	const size_t n = j->tree.n_ranks;
	bool adds[N_MAX] = {false};

	for (uint32_t r = (uint32_t)n; r-- > 0;)
		lm[group_of(j, r)] = r;
	for (size_t k = 0; k < s->n_transfers; k++) {
		const struct pl_slice_transfer *t = &s->transfer[k];

		adds[t->src] |= t->adds;
		if (t->adds && group_of(j, t->src) == group_of(j, t->dst))
			lm[group_of(j, t->dst)] = t->dst;
	}
	for (uint32_t r = 0; r < n; r++)
		if (!adds[r])
			*gm = r;
}

static void add(struct pl_slice *s, uint32_t round, uint32_t src, uint32_t dst, bool adds)
{
	if (src != dst)
		pl_slice_append(s, (struct pl_slice_transfer){
					   .round = round, .src = src, .dst = dst, .adds = adds});
}

static void make_slices(struct finetune *f)
{
	const struct job *j = f->j;
	const size_t n_groups = j->tree.n_nodes - 1 - j->tree.n_ranks;

	pl_slices_fini(&f->slices);
	for (size_t c = 0; c < f->m.n; c++) {
		struct pl_slice s = {.weight = f->m.weight[c]};
		const uint32_t gm = f->m.gm[c], *lm = f->m.lm[c];

		for (uint32_t r = 0; r < j->tree.n_ranks; r++)
			add(&s, 0, r, lm[group_of(j, r)], true);
		for (size_t g = 0; g < n_groups; g++)
			add(&s, 1, lm[g], gm, true);
		for (size_t g = 0; g < n_groups; g++)
			add(&s, 2, gm, lm[g], false);
		for (uint32_t r = 0; r < j->tree.n_ranks; r++)
			add(&s, 3, lm[group_of(j, r)], r, false);
		pl_slices_add_take(&f->slices, &s, PL_SLICE_ALL);
	}
}

static double takes(const struct finetune *f)
{
	return pl_slices_seconds(&f->slices, &f->j->tree, f->j->rate);
}

/* B(i) of the thesis, by the bytes and the rates of all connections. */
static void blame(const struct finetune *f, double *b)
{
	const size_t n = f->j->tree.n_ranks;
	double bytes[N_MAX * N_MAX], busy_s[N_MAX * N_MAX];
	double l[N_MAX] = {0}, t[N_MAX], mean = 0, low = INFINITY, high = 0;

	run(f->j, &f->slices, bytes, busy_s);
	for (size_t i = 0; i < n; i++) {
		double rates = 0;

		for (size_t k = 0; k < n; k++) {
			l[i] += bytes[i * n + k];
			if (bytes[i * n + k] > 0)
				rates += bytes[i * n + k] / busy_s[i * n + k];
		}
		t[i] = l[i] / rates; /* all round trips are alike */
		mean += t[i] / (double)n;
		low = fmin(low, l[i]);
		high = fmax(high, l[i]);
	}
	for (size_t i = 0; i < n; i++)
		b[i] = t[i] / mean + (high > low ? f->beta * (l[i] - low) / (high - low) : 0);
}

/* A GM, or else an LM, which stays within its group. */
static bool move(struct finetune *f, size_t from, size_t to, size_t to_within)
{
	struct masters *m = &f->m;
	const size_t g = group_of(f->j, from);

	for (size_t c = 0; c < m->n; c++)
		if (m->gm[c] == from) {
			m->gm[c] = (uint32_t)to;
			m->lm[c][group_of(f->j, to)] = (uint32_t)to;
			return true;
		}
	for (size_t c = 0; c < m->n && from != to_within; c++)
		if (m->lm[c][g] == from) {
			m->lm[c][g] = (uint32_t)to_within;
			return true;
		}
	return false;
}

/* false: nothing is to be moved, or can be. */
static bool step(struct finetune *f)
{
	const size_t n = f->j->tree.n_ranks;
	double b[N_MAX] = {0};
	size_t worst = 0, best = 0, within;
	bool moved = false;

	blame(f, b);
	for (size_t i = 1; i < n; i++) {
		worst = b[i] > b[worst] ? i : worst;
		best = b[i] < b[best] ? i : best;
	}
	within = worst;
	for (size_t i = 0; i < n; i++)
		if (group_of(f->j, i) == group_of(f->j, worst) && b[i] < b[within])
			within = i;
	if (b[best] > 0 && b[worst] / b[best] <= EPSILON)
		return false;
	f->n_moves = worst == f->worst ? 2 * f->n_moves : 1;
	f->worst = worst;
	for (size_t k = 0; k < f->n_moves && move(f, worst, best, within); k++)
		moved = true;
	make_slices(f);
	return moved;
}

/* A slice that is @part of the buffer, in chunks of about the same length. */
static void add_chunks(struct finetune *f, const struct pl_slice *s, double part)
{
	const size_t per_rank = CHUNKS_MAX / 2 / N_MAX;
	const double n = fmax(1, round(part * (double)(per_rank * f->j->tree.n_ranks)));
	struct masters *m = &f->m;

	for (double k = 0; k < n && m->n < CHUNKS_MAX; k++) {
		m->weight[m->n] = (uint64_t)round(1e6 * part / n);
		find_masters(f->j, s, &m->gm[m->n], m->lm[m->n]);
		m->n++;
	}
}

/* From the masters that the rates of the traffic by the schedule in force
 * give: Quicktune, as the tuner has it. */
static void begin_finetune(struct finetune *f, const struct job *j, double beta)
{
	double bytes[N_MAX * N_MAX], busy_s[N_MAX * N_MAX];
	double value[NODES_MAX + N_MAX], rate[NODES_MAX];
	const struct pl_traffic traffic = {j->tree.n_ranks, bytes, busy_s};
	struct pl_rank_tree tree;
	struct pl_slices quick = {0};
	double all = 0;

	*f = (struct finetune){.j = j, .beta = beta, .worst = SIZE_MAX};
	run(j, &now(j)->schedule[0].slices, bytes, busy_s);
	if (pl_traffic_uplinks(&traffic, &j->tree, rate) || pl_uplink_shares(&j->tree, rate, value))
		ok(false, "out of memory");
	memcpy(value + j->tree.n_nodes, rate, j->tree.n_ranks * sizeof(*rate));
	tree = pl_retune_tree(&j->schedules, 0, value);
	pl_levels_slices(&quick, &tree, NULL);
	for (size_t i = 0; i < quick.n; i++)
		all += (double)quick.slice[i].weight;
	for (size_t i = 0; i < quick.n; i++)
		add_chunks(f, &quick.slice[i], (double)quick.slice[i].weight / all);
	pl_slices_fini(&quick);
	make_slices(f);
}

/* Seconds of a byte in the end. */
static double by_blame(const struct job *j, double beta)
{
	struct finetune f;
	double s;

	begin_finetune(&f, j, beta);
	for (int i = 0; i < STEPS && step(&f); i++)
		;
	s = takes(&f);
	pl_slices_fini(&f.slices);
	return s;
}

/* What the tuner has after as many steps, with two intervals for each. */
static double by_tuner(struct job *j)
{
	intervals(j, 2 * STEPS);
	return seconds(j);
}

static void compare(const char *what, struct job *j)
{
	const double before = seconds(j);
	double blamed[N_BETAS], ours;

	for (size_t i = 0; i < N_BETAS; i++)
		blamed[i] = by_blame(j, betas[i]) / before;
	ours = by_tuner(j) / before;
	for (size_t i = 0; i < N_BETAS; i++)
		ok(ours <= blamed[i] * 1.0001,
		   "%s: %.3f of the time before; by blame %.3f (beta %g)", what, ours, blamed[i],
		   betas[i]);
}

static void check_cases(void)
{
	struct job j;

	begin(&j, 8, 1);
	j.rate[0] = j.rate[8] = 1.6;
	compare("a card of 8 at 40 %", &j);
	j.rate[0] = j.rate[8] = 4;
	compare("and as fast as before", &j);
	end(&j);
	begin(&j, 16, 4);
	j.rate[0] = 1.6;
	compare("a card of 16 in 4 groups at 40 %", &j);
	end(&j);
	begin(&j, 16, 4);
	j.rate[17] = 2;
	compare("an uplink of 4 at half", &j);
	end(&j);
}

/* Cards of rates from 1 to 4, uplinks of rates from 2 to 8. */
static void check_networks(void)
{
	double blamed[N_BETAS] = {0}, ours = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 5, 1);
	for (unsigned k = 0; k < NETWORKS; k++) {
		struct job j;
		double before;

		begin(&j, 16, 4);
		for (size_t v = 0; v < 20; v++)
			j.rate[v] = (1 + 3 * pl_rng_double(&rng)) * (v < 16 ? 1 : 2);
		before = seconds(&j);
		for (size_t i = 0; i < N_BETAS; i++)
			blamed[i] += by_blame(&j, betas[i]) / before / NETWORKS;
		ours += by_tuner(&j) / before / NETWORKS;
		end(&j);
	}
	for (size_t i = 0; i < N_BETAS; i++)
		ok(ours <= blamed[i],
		   "%d networks (seed 5): %.3f of the time before in the mean; by blame %.3f (beta "
		   "%g)",
		   NETWORKS, ours, blamed[i], betas[i]);
}

int main(void)
{
	check_cases();
	check_networks();
	return done_testing();
}
