/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - what plink-srift predict finds out */
#include "config.h"

#include "src/srift/predict.h"

#include "base/mem.h"
#include "src/srift/network.h"
#include "src/srift/plans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_tables(struct srift_prediction *p, struct pl_err *err)
{
	if (p->o->rated_bps > 0)
		return pl_busbw_rate(&p->table, p->o->rated_bps / 8, err);
	for (size_t i = 0; i < p->o->n_tables; i++)
		if (pl_busbw_read(&p->table, p->o->table[i], p->o->section, err))
			return -1;
	if (p->table.n_worlds == 0 && pl_selection_machines(&p->sel) == 1)
		p->interconnect = pl_profile_number_find(&p->profile.numbers, "interconnect_s",
							 p->sel.part[0].instance->name);
	if (p->table.n_worlds == 0 && pl_selection_ranks(&p->sel) > 1 && !p->interconnect)
		return pl_err_set(
			err, PL_EUSAGE,
			"the bandwidth of the network is not known: give --busbw, or --model, or "
			"--matrix and --plan; or, for a rough start, --rated");
	return 0;
}

/* The most that is exchanged at once. */
static uint64_t largest(const struct srift_prediction *p)
{
	uint64_t layer = 0, bucket = 0;

	for (size_t i = 0; i < p->profile.n_layers; i++)
		if (p->profile.layer[i].bytes > layer)
			layer = p->profile.layer[i].bytes;
	if (p->o->iteration.buckets.bytes)
		bucket = p->o->iteration.buckets.first_bytes > p->o->iteration.buckets.bytes
				 ? p->o->iteration.buckets.first_bytes
				 : p->o->iteration.buckets.bytes;
	return layer + bucket;
}

static int no_such_plan(const struct srift_prediction *p, const struct srift_plans *plans,
			struct pl_err *err)
{
	const struct pl_hosts *hosts = &plans->plan[0].hosts;
	const size_t machines = pl_selection_machines(&p->sel);
	const size_t ranks = pl_selection_ranks(&p->sel);

	if (plans->n > 1)
		return pl_err_set(err, PL_EUSAGE, "no plan is of %zu machines of %s with %zu ranks",
				  machines, p->sel.n_parts > 1 ? "these types" : "this type",
				  ranks);
	if (hosts->n == machines && pl_hosts_ranks(hosts) == ranks)
		return pl_err_set(err, PL_EUSAGE,
				  "the hosts of the plan are of other types than the machines that "
				  "are chosen");
	return pl_err_set(
		err, PL_EUSAGE,
		"the plan has %zu hosts and %zu ranks, the choice %zu machines and %zu ranks",
		hosts->n, pl_hosts_ranks(hosts), machines, ranks);
}

/* The plan i has exactly the machines that are chosen. */
static int predict_plan(struct srift_prediction *p, const struct srift_plans *plans, size_t i,
			uint64_t bytes, struct pl_err *err)
{
	if (srift_plans_predict(plans, i, PL_ORDER_FOUND, bytes, &p->table, err))
		return -1;
	if (p->sel.n_hubs)
		return srift_plans_predict_hubs(plans, i, p->sel.n_hubs, &p->table, &p->hub_table,
						err);
	p->has_given = true;
	return srift_plans_predict(plans, i, PL_ORDER_GIVEN, bytes, &p->given_table, err);
}

/* By the plan of the machines that are chosen; or, of one type, by plans of more and of fewer. */
static int predict_plans(struct srift_prediction *p, const struct srift_plans *plans,
			 struct pl_err *err)
{
	const struct pl_profile_instance *type = p->sel.part[0].instance;
	const uint64_t bytes = largest(p);
	size_t i = 0;

	while (i < plans->n && !srift_plans_is_for(plans, i, &p->sel))
		i++;
	if (i < plans->n)
		return predict_plan(p, plans, i, bytes, err);
	if (plans->n == 1 || p->sel.n_parts > 1)
		return no_such_plan(p, plans, err);
	if (srift_plans_predict_all(plans, type, bytes, &p->table, err))
		return -1;
	if (p->table.n_worlds == 0)
		return no_such_plan(p, plans, err);
	return p->sel.n_hubs ? srift_plans_predict_all_hubs(plans, type, p->sel.n_hubs, &p->table,
							    &p->hub_table, err)
			     : 0;
}

static int take_plans(struct srift_prediction *p, struct pl_err *err)
{
	struct srift_plans plans = {0};
	const int rc = srift_plans_read(&plans, p->o, err) || predict_plans(p, &plans, err);

	srift_plans_fini(&plans);
	return rc ? -1 : 0;
}

/* The types chosen, as the model knows them. */
static int take_model(struct srift_prediction *p, struct pl_err *err)
{
	const size_t n = p->sel.n_parts;
	size_t *machine;
	int rc = 0;

	if (pl_learned_read(&p->learned, p->o->learned, err))
		return -1;
	machine = pl_array_create(n, sizeof(*machine));
	if (!machine)
		return pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = pl_learned_find(&p->learned, p->sel.part[i].instance->name, p->o->place,
				     &machine[i], err);
	if (rc == 0 && pl_learned_net_init(&p->net, &p->learned, machine, n))
		rc = pl_err_nomem(err);
	free(machine);
	return rc;
}

static int take_network(struct srift_prediction *p, struct pl_err *err)
{
	if (p->o->n_plans > 0)
		return take_plans(p, err);
	return p->o->learned ? take_model(p, err) : read_tables(p, err);
}

/* Without hubs. */
static struct pl_comm find_comm(const struct srift_prediction *p, const struct pl_busbw *table)
{
	return p->o->learned ? pl_learned_comm(&p->net) : pl_busbw_comm(table);
}

/* Of several types, the one with the most ranks on a machine is the slowest. */
static struct pl_comm find_hub_comm(struct srift_prediction *p)
{
	p->with = (struct pl_comm_hubs){.alone = find_comm(p, &p->table),
					.cards = srift_hub_cards(p->o, p->sel.n_hubs)};
	for (size_t i = 0; i < p->sel.n_parts; i++)
		if (p->sel.part[i].instance->ranks > p->with.slots)
			p->with.slots = p->sel.part[i].instance->ranks;
	return pl_comm_hubs(&p->with);
}

static int iterate(struct srift_prediction *p, struct pl_comm comm, struct pl_iteration *it,
		   struct pl_err *err)
{
	struct pl_iteration_options o = p->o->iteration;

	if (p->interconnect) {
		o.wait_is_known = true;
		o.wait_s = fmax(p->interconnect->value, 0);
	}
	return pl_iterate(it, &p->profile, &p->sel, &comm, &o, err);
}

/* With hubs and without. */
static int iterate_hubs(struct srift_prediction *p, struct pl_err *err)
{
	if (iterate(p, find_comm(p, &p->table), &p->alone, err))
		return -1;
	return iterate(p,
		       p->hub_table.n_worlds > 0 ? pl_busbw_comm(&p->hub_table) : find_hub_comm(p),
		       &p->it, err);
}

static void take_terms(struct srift_prediction *p)
{
	const struct pl_origin network = p->interconnect
						 ? p->interconnect->origin
						 : srift_network_origin(p->o, p->sel.n_hubs > 0);

	pl_iteration_terms(&p->terms, &p->it, &p->sel, &p->profile, &network);
}

/* A step of a job, in place of an iteration that exchanges gradients. */
static int take_step(struct srift_prediction *p, struct pl_err *err)
{
	struct srift_step *s = &p->step;

	if (srift_step_predict(s, p->o, &p->sel, err))
		return -1;
	pl_iteration_take_slowest(&p->it, &p->sel, &s->slowest);
	/* its bubble is none of these parts */
	p->it.seconds = s->found_s - s->bubble_s;
	take_terms(p);
	p->it.seconds = s->found_s;
	p->given.seconds = s->given_s;
	p->has_given = p->o->n_plans > 0;
	return 0;
}

int srift_predict(struct srift_prediction *p, const struct srift_options *o, struct pl_err *err)
{
	p->o = o;
	if (srift_profile_load(&p->profile, o, err) ||
	    pl_selection_parse(&p->sel, o->machines, o->batch, &p->profile, err))
		return -1;
	if (o->hub.number.n) {
		p->sel.n_hubs = o->hub.number.v[0];
		p->sel.hub = o->hub.machine;
	}
	if (o->prices && pl_selection_prices(&p->sel, o->prices, err))
		return -1;
	if (o->job)
		return take_step(p, err);
	if (take_network(p, err) ||
	    (p->sel.n_hubs ? iterate_hubs(p, err)
			   : iterate(p, find_comm(p, &p->table), &p->it, err)))
		return -1;
	take_terms(p);
	return p->has_given ? iterate(p, find_comm(p, &p->given_table), &p->given, err) : 0;
}

void srift_prediction_fini(struct srift_prediction *p)
{
	pl_iteration_fini(&p->it);
	pl_iteration_fini(&p->given);
	pl_iteration_fini(&p->alone);
	pl_busbw_fini(&p->hub_table);
	srift_step_fini(&p->step);
	pl_selection_fini(&p->sel);
	pl_busbw_fini(&p->table);
	pl_busbw_fini(&p->given_table);
	pl_learned_net_fini(&p->net);
	pl_learned_fini(&p->learned);
	pl_profile_fini(&p->profile);
	memset(p, 0, sizeof(*p));
}
