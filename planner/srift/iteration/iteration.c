/* SPDX-License-Identifier: BSD-3-Clause */
/* iteration.c - how long an iteration of training takes */
#include "config.h"

#include "planner/srift/iteration/iteration.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Independent sequences of one seed. */
enum { STRAGGLERS, LAYERS };

void pl_iteration_fini(struct pl_iteration *it)
{
	free(it->ready_s);
	free(it->transfer);
	pl_buckets_fini(&it->buckets);
	memset(it, 0, sizeof(*it));
}

void pl_iteration_take_slowest(struct pl_iteration *it, const struct pl_selection *sel,
			       const struct pl_slowest *slowest)
{
	double least_s = 0;

	for (size_t i = 0; i < sel->n_parts; i++) {
		const struct pl_selection_part *part = &sel->part[i];
		/* samples for which the part is waited for */
		const double samples = slowest->part_s[i] / part->backward_s * (double)part->batch;

		least_s = fmax(least_s, part->forward_s + part->backward_s);
		it->prep_s += samples * part->instance->prep_s;
		it->fetch_s += samples * part->instance->fetch_s;
	}
	it->forward_s = slowest->forward_s;
	it->backward_s = slowest->backward_s;
	it->slowness = (it->forward_s + it->backward_s) / least_s;
}

static int compute(struct pl_iteration *it, const struct pl_profile *profile,
		   const struct pl_selection *sel, const struct pl_slowest *slowest)
{
	it->ready_s = pl_array_create(profile->n_layers, sizeof(*it->ready_s));
	if (!it->ready_s)
		return -1;
	for (size_t i = 0; i < sel->n_parts; i++)
		for (size_t l = 0; l < profile->n_layers; l++)
			it->ready_s[l] += slowest->part_s[i] * sel->part[i].instance->finish[l];
	pl_iteration_take_slowest(it, sel, slowest);
	return 0;
}

double pl_iteration_asked(const struct pl_iteration_options *o, double bytes)
{
	return o->round_up ? exp2(ceil(log2(bytes))) : bytes;
}

/* The all-reduces, without their times. */
static int prepare(struct pl_iteration *it, const struct pl_comm *comm, size_t n_ranks,
		   const struct pl_iteration_options *o, struct pl_err *err)
{
	it->transfer = pl_array_create(it->buckets.n, sizeof(*it->transfer));
	if (!it->transfer)
		return pl_err_nomem(err);
	for (size_t k = 0; k < it->buckets.n; k++) {
		const struct pl_bucket *bucket = &it->buckets.bucket[k];
		struct pl_transfer *t = &it->transfer[k];
		const double bytes = (double)bucket->bytes;
		const size_t last = it->buckets.order[bucket->first + bucket->n - 1];

		it->bytes += bucket->bytes;
		t->ready_s = it->ready_s[last];
		t->wire_bytes = pl_bus_bytes(bytes, n_ranks);
		if (comm->bandwidth(comm->model, pl_iteration_asked(o, bytes), n_ranks,
				    &t->bytes_per_s, err))
			return -1;
	}
	it->cap_bytes_per_s = o->cap_bytes_per_s;
	return o->cap_bytes_per_s > 0 ? 0
				      : comm->cap(comm->model, n_ranks, &it->cap_bytes_per_s, err);
}

/* chance[n]: that any rank runs the layers of a bucket. True: some may be left out. */
static bool take_chances(const struct pl_iteration *it, const struct pl_profile *profile,
			 size_t n_ranks, const struct pl_iteration_options *o, double *chance)
{
	bool dynamic = false;

	for (size_t k = 0; k < it->buckets.n; k++) {
		const size_t layer = it->buckets.order[it->buckets.bucket[k].first];
		const double p = profile->layer[layer].probability;

		chance[k] = o->buckets.bytes ? 1 : 1 - pow(1 - p, (double)n_ranks);
		dynamic |= chance[k] < 1;
	}
	return dynamic;
}

/* Each draw leaves some out. */
static int exchange_dynamic(struct pl_iteration *it, const double *chance,
			    const struct pl_exchange_options *options,
			    const struct pl_iteration_options *o, struct pl_err *err)
{
	struct pl_transfer *drawn = pl_array_create(it->buckets.n, sizeof(*drawn));
	struct pl_rng rng;
	double exchange_s = 0, longer_s = 0;
	int rc = drawn ? 0 : pl_err_nomem(err);

	pl_rng_init(&rng, o->seed, LAYERS);
	for (size_t i = 0; rc == 0 && i < o->draws; i++) {
		struct pl_exchange_result r;
		size_t n = 0;

		for (size_t k = 0; k < it->buckets.n; k++)
			if (pl_rng_double(&rng) < chance[k])
				drawn[n++] = it->transfer[k];
		rc = pl_exchange(drawn, n, options, &r, err);
		exchange_s += r.end_s;
		longer_s += fmax(it->backward_s, r.end_s);
	}
	free(drawn);
	it->exchange_s = exchange_s / (double)o->draws;
	it->seconds = it->forward_s + longer_s / (double)o->draws;
	return rc;
}

static int exchange(struct pl_iteration *it, const struct pl_profile *profile, size_t n_ranks,
		    const struct pl_iteration_options *o, struct pl_err *err)
{
	const struct pl_exchange_options options = {
		.cap_bytes_per_s = it->cap_bytes_per_s,
		.at_once = o->at_once,
	};
	double *chance = pl_array_create(it->buckets.n, sizeof(*chance));
	int rc;

	if (!chance)
		return pl_err_nomem(err);
	rc = pl_exchange(it->transfer, it->buckets.n, &options, &it->exchange, err);
	it->exchange_s = it->exchange.end_s;
	it->seconds = it->forward_s + fmax(it->backward_s, it->exchange_s);
	if (rc == 0 && take_chances(it, profile, n_ranks, o, chance))
		rc = exchange_dynamic(it, chance, &options, o, err);
	free(chance);
	return rc;
}

int pl_iterate_slowest(struct pl_iteration *it, const struct pl_profile *profile,
		       const struct pl_selection *sel, const struct pl_slowest *slowest,
		       const struct pl_comm *comm, const struct pl_iteration_options *o,
		       struct pl_err *err)
{
	const size_t n_ranks = pl_selection_ranks(sel);
	int rc;

	*it = (struct pl_iteration){0};
	if (compute(it, profile, sel, slowest))
		return pl_err_nomem(err);
	it->seconds = it->forward_s + it->backward_s;
	if (n_ranks > 1 && o->wait_is_known) {
		it->exchange_s = it->backward_s + o->wait_s;
		it->seconds += o->wait_s;
	}
	if (n_ranks == 1 || o->wait_is_known)
		return 0;
	rc = pl_buckets_init(&it->buckets, profile, it->ready_s, &o->buckets);
	if (rc)
		pl_err_nomem(err);
	else
		rc = prepare(it, comm, n_ranks, o, err);
	if (rc == 0)
		rc = exchange(it, profile, n_ranks, o, err);
	if (rc)
		pl_iteration_fini(it);
	return rc;
}

uint64_t pl_iteration_base(const struct pl_iteration_options *o)
{
	struct pl_rng rng;

	pl_rng_init(&rng, o->seed, STRAGGLERS);
	return pl_rng_u64(&rng);
}

int pl_iterate(struct pl_iteration *it, const struct pl_profile *profile,
	       const struct pl_selection *sel, const struct pl_comm *comm,
	       const struct pl_iteration_options *o, struct pl_err *err)
{
	struct pl_slowest slowest;
	struct pl_rng rng;
	int rc;

	*it = (struct pl_iteration){0};
	pl_rng_init(&rng, o->seed, STRAGGLERS);
	if (pl_slowest_draw(&slowest, sel, o->draws, &rng))
		return pl_err_nomem(err);
	rc = pl_iterate_slowest(it, profile, sel, &slowest, comm, o, err);
	free(slowest.part_s);
	return rc;
}
