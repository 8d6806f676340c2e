/* SPDX-License-Identifier: BSD-3-Clause */
/* srift-recommend.c - how fast the best of many choices of machines is found */
#include "config.h"

#include "bench/options.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "planner/srift/search/boxes.h"
#include "planner/srift/search/policies.h"
#include "planner/srift/search/search.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "srift-recommend"
#define TYPES_MAX 64
#define BATCHES_MAX 20

static const char help[] =
	"usage: srift-recommend [OPTION]...\n"
	"Searches random markets for the cheapest and the fastest choice of machines, and\n"
	"prints seconds, what was proved, and how many integer programmes were solved; then,\n"
	"over these seconds and this value, those of the search alone, what it proves, and\n"
	"those of the paper's eager mode with the same work, and the values of CAP and TAP.\n"
	"Small markets first, where all choices can be simulated: the time of that over the\n"
	"search's.\n"
	"\n"
	"  --types=N --machines=N --batches=N  the large market (default 20, 64, 12)\n"
	"  --layers=N     of the model (default 60)\n"
	"  --straggler=N  per mille (default 36)\n"
	"  --markets=N    of each kind (default 3)\n"
	"  --work=N       (default 500000)\n"
	"  --seed=N       (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t n_types, n_machines, n_batches, n_layers, straggler, n_markets;
	int64_t work, seed;
};

/* A market of machines that are faster or cheaper by up to eight times. */
struct world {
	struct pl_profile_layer *layer;
	struct pl_profile_instance instance[TYPES_MAX];
	char name[TYPES_MAX][8];
	double batch[TYPES_MAX][4], forward_s[TYPES_MAX][4];
	double backward_s[TYPES_MAX][4];
	double *finish;
	struct pl_offer offer[TYPES_MAX];
	struct pl_profile profile;
	struct pl_catalogue catalogue;
	struct pl_market market;
	struct pl_iteration_options options;
	struct pl_srift_goal goal;
};

static char none[] = "";

/* 1.2 GB/s a card, alpha and beta; a little less with every rank. */
static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const double n = (double)n_ranks;

	(void)model, (void)err;
	*bytes_per_s = 1.2e9 * bytes / (bytes + 20e3 * n) / (1 + 0.001 * n);
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	return bandwidth(model, 1e9, n_ranks, bytes_per_s, err);
}

static void fill_type(struct world *w, size_t i, const struct args *args, struct pl_rng *rng)
{
	struct pl_profile_instance *in = &w->instance[i];
	const double speed = exp2(3 * pl_rng_double(rng));
	const double most = exp2((double)args->n_batches - 1);

	snprintf(w->name[i], sizeof(w->name[i]), "t%zu", i);
	*in = (struct pl_profile_instance){
		.name = w->name[i],
		.ranks = 1,
		.straggler = (double)args->straggler / 1000,
		.finish = w->finish,
		.forward = {4, w->batch[i], w->forward_s[i]},
		.backward = {4, w->batch[i], w->backward_s[i]},
	};
	for (size_t k = 0; k < 4; k++) {
		w->batch[i][k] = k ? most * (double)k / 3 : 1;
		w->forward_s[i][k] =
			(0.02 + 1e-3 * w->batch[i][k]) / speed * (1 + 0.05 * pl_rng_double(rng));
		w->backward_s[i][k] = 2 * w->forward_s[i][k];
	}
	w->offer[i] = (struct pl_offer){
		.instance = w->name[i],
		.region = none,
		.zone = none,
		.price = {0.5 * speed * (0.7 + 0.6 * pl_rng_double(rng)), NAN},
		.available = {(size_t)args->n_machines, 0},
	};
}

static int fill(struct world *w, const struct args *args, uint64_t number, struct pl_err *err)
{
	const struct pl_market_rule rule = {0};
	const size_t n_layers = (size_t)args->n_layers;
	const size_t n_types = (size_t)args->n_types;
	struct pl_rng rng;

	pl_rng_init(&rng, (uint64_t)args->seed, number);
	w->layer = pl_array_create(n_layers, sizeof(*w->layer));
	w->finish = pl_array_create(n_layers, sizeof(*w->finish));
	if (!w->layer || !w->finish)
		return pl_err_nomem(err);
	for (size_t l = 0; l < n_layers; l++) {
		w->layer[l].bytes = 4096 << pl_rng_below(&rng, 11);
		w->layer[l].probability = 1;
		w->finish[l] = 1 - (double)l / (double)n_layers;
	}
	for (size_t i = 0; i < n_types; i++)
		fill_type(w, i, args, &rng);
	w->profile = (struct pl_profile){.model = none,
					 .layer = w->layer,
					 .n_layers = n_layers,
					 .instance = w->instance,
					 .n_instances = n_types};
	w->catalogue = (struct pl_catalogue){.file = none, .offer = w->offer, .n = n_types};
	w->options = (struct pl_iteration_options){.draws = 1000, .seed = (uint64_t)args->seed};
	w->goal =
		(struct pl_srift_goal){.batch = (uint64_t)args->n_machines
						<< (args->n_batches > 2 ? args->n_batches - 2 : 0),
				       .iterations = 1000,
				       .time_limit_s = INFINITY,
				       .budget = INFINITY};
	return pl_market_init(&w->market, &w->profile, &w->catalogue, &rule, err);
}

static void fini(struct world *w)
{
	free(w->layer);
	free(w->finish);
	free(w);
}

static double seconds_since(int64_t start_ns)
{
	return 1e-9 * (double)(pl_clock_ns() - start_ns);
}

/* All choices, one after the other. */
struct brute {
	struct pl_sim *sim;
	const struct pl_srift_goal *goal;
	struct pl_quote now;
	double best;
	size_t n;
};

static int simulate_all(struct brute *b, size_t i, uint64_t left, struct pl_err *err)
{
	const struct pl_market *m = b->sim->market;
	const struct pl_market_type *type = &m->type[i];

	if (left == 0) {
		const int known = pl_sim_quote(b->sim, &b->now, err);

		b->n++;
		if (known > 0)
			b->best = fmin(b->best,
				       pl_goal_value(b->goal, b->now.seconds, b->now.per_hour));
		return known < 0 ? -1 : 0;
	}
	if (i == m->n_types)
		return 0;
	if (simulate_all(b, i + 1, left, err))
		return -1;
	for (size_t k = 0; k < type->n_batches; k++)
		for (size_t c = 1; c <= type->available && c * type->batch[k] <= left; c++) {
			b->now.choice.count[i] = (uint32_t)c;
			b->now.choice.batch[i] = (uint8_t)k;
			if (simulate_all(b, i + 1, left - c * type->batch[k], err))
				return -1;
			b->now.choice.count[i] = 0;
		}
	return 0;
}

/* Value of a rule of thumb over the best; NaN: it cannot distribute the samples. */
static double policy_over(enum pl_policy policy, struct pl_sim *sim,
			  const struct pl_srift_goal *goal, double best)
{
	struct pl_quote q;

	if (!pl_policy_choose(policy, sim->market, goal->batch, &q.choice) ||
	    pl_sim_quote(sim, &q, NULL) <= 0)
		return NAN;
	return pl_goal_value(goal, q.seconds, q.per_hour) / best;
}

/* One way to search, timed. */
struct way {
	int (*search)(struct pl_srift_answer *a, struct pl_sim *sim,
		      const struct pl_srift_goal *goal, const size_t *available,
		      const struct pl_effort *effort, bool front,
		      struct pl_err *err); /* NULL: eager */
	struct pl_srift_answer a;
	double took_s, value;
};

/* Each with a simulator of its own: what one has drawn is not there for the next. */
static int run(struct way *way, struct world *w, const struct args *args, struct pl_err *err)
{
	const struct pl_comm comm = {NULL, bandwidth, cap};
	const struct pl_effort effort = {(uint64_t)args->work, INT64_MAX};
	const int64_t start_ns = pl_clock_ns();
	size_t available[PL_MARKET_TYPES_MAX];
	struct pl_sim sim;
	int rc;

	if (pl_sim_init(&sim, &w->market, &comm, 1, &w->options, err))
		return -1;
	pl_search_all(&w->market, available);
	rc = way->search ? way->search(&way->a, &sim, &w->goal, available, &effort, false, err)
			 : pl_search_eager(&way->a, &sim, &w->goal, PL_EAGER_STEP, &effort, err);
	way->took_s = seconds_since(start_ns);
	way->value = way->a.found
			     ? pl_goal_value(&w->goal, way->a.best.seconds, way->a.best.per_hour)
			     : NAN;
	pl_sim_fini(&sim);
	return rc;
}

static double gap(const struct way *way)
{
	return 100 * (1 - way->a.bound / way->value);
}

static int compare_all(const struct way *way, struct world *w, struct pl_sim *sim,
		       struct pl_err *err)
{
	struct brute b = {.sim = sim, .goal = &w->goal, .best = INFINITY};
	const int64_t start_ns = pl_clock_ns();

	if (simulate_all(&b, 0, w->goal.batch, err))
		return -1;
	printf(" all %zu: %.1f times; value %.9f\n", b.n, seconds_since(start_ns) / way->took_s,
	       b.best / way->value);
	return 0;
}

static int compare_others(const struct way *way, struct world *w, struct pl_sim *sim,
			  const struct args *args, struct pl_err *err)
{
	struct way alone = {.search = pl_search}, eager = {.search = NULL};
	int rc = -1;

	if (run(&alone, w, args, err) == 0 && run(&eager, w, args, err) == 0) {
		printf(" alone %.2f times, value %.4f, within %.2f %%; eager %.2f times, value "
		       "%.4f; CAP %.4f, TAP %.4f\n",
		       alone.took_s / way->took_s, alone.value / way->value, gap(&alone),
		       eager.took_s / way->took_s, eager.value / way->value,
		       policy_over(PL_CAP, sim, &w->goal, way->value),
		       policy_over(PL_TAP, sim, &w->goal, way->value));
		rc = 0;
	}
	pl_answer_fini(&alone.a);
	pl_answer_fini(&eager.a);
	return rc;
}

static int measure(struct world *w, const struct args *args, bool small, struct pl_err *err)
{
	const struct pl_comm comm = {NULL, bandwidth, cap};
	struct way way = {.search = pl_search_bounded};
	struct pl_sim sim;
	int rc;

	if (run(&way, w, args, err))
		return -1;
	printf("%5zu %8lld %7lld %-4s %8.3f %-6s %8.4f %9llu %8llu", w->market.n_types,
	       (long long)args->n_machines, (long long)args->n_batches,
	       w->goal.objective == PL_OBJECTIVE_TIME ? "time" : "cost", way.took_s,
	       way.a.exact ? "exact" : "bound", gap(&way), (unsigned long long)way.a.simulated,
	       (unsigned long long)way.a.programs);
	if (pl_sim_init(&sim, &w->market, &comm, 1, &w->options, err))
		return -1;
	rc = small ? compare_all(&way, w, &sim, err) : compare_others(&way, w, &sim, args, err);
	fflush(stdout);
	pl_answer_fini(&way.a);
	pl_sim_fini(&sim);
	return rc;
}

static int measure_markets(const struct args *args, bool small, struct pl_err *err)
{
	for (uint64_t k = 0; k < 2 * (uint64_t)args->n_markets; k++) {
		struct world *w = pl_array_create(1, sizeof(*w));
		int rc = w ? fill(w, args, k / 2, err) : pl_err_nomem(err);

		if (rc == 0) {
			w->goal.objective = k % 2 ? PL_OBJECTIVE_TIME : PL_OBJECTIVE_COST;
			rc = measure(w, args, small, err);
		}
		if (w)
			fini(w);
		if (rc)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct args args = {20, 64, 12, 60, 36, 3, 500000, 1};
	struct args few;
	const struct bench_option options[] = {
		{"types", .whole = &args.n_types, .least = 1, .most = TYPES_MAX},
		{"machines", .whole = &args.n_machines, .least = 1, .most = 100000},
		{"batches", .whole = &args.n_batches, .least = 1, .most = BATCHES_MAX},
		{"layers", .whole = &args.n_layers, .least = 1, .most = 100000},
		{"straggler", .whole = &args.straggler, .least = 0, .most = 1000},
		{"markets", .whole = &args.n_markets, .least = 1, .most = 1000},
		{"work", .whole = &args.work, .least = 1, .most = INT64_MAX},
		{"seed", .whole = &args.seed, .least = 1, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	few = args;
	few.n_types = 3;
	few.n_machines = 8;
	few.n_batches = 6;
	printf("%5s %8s %7s %-4s %8s %-6s %8s %9s %8s\n", "types", "machines", "batches", "goal",
	       "seconds", "proved", "within %", "simulated", "programs");
	if (measure_markets(&few, true, &err) || measure_markets(&args, false, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
