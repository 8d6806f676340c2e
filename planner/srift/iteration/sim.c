/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - times of many choices of machines: pl_iterate(), with a memory of what repeats */
#include "config.h"

#include "planner/srift/iteration/sim.h"

#include "base/mem.h"
#include "planner/srift/comm/comm-memo.h"

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
	size_t of_each; /* type so many slots: types are never in each other's
			   way */
	struct pl_comm_memo comm[PL_MARKET_TYPES_MAX];
	size_t n_comms;
	double least[PL_MARKET_TYPES_MAX][LEVELS]; /* mean slowness; NaN: not yet */
	/* By ranks, of so many or more. The exchange begins with the backward pass at the earliest,
	 * and its last layer's no earlier than it is ready. */
	double least_exchange_s[PL_SIM_RANKS_MAX + 2];
	double least_last_s[PL_SIM_RANKS_MAX + 2];
	bool unknown[PL_SIM_RANKS_MAX + 1]; /* to a network, by ranks */
	double forward_share;               /* of both passes, at least, in any pair */
	double last_share;                  /* of these, when the last layer is ready,
					     * at least */
	size_t last;                        /* that layer; n_layers: none is sure to be exchanged */
	struct pl_selection_part part[PL_MARKET_TYPES_MAX];
};

/* Does every iteration exchange it? */
static bool is_sure(const struct pl_sim *sim, size_t layer)
{
	const struct pl_profile_layer *l = &sim->market->profile->layer[layer];

	return l->bytes && (sim->options->buckets.bytes || l->probability >= 1);
}

/* The least share of the backward pass at which a layer is ready, over all types. */
static double least_finish(const struct pl_market *m, size_t layer)
{
	double least = 1;

	for (size_t i = 0; i < m->n_types; i++)
		least = fmin(least, m->type[i].instance->finish[layer]);
	return least;
}

void pl_sim_forward_shares(const struct pl_market *m, double share[2])
{
	share[0] = 1;
	share[1] = 0;
	for (size_t i = 0; i < m->n_types; i++)
		for (size_t k = 0; k < m->type[i].n_batches; k++) {
			const struct pl_market_type *type = &m->type[i];
			const double s = pl_profile_seconds(&type->instance->forward,
							    (double)type->batch[k]) /
					 type->mean_s[k];

			share[0] = fmin(share[0], s);
			share[1] = fmax(share[1], s);
		}
}

/* The layer that is ready last, the largest of several. In buckets it goes with others, and rounded
 * up with less. */
static void find_last(struct pl_sim *sim)
{
	const struct pl_profile *p = sim->market->profile;
	struct pl_sim_memo *memo = sim->memo;
	double latest = -1, share[2];

	pl_sim_forward_shares(sim->market, share);
	memo->forward_share = share[0];
	memo->last = p->n_layers;
	for (size_t l = 0; l < p->n_layers; l++) {
		const double finish = least_finish(sim->market, l);

		if (!is_sure(sim, l) || sim->options->buckets.bytes || finish < latest ||
		    (finish == latest && p->layer[l].bytes <= p->layer[memo->last].bytes))
			continue;
		latest = finish;
		memo->last = l;
	}
	memo->last_share = 1 - (1 - memo->forward_share) * (1 - fmax(latest, 0));
}

/* Of one network: all bytes at the cap, and the last layer alone. 1; 0 where it does not know so
 * many ranks; -1: no memory. */
static int ask_network(struct pl_sim *sim, struct pl_comm_memo *comm, size_t n, double bytes,
		       struct pl_err *err)
{
	const struct pl_profile *p = sim->market->profile;
	struct pl_sim_memo *memo = sim->memo;
	double cap = sim->options->cap_bytes_per_s, b, last_s = 0;
	int known = 1;

	if (!(cap > 0))
		known = pl_comm_memo_find(comm, 0, n, &cap, err);
	if (known > 0 && memo->last < p->n_layers) {
		const double last = (double)p->layer[memo->last].bytes;

		known = pl_comm_memo_find(comm, pl_iteration_asked(sim->options, last), n, &b, err);
		last_s = pl_bus_bytes(last, n) / b;
	}
	if (known <= 0)
		return known;
	memo->least_exchange_s[n] = fmin(memo->least_exchange_s[n], pl_bus_bytes(bytes, n) / cap);
	memo->least_last_s[n] = fmin(memo->least_last_s[n], last_s);
	return 1;
}

static size_t most_ranks(const struct pl_market *m)
{
	size_t most = 0;

	for (size_t i = 0; i < m->n_types; i++)
		most += m->type[i].available * m->type[i].instance->ranks;
	return most;
}

static int bound_exchanges(struct pl_sim *sim, struct pl_err *err)
{
	const struct pl_market *m = sim->market;
	double *all = sim->memo->least_exchange_s;
	double *last = sim->memo->least_last_s, bytes = 0;
	const size_t most = most_ranks(m);

	find_last(sim);
	for (size_t l = 0; l < m->profile->n_layers; l++)
		if (is_sure(sim, l))
			bytes += (double)m->profile->layer[l].bytes;
	for (size_t n = 0; n <= PL_SIM_RANKS_MAX + 1; n++)
		all[n] = last[n] = INFINITY;
	for (size_t n = 2; n <= PL_SIM_RANKS_MAX && n <= most; n++)
		for (size_t i = 0; i < sim->memo->n_comms; i++) {
			const int known = ask_network(sim, &sim->memo->comm[i], n, bytes, err);

			if (known < 0)
				return -1;
			sim->memo->unknown[n] |= known == 0;
		}
	all[0] = all[1] = last[0] = last[1] = 0;
	for (size_t n = PL_SIM_RANKS_MAX; n > 1; n--) {
		all[n] = fmin(all[n], all[n + 1]);
		last[n] = fmin(last[n], last[n + 1]);
	}
	return 0;
}

int pl_sim_init(struct pl_sim *sim, const struct pl_market *market, const struct pl_comm *comm,
		size_t n_comms, const struct pl_iteration_options *options, struct pl_err *err)
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

double pl_sim_least(const struct pl_sim *sim, double compute_s, size_t ranks)
{
	const struct pl_sim_memo *memo = sim->memo;
	double s = compute_s;

	if (ranks > PL_SIM_RANKS_MAX)
		return INFINITY;
	s = fmax(s, memo->forward_share * compute_s + memo->least_exchange_s[ranks]);
	return ranks < 2 ? s : fmax(s, memo->last_share * compute_s + memo->least_last_s[ranks]);
}

static bool is_unknown(const struct pl_sim *sim, size_t ranks)
{
	return ranks > PL_SIM_RANKS_MAX || sim->memo->unknown[ranks];
}

bool pl_sim_next_unknown(const struct pl_sim *sim, uint64_t samples, size_t from, size_t range[2])
{
	size_t most = most_ranks(sim->market);
	size_t n = from;

	if (most > samples) /* a rank computes one at least */
		most = (size_t)samples;
	while (n <= most && !is_unknown(sim, n))
		n++;
	range[0] = n;
	while (n <= most && is_unknown(sim, n))
		n++;
	range[1] = n - 1;
	return range[0] <= most;
}

int pl_sim_bandwidths(struct pl_sim *sim, double bytes, size_t ranks, double bytes_per_s[2],
		      struct pl_err *err)
{
	struct pl_sim_memo *memo = sim->memo;
	const double cap = bytes > 0 ? 0 : sim->options->cap_bytes_per_s;

	bytes_per_s[0] = INFINITY;
	bytes_per_s[1] = 0;
	for (size_t i = 0; i < memo->n_comms; i++) {
		double b = cap;
		const int known =
			cap > 0 ? 1 : pl_comm_memo_find(&memo->comm[i], bytes, ranks, &b, err);

		if (known < 0)
			return -1;
		if (known == 0)
			continue;
		bytes_per_s[0] = fmin(bytes_per_s[0], b);
		bytes_per_s[1] = fmax(bytes_per_s[1], b);
	}
	return bytes_per_s[1] > 0;
}

const double *pl_sim_slowness(struct pl_sim *sim, size_t type, size_t count)
{
	struct pl_sim_memo *memo = sim->memo;
	struct slot *slot = &memo->slot[type * memo->of_each + count % memo->of_each];
	const struct pl_selection_part part = {.instance = sim->market->type[type].instance,
					       .count = count};

	if (!slot->factor)
		slot->factor = pl_array_create(sim->options->draws, sizeof(*slot->factor));
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

static int slowest(struct pl_sim *sim, const struct pl_srift_choice *choice,
		   const struct pl_selection *sel, struct pl_slowest *slowest)
{
	const double *factor[PL_MARKET_TYPES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < sim->market->n_types; i++) {
		const size_t count = choice->count[i];

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

static int mixed_bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
			   struct pl_err *err)
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

static int mixed_cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	return mixed_bandwidth(model, 0, n_ranks, bytes_per_s, err);
}

static void mix(const struct pl_sim *sim, const struct pl_srift_choice *c, struct mixed *mixed)
{
	mixed->n = 0;
	for (size_t i = 0; i < sim->memo->n_comms; i++)
		if (sim->memo->n_comms == 1 || c->count[i] > 0)
			mixed->comm[mixed->n++] = &sim->memo->comm[i];
}

int pl_sim_iterate(struct pl_sim *sim, const struct pl_srift_choice *choice,
		   struct pl_selection *sel, struct pl_iteration *it, struct pl_err *err)
{
	struct mixed mixed;
	const struct pl_comm comm = {
		.model = &mixed, .bandwidth = mixed_bandwidth, .cap = mixed_cap};
	struct pl_slowest slow;
	struct pl_err fault = {0};
	int rc;

	pl_choice_select(sim->market, choice, sel);
	if (pl_selection_ranks(sel) > PL_SIM_RANKS_MAX)
		return 0;
	mix(sim, choice, &mixed);
	if (slowest(sim, choice, sel, &slow))
		return pl_err_nomem(err);
	rc = pl_iterate_slowest(it, sim->market->profile, sel, &slow, &comm, sim->options, &fault);
	free(slow.part_s);
	sim->n_simulated++;
	if (rc == 0)
		return 1;
	if (fault.code == PL_EUSAGE)
		return 0;
	if (err)
		*err = fault;
	return -1;
}

int pl_sim_quote(struct pl_sim *sim, struct pl_quote *q, struct pl_err *err)
{
	struct pl_selection sel = {.part = sim->memo->part};
	struct pl_iteration it;
	int known;

	q->choice.hubs = (uint32_t)sim->market->n_hubs;
	q->per_hour = pl_choice_per_hour(sim->market, &q->choice);
	known = pl_sim_iterate(sim, &q->choice, &sel, &it, err);
	if (known > 0) {
		q->seconds = it.seconds;
		pl_iteration_fini(&it);
	}
	return known;
}
