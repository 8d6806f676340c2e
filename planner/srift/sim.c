/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - times of many choices of machines: pl_iterate(), with what repeats kept */
#include "config.h"

#include "planner/srift/sim.h"

#include "planner/srift/comm-memo.h"
#include "src/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BYTES ((size_t)64 << 20)
#define SLOTS_MAX 16384
#define LEVELS 32 /* powers of two of machines */

/* Slowness of so many machines of a type. */
struct slot {
	size_t count;   /* 0: empty */
	double *factor; /* [draws] */
};

struct pl_sim_memo {
	struct slot slot[SLOTS_MAX];
	size_t of_each; /* type so many slots: types are never in each other's way */
	struct pl_comm_memo comm[PL_MARKET_TYPES_MAX];
	size_t n_comms;
	double least[PL_MARKET_TYPES_MAX]
		    [LEVELS]; /* mean slowness; NaN: not yet */
	double least_exchange_s[PL_SIM_RANKS_MAX + 2];
	struct pl_selection_part part[PL_MARKET_TYPES_MAX];
};

/* Bytes of the layers that every iteration exchanges, and of the largest of them. */
static double count_bytes(const struct pl_sim *sim, double *largest)
{
	const struct pl_profile *p = sim->market->profile;
	double sum = 0;

	*largest = 0;
	for (size_t i = 0; i < p->n_layers; i++) {
		const double bytes = (double)p->layer[i].bytes;

		if (!sim->options->buckets.bytes && p->layer[i].probability < 1)
			continue;
		sum += bytes;
		*largest = fmax(*largest, bytes);
	}
	return sum;
}

/* All together pass no faster than the cap, nor one alone than on its own. 1, 0 where
 * the model does not know so many ranks, -1: no memory. */
static int least_exchange(struct pl_sim *sim, struct pl_comm_memo *comm,
			  size_t n, double sum, double largest, double *seconds,
			  struct pl_err *err)
{
	double cap = sim->options->cap_bytes_per_s, b;
	int known = 1;

	if (!(cap > 0))
		known = pl_comm_memo_cap(comm, n, &cap, err);
	*seconds = 0;
	if (known <= 0 || sum <= 0)
		return known;
	*seconds = pl_bus_bytes(sum, n) / cap;
	if (sim->options->buckets.bytes || sim->options->round_up)
		return 1;
	known = pl_comm_memo_bandwidth(comm, largest, n, &b, err);
	if (known > 0)
		*seconds = fmax(*seconds, pl_bus_bytes(largest, n) / b);
	return known;
}

/* By the fastest of the networks. -1 with @err set: no memory. */
static int least_of_all(struct pl_sim *sim, size_t n, double sum,
			double largest, double *least, struct pl_err *err)
{
	for (size_t i = 0; i < sim->memo->n_comms; i++) {
		double seconds;
		const int known = least_exchange(sim, &sim->memo->comm[i], n,
						 sum, largest, &seconds, err);

		if (known < 0)
			return -1;
		if (known > 0)
			*least = fmin(*least, seconds);
	}
	return 0;
}

static int bound_exchanges(struct pl_sim *sim, struct pl_err *err)
{
	double *least = sim->memo->least_exchange_s;
	double largest, sum = count_bytes(sim, &largest);
	size_t most = 0;

	for (size_t i = 0; i < sim->market->n_types; i++)
		most += sim->market->type[i].available *
			sim->market->type[i].instance->ranks;
	for (size_t n = 0; n <= PL_SIM_RANKS_MAX + 1; n++)
		least[n] = INFINITY;
	for (size_t n = 2; n <= PL_SIM_RANKS_MAX && n <= most; n++)
		if (least_of_all(sim, n, sum, largest, &least[n], err))
			return -1;
	least[0] = least[1] = 0;
	for (size_t n = PL_SIM_RANKS_MAX; n > 1; n--)
		least[n] = fmin(least[n], least[n + 1]);
	return 0;
}

int pl_sim_init(struct pl_sim *sim, const struct pl_market *market,
		const struct pl_comm *comm, size_t n_comms,
		const struct pl_iteration_options *options, struct pl_err *err)
{
	struct pl_sim_memo *memo = pl_array_create(1, sizeof(*memo));
	const size_t fit = KEPT_BYTES / (options->draws * sizeof(double));

	*sim = (struct pl_sim){.market = market,
			       .options = options,
			       .memo = memo,
			       .base = pl_iteration_base(options)};
	if (!memo)
		return pl_err_nomem(err);
	memo->of_each = (fit < SLOTS_MAX ? fit : SLOTS_MAX) / market->n_types;
	if (memo->of_each == 0)
		memo->of_each = 1;
	memo->n_comms = n_comms;
	for (size_t i = 0; i < n_comms; i++)
		memo->comm[i].given = comm[i];
	for (size_t i = 0; i < PL_MARKET_TYPES_MAX; i++)
		for (size_t k = 0; k < LEVELS; k++)
			memo->least[i][k] = NAN;
	if (bound_exchanges(sim, err)) {
		pl_sim_fini(sim);
		return -1;
	}
	return 0;
}

void pl_sim_fini(struct pl_sim *sim)
{
	for (size_t i = 0; sim->memo && i < SLOTS_MAX; i++)
		free(sim->memo->slot[i].factor);
	for (size_t i = 0; sim->memo && i < sim->memo->n_comms; i++)
		pl_comm_memo_fini(&sim->memo->comm[i]);
	free(sim->memo);
	memset(sim, 0, sizeof(*sim));
}

double pl_sim_least_exchange(const struct pl_sim *sim, size_t ranks)
{
	return ranks > PL_SIM_RANKS_MAX ? INFINITY
					: sim->memo->least_exchange_s[ranks];
}

const double *pl_sim_slowness(struct pl_sim *sim, size_t type, size_t count)
{
	struct pl_sim_memo *memo = sim->memo;
	struct slot *slot =
		&memo->slot[type * memo->of_each + count % memo->of_each];
	const struct pl_selection_part part = {
		.instance = sim->market->type[type].instance, .count = count};

	if (!slot->factor)
		slot->factor = pl_array_create(sim->options->draws,
					       sizeof(*slot->factor));
	if (!slot->factor || slot->count == count)
		return slot->factor;
	slot->count = count;
	pl_part_slowness(slot->factor, sim->options->draws, &part, sim->base);
	return slot->factor;
}

double pl_sim_least_slowness(struct pl_sim *sim, size_t type, size_t count)
{
	const int level = 63 - __builtin_clzll(count);
	double *least = &sim->memo->least[type][level];
	const double *factor;
	double sum = 0;

	if (!isnan(*least))
		return *least;
	factor = pl_sim_slowness(sim, type, (size_t)1 << level);
	if (!factor)
		return NAN;
	for (size_t k = 0; k < sim->options->draws; k++)
		sum += factor[k];
	*least = sum / (double)sim->options->draws;
	return *least;
}

static int slowest(struct pl_sim *sim, const struct pl_quote *q,
		   const struct pl_selection *sel, struct pl_slowest *slowest)
{
	const double *factor[PL_MARKET_TYPES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < sim->market->n_types; i++) {
		const size_t count = q->choice.count[i];

		if (count == 0)
			continue;
		factor[n] = pl_sim_slowness(sim, i, count);
		if (!factor[n++])
			return -1;
	}
	return pl_slowest_take(slowest, sel, factor, sim->options->draws);
}

/* The slowest network of the types chosen. */
struct mixed {
	struct pl_comm_memo *comm[PL_MARKET_TYPES_MAX];
	size_t n;
};

static int mixed_bandwidth(const void *model, double bytes, size_t n_ranks,
			   double *bytes_per_s, struct pl_err *err)
{
	const struct mixed *mixed = model;
	double b;

	*bytes_per_s = INFINITY;
	for (size_t i = 0; i < mixed->n; i++) {
		if (pl_comm_memo_ask(mixed->comm[i], bytes, n_ranks, &b, err))
			return -1;
		*bytes_per_s = fmin(*bytes_per_s, b);
	}
	return 0;
}

static int mixed_cap(const void *model, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	return mixed_bandwidth(model, 0, n_ranks, bytes_per_s, err);
}

static void mix(const struct pl_sim *sim, const struct pl_choice *c,
		struct mixed *mixed)
{
	mixed->n = 0;
	for (size_t i = 0; i < sim->memo->n_comms; i++)
		if (sim->memo->n_comms == 1 || c->count[i] > 0)
			mixed->comm[mixed->n++] = &sim->memo->comm[i];
}

int pl_sim_quote(struct pl_sim *sim, struct pl_quote *q, struct pl_err *err)
{
	struct pl_selection sel = {.part = sim->memo->part};
	struct mixed mixed;
	const struct pl_comm comm = {.model = &mixed,
				     .bandwidth = mixed_bandwidth,
				     .cap = mixed_cap};
	struct pl_slowest slow;
	struct pl_iteration it;
	struct pl_err fault = {0};
	int rc;

	pl_choice_select(sim->market, &q->choice, &sel);
	q->per_hour = pl_choice_per_hour(sim->market, &q->choice);
	if (pl_selection_ranks(&sel) > PL_SIM_RANKS_MAX)
		return 0;
	mix(sim, &q->choice, &mixed);
	if (slowest(sim, q, &sel, &slow))
		return pl_err_nomem(err);
	rc = pl_iterate_slowest(&it, sim->market->profile, &sel, &slow, &comm,
				sim->options, &fault);
	free(slow.part_s);
	sim->n_simulated++;
	if (rc == 0) {
		q->seconds = it.seconds;
		pl_iteration_fini(&it);
		return 1;
	}
	if (fault.code == PL_EUSAGE)
		return 0;
	if (err)
		*err = fault;
	return -1;
}
