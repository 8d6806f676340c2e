/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-search.c - the best choice is that of brute force; eager ones are allowed */
#include "config.h"

#include "base/rng.h"
#include "planner/srift/iteration/least.h"
#include "planner/srift/search/boxes.h"
#include "planner/srift/search/program.h"
#include "planner/srift/search/search.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define TYPES_MAX 3
#define LAYERS 3

/* A small random market, its profile and network, which live here. */
struct world {
	struct pl_profile_layer layer[LAYERS];
	struct pl_profile_instance instance[TYPES_MAX];
	double batch[TYPES_MAX][2], forward_s[TYPES_MAX][2];
	double backward_s[TYPES_MAX][2], finish[TYPES_MAX][LAYERS];
	struct pl_offer offer[TYPES_MAX];
	struct pl_profile profile;
	struct pl_catalogue catalogue;
	struct pl_market market;
	struct pl_iteration_options options;
	double bytes_per_s;
	size_t ranks_max;
	struct pl_srift_goal goal;
};

static char names[TYPES_MAX][2] = {"a", "b", "c"};

/* Ranks share a rate, and the more there are the slower. */
static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const struct world *w = model;

	if (n_ranks > w->ranks_max)
		return pl_err_set(err, PL_EUSAGE, "too many");
	*bytes_per_s = w->bytes_per_s * bytes / (bytes + 100) / (1 + 0.01 * (double)n_ranks);
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	return bandwidth(model, 1e9, n_ranks, bytes_per_s, err);
}

static void fill_type(struct world *w, size_t i, struct pl_rng *rng)
{
	struct pl_profile_instance *in = &w->instance[i];
	const double per_sample = 0.01 + 0.01 * (double)pl_rng_below(rng, 5);
	const double least = 0.01 * (double)(1 + pl_rng_below(rng, 10));
	const double most = (double)(4 << pl_rng_below(rng, 3));

	in->name = names[i];
	in->ranks = 1 + pl_rng_below(rng, 2);
	in->straggler = 0.02 * (double)pl_rng_below(rng, 4);
	for (size_t k = 0; k < 2; k++) {
		w->batch[i][k] = k ? most : (double)in->ranks;
		w->forward_s[i][k] = least + per_sample * w->batch[i][k];
		w->backward_s[i][k] = 2 * w->forward_s[i][k];
	}
	for (size_t l = 0; l < LAYERS; l++)
		w->finish[i][l] = pl_rng_double(rng);
	in->forward = (struct pl_profile_curve){2, w->batch[i], w->forward_s[i]};
	in->backward = (struct pl_profile_curve){2, w->batch[i], w->backward_s[i]};
	in->finish = w->finish[i];
	w->offer[i] = (struct pl_offer){.instance = names[i],
					.region = (char *)(uintptr_t) "",
					.zone = (char *)(uintptr_t) ""};
	for (int k = 0; k < PL_MARKET_KINDS; k++) {
		w->offer[i].price[k] =
			pl_rng_below(rng, 4) ? 0.25 * (double)(1 + pl_rng_below(rng, 16)) : NAN;
		w->offer[i].available[k] = 1 + pl_rng_below(rng, 3);
	}
	if (isnan(w->offer[i].price[0]) && isnan(w->offer[i].price[1]))
		w->offer[i].price[1] = 1;
}

static void fill(struct world *w, struct pl_rng *rng)
{
	const struct pl_market_rule rule = {.hub = names[0]};
	const size_t n_types = 1 + pl_rng_below(rng, TYPES_MAX);
	struct pl_market all;
	struct pl_err err;

	*w = (struct world){0};
	for (size_t l = 0; l < LAYERS; l++)
		w->layer[l] =
			(struct pl_profile_layer){.bytes = pl_rng_below(rng, 1000),
						  .probability = pl_rng_below(rng, 4) ? 1 : 0.5};
	for (size_t i = 0; i < n_types; i++)
		fill_type(w, i, rng);
	w->profile = (struct pl_profile){.model = names[0],
					 .layer = w->layer,
					 .n_layers = LAYERS,
					 .instance = w->instance,
					 .n_instances = n_types};
	w->catalogue = (struct pl_catalogue){.file = names[0], .offer = w->offer, .n = n_types};
	w->options = (struct pl_iteration_options){
		.draws = 20,
		.seed = pl_rng_u64(rng),
		.at_once = pl_rng_below(rng, 3),
		.round_up = pl_rng_below(rng, 4) == 0,
	};
	if (pl_rng_below(rng, 3) == 0)
		w->options.buckets = (struct pl_bucket_rule){100, 600};
	w->bytes_per_s = exp2(6 + 10 * pl_rng_double(rng));
	w->ranks_max = 4 + pl_rng_below(rng, 20);
	w->goal = (struct pl_srift_goal){
		.objective = pl_rng_below(rng, 2) ? PL_OBJECTIVE_TIME : PL_OBJECTIVE_COST,
		.batch = 1 + pl_rng_below(rng, 40),
		.iterations = 1 + pl_rng_below(rng, 100),
		.time_limit_s = INFINITY,
		.budget = INFINITY,
	};
	if (pl_market_init(&all, &w->profile, &w->catalogue, &rule, &err))
		printf("Bail out! %s\n", err.text);
	/* hubs beside every choice, but where there are too few for them */
	pl_market_take_hubs(&w->market, &all, rule.hub, pl_rng_below(rng, 3));
}

/* All choices there are. */
struct brute {
	const struct world *w;
	const struct pl_comm *comm;
	struct pl_quote now, best;
	bool found;
	size_t n, n_allowed;
	struct pl_front front;
	struct pl_sim *sim;
	struct pl_least least;
	struct pl_rng *rng;
	size_t n_low; /* choices below what they take at least */
};

/* Bounds around what was simulated are not above it. */
static void check_least(struct brute *b, const struct pl_iteration *it, size_t ranks)
{
	const double t = it->forward_s + it->backward_s;
	const size_t more = pl_rng_below(b->rng, 3);
	const size_t less = pl_rng_below(b->rng, 2);
	const struct pl_least_range range = {
		.compute_s = {t * (1 - 0.1 * pl_rng_double(b->rng)),
			      t * (1 + 0.1 * pl_rng_double(b->rng))},
		.ranks = {ranks > less ? ranks - less : ranks, ranks + more},
	};
	size_t available[PL_MARKET_TYPES_MAX];
	struct pl_within within;
	double seconds;

	pl_search_all(&b->w->market, available);
	if (pl_within_init(&within, b->sim, available, t) ||
	    pl_least_seconds(&b->least, &range, INFINITY, &seconds, NULL)) {
		b->n_low++;
		return;
	}
	b->n_low += seconds > it->seconds * (1 + 1e-12) ||
		    pl_within_ranks(&within, b->w->goal.batch) > (double)ranks * (1 + 1e-12) ||
		    pl_within_per_hour(&within, b->w->goal.batch) >
			    pl_choice_per_hour(&b->w->market, &b->now.choice) * (1 + 1e-12);
}

/* By pl_iterate() itself: nothing is kept, nothing is bounded. */
static void price(struct brute *b)
{
	const struct world *w = b->w;
	struct pl_selection_part part[TYPES_MAX];
	struct pl_selection sel = {.part = part};
	struct pl_iteration it = {0};

	b->n++;
	pl_choice_select(&w->market, &b->now.choice, &sel);
	if (pl_iterate(&it, &w->profile, &sel, b->comm, &w->options, NULL))
		return;
	b->now.seconds = it.seconds;
	b->now.per_hour = pl_choice_per_hour(&w->market, &b->now.choice);
	check_least(b, &it, pl_selection_ranks(&sel));
	pl_iteration_fini(&it);
	if (!pl_goal_allows(&w->goal, b->now.seconds, b->now.per_hour))
		return;
	b->n_allowed++;
	if (!b->found || pl_quote_better(&w->market, &w->goal, &b->now, &b->best))
		b->best = b->now;
	b->found = true;
	pl_front_add(&b->front, &b->now);
}

static void enumerate(struct brute *b, size_t type, uint64_t left)
{
	const struct pl_market_type *t = &b->w->market.type[type];

	if (left == 0)
		price(b);
	if (left == 0 || type == b->w->market.n_types)
		return;
	enumerate(b, type + 1, left);
	for (size_t k = 0; k < t->n_batches; k++)
		for (size_t c = 1; c <= t->available && c * t->batch[k] <= left; c++) {
			b->now.choice.count[type] = (uint32_t)c;
			b->now.choice.batch[type] = (uint8_t)k;
			enumerate(b, type + 1, left - c * t->batch[k]);
			b->now.choice.count[type] = 0;
		}
}

/* Counts of what did not agree. */
struct faults {
	size_t feasible, value, choice, bound, exact, front, eager, work;
	size_t longer, least, boxes, n_boxes, n_best, n_programs, n_better;
};

static bool same_value(const struct world *w, const struct pl_quote *a, const struct pl_quote *b)
{
	const double x = pl_goal_value(&w->goal, a->seconds, a->per_hour);
	const double y = pl_goal_value(&w->goal, b->seconds, b->per_hour);

	return fabs(x - y) <= 1e-12 * y;
}

static void compare_exact(struct faults *f, struct pl_sim *sim, const struct brute *b,
			  const size_t *available)
{
	const struct pl_effort all = {UINT64_MAX, INT64_MAX};
	const struct world *w = b->w;
	const struct pl_effort usual = {500000, INT64_MAX};
	struct pl_srift_answer a = {0}, front = {0}, eager = {0};

	pl_search(&a, sim, &w->goal, available, &all, false, NULL);
	pl_search_eager(&eager, sim, &w->goal, 2, &usual, NULL);
	f->longer += (double)eager.work > 1.1 * (double)a.work;
	pl_answer_fini(&eager);
	pl_search(&front, sim, &w->goal, available, &all, true, NULL);
	f->exact += !a.exact || !front.exact;
	f->feasible += a.found != b->found;
	if (a.found && b->found) {
		f->value += !same_value(w, &a.best, &b->best);
		f->choice += pl_quote_better(&w->market, &w->goal, &b->best, &a.best);
		f->bound += a.bound > pl_goal_value(&w->goal, a.best.seconds, a.best.per_hour);
	} else {
		f->bound += a.bound < INFINITY;
	}
	f->front += front.front.n != b->front.n;
	for (size_t i = 0; i < front.front.n && i < b->front.n; i++) {
		const struct pl_quote *x = &front.front.quote[i];
		const struct pl_quote *y = &b->front.quote[i];

		f->front += fabs(x->seconds / y->seconds - 1) > 1e-12 ||
			    fabs(x->per_hour / y->per_hour - 1) > 1e-12;
	}
	pl_answer_fini(&a);
	pl_answer_fini(&front);
}

/* With too little work: never what is not allowed, never a bound too high. */
static void compare_hasty(struct faults *f, struct pl_sim *sim, const struct brute *b,
			  const size_t *available, uint64_t work)
{
	const struct pl_effort effort = {work, INT64_MAX};
	const struct world *w = b->w;
	struct pl_srift_answer a = {0}, eager = {0}, *v[2] = {&a, &eager};

	pl_search(&a, sim, &w->goal, available, &effort, false, NULL);
	pl_search_eager(&eager, sim, &w->goal, 2, &effort, NULL);
	for (size_t i = 0; i < 2; i++) {
		const struct pl_quote *q = &v[i]->best;
		const double best =
			b->found ? pl_goal_value(&w->goal, b->best.seconds, b->best.per_hour)
				 : INFINITY;

		f->work += v[i]->exact ? b->found && !v[i]->found : v[i]->work < work;
		f->bound += v[i]->bound > best * (1 + 1e-12);
		f->exact += v[i]->exact && v[i]->found && !same_value(w, q, &b->best);
		f->eager += v[i]->found &&
			    (!b->found || !pl_goal_allows(&w->goal, q->seconds, q->per_hour) ||
			     pl_quote_better(&w->market, &w->goal, q, &b->best));
	}
	pl_answer_fini(&a);
	pl_answer_fini(&eager);
}

/* Boxes, after a search that had no time: what brute force has is within the bound, and mostly
 * found. */
static void compare_boxes(struct faults *f, struct pl_sim *sim, const struct brute *b,
			  const size_t *available)
{
	const struct pl_effort none = {1, INT64_MAX}, some = {3000, INT64_MAX};
	const struct world *w = b->w;
	struct pl_srift_answer a = {0};
	double before = INFINITY, after = INFINITY, best = INFINITY;

	pl_search(&a, sim, &w->goal, available, &none, false, NULL);
	if (a.found)
		before = pl_goal_value(&w->goal, a.best.seconds, a.best.per_hour);
	if (pl_boxes_search(&a, sim, &w->goal, available, &some, NULL))
		f->boxes++;
	if (a.found)
		after = pl_goal_value(&w->goal, a.best.seconds, a.best.per_hour);
	if (b->found)
		best = pl_goal_value(&w->goal, b->best.seconds, b->best.per_hour);
	f->boxes += a.bound > best * (1 + 1e-12) || after > before || after < best * (1 - 1e-12) ||
		    (a.found && !pl_goal_allows(&w->goal, a.best.seconds, a.best.per_hour));
	f->n_boxes += b->found;
	f->n_best += b->found && after <= best * (1 + 1e-12);
	f->n_programs += a.programs;
	f->n_better += a.by_program;
	pl_answer_fini(&a);
}

/* The same market without limits, and with limits that leave some of the choices. */
static void try_world(struct faults *f, struct world *w, struct pl_rng *rng, size_t *n_choices)
{
	const struct pl_comm comm = {w, bandwidth, cap};
	size_t available[PL_MARKET_TYPES_MAX];
	struct pl_sim sim;

	if (pl_sim_init(&sim, &w->market, &comm, 1, &w->options, NULL))
		return;
	pl_search_all(&w->market, available);
	for (int i = 0; i < 3; i++) {
		struct brute b = {.w = w, .comm = &comm, .sim = &sim, .rng = rng};

		f->least += pl_least_init(&b.least, &sim, NULL) != 0;
		enumerate(&b, 0, w->goal.batch);
		*n_choices += b.n_allowed;
		compare_exact(f, &sim, &b, available);
		compare_hasty(f, &sim, &b, available, 1 + pl_rng_below(rng, 99));
		if (pl_rng_below(rng, 4) == 0)
			compare_boxes(f, &sim, &b, available);
		f->least += b.n_low;
		pl_least_fini(&b.least);
		if (b.found) {
			const double t = pl_goal_seconds(&w->goal, b.best.seconds);

			w->goal.time_limit_s = t * (0.8 + pl_rng_double(rng));
			w->goal.budget =
				pl_goal_dollars(&w->goal, b.best.seconds, b.best.per_hour) *
				(0.8 + pl_rng_double(rng));
		}
		pl_front_fini(&b.front);
	}
	pl_sim_fini(&sim);
}

static void test_random(void)
{
	struct world *w = malloc(sizeof(*w));
	struct faults f = {0};
	struct pl_rng rng;
	size_t n_choices = 0;

	pl_rng_init(&rng, 8, 0);
	for (int i = 0; w && i < 1200; i++) {
		fill(w, &rng);
		try_world(&f, w, &rng, &n_choices);
	}
	free(w);
	printf("# %zu choices allowed\n", n_choices);
	ok(n_choices > 10000, "there were choices");
	is_int((int64_t)f.feasible, 0, "found when there is one");
	is_int((int64_t)f.value, 0, "as good as brute force");
	is_int((int64_t)f.choice, 0, "and preferred among what is as good");
	is_int((int64_t)f.exact, 0, "exact where it says so");
	is_int((int64_t)f.bound, 0, "no bound is above the best");
	is_int((int64_t)f.front, 0, "the Pareto front is that of brute force");
	is_int((int64_t)f.eager, 0, "in haste: always allowed, never better");
	is_int((int64_t)f.longer, 0, "eager takes 1.1 times the work at most");
	is_int((int64_t)f.work, 0, "it stops when the work is done");
	is_int((int64_t)f.least, 0, "no choice is below what its like take");
	is_int((int64_t)f.boxes, 0, "boxes: no bound is above the best");
	printf("# boxes: the best of %zu in %zu, %zu programmes, %zu choices of theirs\n",
	       f.n_boxes, f.n_best, f.n_programs, f.n_better);
	ok(f.n_best > f.n_boxes / 2, "and most of the best are found");
	ok(!pl_program_built() || f.n_better > 100, "programmes find what was not found");
}

/* All machines of the first type are hubs. */
static void test_used_up(void)
{
	struct world *w = malloc(sizeof(*w));
	struct pl_within within = {0};
	struct pl_program_answer answer = {.found = false};
	struct pl_rng rng;

	pl_rng_init(&rng, 9, 0);
	do
		fill(w, &rng);
	while (w->market.n_types < 2);
	w->market.type[0].available = 0;
	w->market.type[0].n_stocks = 1;
	w->market.type[0].stock[0].available = 0;
	within.market = &w->market;
	within.most[1][0] = 1;
	const struct pl_integer_program program = {
		.within = &within,
		.samples = w->market.type[1].batch[0],
		.by_price = false,
		.ranks_max = 1000,
		.per_hour_max = INFINITY,
		.nodes_max = 1000,
		.deadline_ns = INT64_MAX,
	};
	ok(!pl_program_built() || (pl_program_solve(&answer, &program, NULL) == 0 && answer.found),
	   "a type whose machines are all hubs: the others are found");
	free(w);
}

int main(void)
{
	test_random();
	test_used_up();
	return done_testing();
}
