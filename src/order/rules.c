/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - which algorithm Open MPI is to take for which size, as a rules
 * file */
/*
 * The file is numbers, comments behind '#': how many collectives; for each its number and how many
 * sizes of communicators; for each of these its ranks and how many sizes; for each of these bytes,
 * algorithm, fan-out, segment. Of the numbers of ranks a communicator takes the largest that does
 * not exceed its own, or else the first; of the sizes a call takes the largest that does not exceed
 * its own. Algorithm 0 leaves the choice to the library. (Open MPI 4.1.4, coll_tuned_dynamic_file.c
 * and coll_tuned_dynamic_rules.c.)
 */
#include "config.h"

#include "src/order/rules.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/calls/forecaster.h"
#include "src/order/setting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes at which algorithms are compared, a factor apart; each stands for sizes up to half way (by
 * ratio) to its neighbours. */
#define SIZE_FIRST 256
#define SIZE_FACTOR 4
#define N_SIZES 9

void pl_reorder_rules_fini(struct pl_reorder_rules *rules)
{
	free(rules->v);
	memset(rules, 0, sizeof(*rules));
}

/* A call's size as Open MPI's rules count it. */
static uint64_t counted(const struct pl_reorder_rules *rules, double bytes)
{
	if (pl_collective_is_by_block(rules->call->collective))
		bytes *= (double)rules->n_ranks;
	return (uint64_t)llround(bytes);
}

/* The size at which algorithms are compared. The blocks of a reduce-scatter must be equal, as
 * MPI_Reduce_scatter_block needs them. */
static uint64_t judged(const struct pl_reorder_rules *rules, double bytes)
{
	const uint64_t blocks = (uint64_t)rules->n_ranks * PL_ORDER_ELEMENT;

	if (rules->call->collective != PL_REDUCE_SCATTER)
		return (uint64_t)bytes;
	return ((uint64_t)bytes + blocks - 1) / blocks * blocks;
}

/* Seconds of an algorithm at that size; infinite if it cannot run, or where that would be a
 * guess. */
static int time_one(const struct pl_order_forecaster *c, const struct pl_order_algorithm *what,
		    const size_t *host_at, double *seconds, bool *guessed, struct pl_err *err)
{
	struct pl_pattern p = {0};
	struct pl_order_time time;
	int rc;

	*seconds = INFINITY;
	*guessed = false;
	if (pl_order_pattern(c, what, &p, err))
		return err->code == PL_EUSAGE ? 0 : -1;
	rc = pl_order_time(c, &p, host_at, &c->protocol, &time, err);
	if (rc == 0)
		rc = pl_order_guessed(c, &p, host_at, &c->protocol, time.seconds, guessed, err);
	pl_pattern_fini(&p);
	if (rc == 0 && !*guessed)
		*seconds = time.seconds;
	return rc;
}

/* Fills in rule->a and the seconds. */
static int choose(struct pl_reorder_rule *rule, const struct pl_order_forecaster *c,
		  const struct pl_reorder_options *o, const size_t *host_at, struct pl_err *err)
{
	const struct pl_algorithm *a;
	struct pl_order_algorithm what = {
		.has_size = o->request.what.a->collective != PL_BARRIER,
		.bytes = rule->bytes,
		.segment_bytes = o->request.what.segment_bytes,
		.root = o->request.what.root,
	};

	rule->seconds = rule->own_seconds = INFINITY;
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		bool guessed;
		double s;

		/* the width is not chosen here, nor another component */
		if (!pl_algorithm_same_function(a, o->request.what.a) || a->takes_radix ||
		    a->for_slots)
			continue;
		what.a = a;
		if (time_one(c, &what, host_at, &s, &guessed, err))
			return -1;
		if (a->decide) {
			rule->own_seconds = s;
			rule->guessed = guessed;
		} else if (a->setting > 0 && s < rule->seconds) {
			rule->seconds = s;
			rule->a = a;
		}
	}
	if (rule->guessed || !pl_reorder_worth(rule->seconds, rule->own_seconds))
		rule->a = NULL;
	return 0;
}

/* Joins neighbouring rules that are the same. */
static void join(struct pl_reorder_rules *rules)
{
	size_t n = 1;

	for (size_t i = 1; i < rules->n; i++)
		if (rules->v[i].a != rules->v[n - 1].a ||
		    rules->v[i].guessed != rules->v[n - 1].guessed)
			rules->v[n++] = rules->v[i];
	rules->n = n;
}

static int fill(struct pl_reorder_rules *rules, const struct pl_order_forecaster *c,
		const struct pl_reorder_options *o, const size_t *host_at,
		const struct pl_stop *stop, struct pl_err *err)
{
	double bytes = SIZE_FIRST;

	for (size_t i = 0; i < rules->n; i++) {
		struct pl_reorder_rule *rule = &rules->v[i];

		if (stop->flag && *stop->flag)
			return pl_err_set(err, PL_EPARTIAL, "interrupted while predicting");
		rule->bytes = judged(rules, bytes);
		if (i > 0)
			rule->from_bytes = counted(rules, bytes / sqrt(SIZE_FACTOR));
		if (choose(rule, c, o, host_at, err))
			return -1;
		bytes *= SIZE_FACTOR;
	}
	join(rules);
	return 0;
}

int pl_reorder_rules_find(struct pl_reorder_rules *rules, const struct pl_order_input *in,
			  const struct pl_reorder_options *o, const size_t *host_at,
			  const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_order_forecaster c = {0};
	int rc = -1;

	memset(rules, 0, sizeof(*rules));
	rules->call = o->request.what.a;
	rules->segment_bytes = o->request.what.segment_bytes;
	rules->n = rules->call->collective == PL_BARRIER ? 1 : N_SIZES;
	rules->v = pl_array_create(rules->n, sizeof(*rules->v));
	if (!rules->v)
		return pl_err_nomem(err);
	if (pl_order_forecaster_init(&c, in, &o->request, err) == 0) {
		rules->n_ranks = c.n_ranks;
		c.stop = stop->flag;
		rc = fill(rules, &c, o, host_at, stop, err);
	}
	pl_order_forecaster_fini(&c);
	if (rc)
		pl_reorder_rules_fini(rules);
	return rc;
}

static void write_rule(const struct pl_reorder_rule *rule, uint64_t segment_bytes, FILE *out)
{
	fprintf(out, "%" PRIu64 " %d 0 %" PRIu64 " # ", rule->from_bytes,
		rule->a ? rule->a->setting : 0,
		rule->a && rule->a->takes_segment ? segment_bytes : 0);
	if (rule->a)
		fprintf(out, "%s: %.3f ms at %" PRIu64 " bytes, left alone %.3f ms\n",
			rule->a->name, 1e3 * rule->seconds, rule->bytes, 1e3 * rule->own_seconds);
	else
		fprintf(out, "left to the library%s%s\n", rule->guessed ? ": what it takes " : "",
			rule->guessed ? PL_ORDER_GUESSED : "");
}

void pl_reorder_rules_write(const struct pl_reorder_rules *rules, FILE *out)
{
	fputs("# by plink-order " PACKAGE_VERSION ": algorithms for one order of hosts\n"
	      "1 # collective\n",
	      out);
	fprintf(out, "%d # %s\n", pl_openmpi_function_id(rules->call),
		pl_openmpi_function_name(rules->call));
	fputs("3 # numbers of ranks\n"
	      "0 1 # fewer: left to the library\n"
	      "0 0 0 0\n",
	      out);
	fprintf(out, "%zu %zu # the ranks of the order\n", rules->n_ranks, rules->n);
	for (size_t i = 0; i < rules->n; i++)
		write_rule(&rules->v[i], rules->segment_bytes, out);
	fprintf(out,
		"%zu 1 # more: left to the library\n"
		"0 0 0 0\n",
		rules->n_ranks + 1);
}
