/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what the network gives, for choices that are not known yet */
#include "config.h"

#include "src/srift/network.h"

#include "base/text/size.h"
#include "src/common/json.h"

#include <math.h>
#include <string.h>

void srift_network_fini(struct srift_network *net)
{
	for (size_t i = 0; i < PL_MARKET_TYPES_MAX; i++) {
		pl_learned_net_fini(&net->net[i]);
		pl_busbw_fini(&net->table[i]);
	}
	pl_learned_fini(&net->learned);
	srift_plans_fini(&net->plans);
	memset(net, 0, sizeof(*net));
}

/* All that an iteration exchanges, which is no less than any all-reduce. */
static uint64_t all_bytes(const struct pl_profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->n_layers; i++)
		sum += profile->layer[i].bytes;
	return sum;
}

/* A table for each type of the market, or one for all where hosts have no types. */
static int take_plans(struct srift_network *net, const struct srift_options *o,
		      const struct pl_market *market, struct pl_err *err)
{
	const uint64_t bytes = all_bytes(market->profile);
	struct srift_plans *plans = &net->plans;
	int rc = srift_plans_read(plans, o, err);

	net->n_comms = rc == 0 && plans->typed ? market->n_types : 1;
	for (size_t i = 0; rc == 0 && i < net->n_comms; i++) {
		const struct pl_profile_instance *type = market->type[i].instance;

		rc = srift_plans_predict_all(plans, plans->typed ? type : NULL, bytes,
					     &net->table[i], err);
		if (rc == 0 && net->table[i].n_worlds == 0)
			rc = pl_err_set(err, PL_EUSAGE,
					"no plan has only hosts of the type %s with slots=%zu; "
					"recommend --exclude=%s leaves the type out",
					type->name, type->ranks, type->name);
	}
	for (size_t i = 0; rc == 0 && i < plans->n; i++)
		if (srift_plans_is_mixed(plans, i))
			srift_say("%s has hosts of several types: only predict uses it",
				  o->plan[i]);
	return rc;
}

static int add_profile(struct pl_profile *profile, const struct srift_options *o, size_t i,
		       struct pl_err *err)
{
	struct pl_profile more = {0};
	struct pl_err fault;
	int rc;

	if (pl_profile_read(&more, o->profile[i], err))
		return -1;
	rc = pl_profile_merge(profile, &more, &fault);
	pl_profile_fini(&more);
	return rc ? pl_err_set(err, fault.code, "%s and %s: %s", o->profile[0], o->profile[i],
			       fault.text)
		  : 0;
}

/* Waiting for data counts to the forward pass. */
static void add_data(struct pl_profile *p, const struct srift_options *o)
{
	pl_profile_add_data(p, o->data);
	for (size_t i = 0; i < p->n_instances; i++) {
		const struct pl_profile_instance *in = &p->instance[i];
		const struct pl_profile_number *prep =
			pl_profile_number_find(&p->numbers, "prep_s", in->name);
		const double s = in->prep_s + in->fetch_s;

		if (s > 0)
			srift_say("%s: a sample waits %s for its data (%s)", in->name,
				  PL_TIME_TEXT(s),
				  prep ? PL_ORIGIN_TEXT(&prep->origin) : "fetch_s");
	}
}

int srift_profile_load(struct pl_profile *profile, const struct srift_options *o,
		       struct pl_err *err)
{
	if (pl_profile_read(profile, o->profile[0], err))
		return -1;
	for (size_t i = 1; i < o->n_profiles; i++)
		if (add_profile(profile, o, i, err))
			return -1;
	for (size_t i = 0; i < profile->n_instances && !isnan(o->straggler); i++)
		profile->instance[i].straggler = o->straggler;
	add_data(profile, o);
	return 0;
}

/* Without any table. */
static int nothing_known(struct pl_err *err)
{
	return pl_err_set(err, PL_EUSAGE, "nothing is known of the network");
}

static int no_bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
			struct pl_err *err)
{
	(void)model, (void)bytes, (void)n_ranks, (void)bytes_per_s;
	return nothing_known(err);
}

static int no_cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	(void)model, (void)n_ranks, (void)bytes_per_s;
	return nothing_known(err);
}

/* The region in which machines are looked for decides between several of a name. */
static int find_machine(const struct srift_network *net, const struct srift_options *o,
			const char *name, size_t *machine, struct pl_err *err)
{
	struct pl_err fault;

	if (pl_learned_find(&net->learned, name, o->place, machine, &fault) == 0)
		return 0;
	if (!o->place && o->near &&
	    pl_learned_find(&net->learned, name, o->near, machine, NULL) == 0)
		return 0;
	return pl_err_set(err, fault.code, "%s; --exclude=%s leaves it out", fault.text, name);
}

static int take_model(struct srift_network *net, const struct srift_options *o,
		      const struct pl_market *market, struct pl_err *err)
{
	if (pl_learned_read(&net->learned, o->learned, err))
		return -1;
	for (size_t i = 0; i < market->n_types; i++) {
		const char *name = market->type[i].instance->name;
		size_t machine;

		if (find_machine(net, o, name, &machine, err))
			return -1;
		if (pl_learned_net_init(&net->net[i], &net->learned, &machine, 1))
			return pl_err_nomem(err);
		net->comm[i] = pl_learned_comm(&net->net[i]);
	}
	net->n_comms = market->n_types;
	return 0;
}

int srift_network_read(struct srift_network *net, const struct srift_options *o,
		       const struct pl_market *market, struct pl_err *err)
{
	int rc = 0;

	if (o->learned)
		return take_model(net, o, market, err);
	net->n_comms = 1;
	if (o->n_plans > 0)
		rc = take_plans(net, o, market, err);
	else if (o->rated_bps > 0)
		rc = pl_busbw_rate(&net->table[0], o->rated_bps / 8, err);
	for (size_t i = 0; rc == 0 && i < o->n_tables; i++)
		rc = pl_busbw_read(&net->table[0], o->table[i], o->section, err);
	for (size_t i = 0; i < net->n_comms; i++)
		net->comm[i] = net->table[i].n_worlds > 0
				       ? pl_busbw_comm(&net->table[i])
				       : (struct pl_comm){.bandwidth = no_bandwidth, .cap = no_cap};
	return rc;
}

double srift_hub_cards(const struct srift_options *o, size_t n)
{
	const double own = o->rated_bps > 0 ? o->rated_bps : o->nic_bps;

	return (double)n * (o->hub.nic_bps > 0 ? o->hub.nic_bps / own : 1);
}

void srift_hub_network_fini(struct srift_hub_network *h)
{
	for (size_t i = 0; i < PL_MARKET_TYPES_MAX; i++)
		pl_busbw_fini(&h->table[i]);
	memset(h, 0, sizeof(*h));
}

static int predict_hubs(struct srift_hub_network *h, const struct srift_network *net,
			const struct pl_market *market, size_t n_hubs, struct pl_err *err)
{
	for (size_t i = 0; i < net->n_comms; i++) {
		if (srift_plans_predict_all_hubs(&net->plans,
						 net->plans.typed ? market->type[i].instance : NULL,
						 n_hubs, &net->table[i], &h->table[i], err))
			return -1;
		h->comm[i] = pl_busbw_comm(&h->table[i]);
	}
	h->n_comms = net->n_comms;
	return 0;
}

int srift_hub_network_init(struct srift_hub_network *h, const struct srift_network *net,
			   const struct srift_options *o, const struct pl_market *market,
			   size_t n_hubs, struct pl_err *err)
{
	if (n_hubs > 0 && o->n_plans > 0)
		return predict_hubs(h, net, market, n_hubs, err);
	h->n_comms = n_hubs > 0 ? market->n_types : net->n_comms;
	for (size_t i = 0; i < h->n_comms; i++) {
		const struct pl_comm *alone = &net->comm[net->n_comms > 1 ? i : 0];

		h->with[i] = (struct pl_comm_hubs){.alone = *alone,
						   .cards = srift_hub_cards(o, n_hubs),
						   .slots = market->type[i].instance->ranks};
		h->comm[i] = n_hubs > 0 ? pl_comm_hubs(&h->with[i]) : *alone;
	}
	return 0;
}

void srift_write_rated(const struct srift_options *o, FILE *out)
{
	char rate[PL_RATE_CHARS];

	if (o->rated_bps > 0)
		fprintf(out,
			"network    a rough start: all-reduces at the rated bandwidth, %s, without "
			"delays\n",
			pl_rate_format(rate, o->rated_bps));
}

void srift_set_rated(json_t **object, const struct srift_options *o)
{
	if (o->rated_bps > 0)
		pl_obj_set(object, "rated_bytes_per_s", json_real(o->rated_bps / 8));
}

bool srift_network_between(const struct srift_network *net, size_t type, size_t n_ranks,
			   size_t between[2])
{
	return pl_busbw_between(&net->table[net->n_comms > 1 ? type : 0], n_ranks, between);
}
