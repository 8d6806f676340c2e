/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what the network gives, for choices that are not known yet */
#include "config.h"

#include "src/srift/network.h"

#include "planner/srift/comm/busbw-plan.h"
#include "topology/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void srift_network_fini(struct srift_network *net)
{
	for (size_t i = 0; i < PL_MARKET_TYPES_MAX; i++)
		pl_learned_net_fini(&net->net[i]);
	pl_learned_fini(&net->learned);
	pl_busbw_fini(&net->table);
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

/* The matrix, with the rates of cards and uplinks that its bandwidths show. */
static struct pl_matrix *read_matrix(const struct srift_options *o,
				     struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = PL_NS};
	struct pl_matrix *m = pl_matrix_read(o->matrix, &reading, err);
	char text[PL_RATES_TEXT];

	if (m && pl_rates_complete(m, text, err)) {
		pl_matrix_destroy(m);
		return NULL;
	}
	if (m && text[0])
		srift_say(PL_RATES_TOLD, text);
	return m;
}

int srift_plan_predict(const struct srift_options *o,
		       const struct pl_plan *plan, uint64_t bytes,
		       struct pl_busbw *found, struct pl_busbw *given,
		       struct pl_err *err)
{
	struct pl_network net = {0};
	struct pl_placed placed = {.plan = plan, .net = &net};
	struct pl_matrix *m = read_matrix(o, err);
	size_t *host_of = m ? pl_placed_match(plan, m, err) : NULL;
	int rc = -1;

	placed.host_of = host_of;
	if (!host_of || pl_network_init(&net, m, err) ||
	    pl_network_set_rates(&net, o->nic_bps, o->uplink_bps, err))
		goto out;
	rc = pl_busbw_predict(found, &placed, PL_ORDER_FOUND, bytes, err);
	if (rc == 0 && given)
		rc = pl_busbw_predict(given, &placed, PL_ORDER_GIVEN, bytes,
				      err);
out:
	pl_network_fini(&net);
	free(host_of);
	pl_matrix_destroy(m);
	return rc;
}

static int take_plan(struct srift_network *net, const struct srift_options *o,
		     const struct pl_profile *profile, struct pl_err *err)
{
	struct pl_plan plan = {0};
	int rc;

	if (pl_plan_read(&plan, o->plan, err))
		return -1;
	rc = srift_plan_predict(o, &plan, all_bytes(profile), &net->table, NULL,
				err);
	pl_plan_fini(&plan);
	return rc;
}

static int add_profile(struct pl_profile *profile,
		       const struct srift_options *o, size_t i,
		       struct pl_err *err)
{
	struct pl_profile more = {0};
	struct pl_err fault;
	int rc;

	if (pl_profile_read(&more, o->profile[i], err))
		return -1;
	rc = pl_profile_merge(profile, &more, &fault);
	pl_profile_fini(&more);
	return rc ? pl_err_set(err, fault.code, "%s and %s: %s", o->profile[0],
			       o->profile[i], fault.text)
		  : 0;
}

int srift_profile_load(struct pl_profile *profile,
		       const struct srift_options *o, struct pl_err *err)
{
	if (pl_profile_read(profile, o->profile[0], err))
		return -1;
	for (size_t i = 1; i < o->n_profiles; i++)
		if (add_profile(profile, o, i, err))
			return -1;
	for (size_t i = 0; i < profile->n_instances && !isnan(o->straggler);
	     i++)
		profile->instance[i].straggler = o->straggler;
	return 0;
}

/* Without any table. */
static int nothing_known(struct pl_err *err)
{
	return pl_err_set(err, PL_EUSAGE, "nothing is known of the network");
}

static int no_bandwidth(const void *model, double bytes, size_t n_ranks,
			double *bytes_per_s, struct pl_err *err)
{
	(void)model, (void)bytes, (void)n_ranks, (void)bytes_per_s;
	return nothing_known(err);
}

static int no_cap(const void *model, size_t n_ranks, double *bytes_per_s,
		  struct pl_err *err)
{
	(void)model, (void)n_ranks, (void)bytes_per_s;
	return nothing_known(err);
}

/* The region in which machines are looked for decides between several of a
 * name. */
static int find_machine(const struct srift_network *net,
			const struct srift_options *o, const char *name,
			size_t *machine, struct pl_err *err)
{
	struct pl_err fault;

	if (pl_learned_find(&net->learned, name, o->place, machine, &fault) ==
	    0)
		return 0;
	if (!o->place && o->near &&
	    pl_learned_find(&net->learned, name, o->near, machine, NULL) == 0)
		return 0;
	return pl_err_set(err, fault.code, "%s; --exclude=%s leaves it out",
			  fault.text, name);
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
		if (pl_learned_net_init(&net->net[i], &net->learned, &machine,
					1))
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
	if (o->plan)
		rc = take_plan(net, o, market->profile, err);
	for (size_t i = 0; rc == 0 && i < o->n_tables; i++)
		rc = pl_busbw_read(&net->table, o->table[i], o->section, err);
	net->n_comms = 1;
	net->comm[0] = net->table.n_worlds > 0
			       ? pl_busbw_comm(&net->table)
			       : (struct pl_comm){.bandwidth = no_bandwidth,
						  .cap = no_cap};
	return rc;
}
