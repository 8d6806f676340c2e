/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - writes an order in its forms */
#include "config.h"

#include "src/order/output.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/plan/plan.h"
#include "costmodels/catalogue.h"
#include "src/order/format/format.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_reorder_write_ranks(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	if (a->forecast) {
		pl_reorder_write_forecast(a, out);
		return 0;
	}
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		for (int slot = 0; slot < h->slots; slot++)
			fprintf(out, "%s\n", h->name);
	}
	return 0;
}

/* If a host of a seq list occurs again, its slots continue. */
static int first_slot(const struct pl_reorder_answer *a, size_t pos)
{
	const struct pl_host *host = pl_reorder_host(a, pos);
	int slot = 0;

	if (a->o->hosts_form != PL_HOSTS_SEQ)
		return 0;
	for (size_t k = 0; k < pos; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		if (strcmp(h->name, host->name) == 0)
			slot += h->slots;
	}
	return slot;
}

static int write_rankfile(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	size_t rank = 0;

	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);
		const int first = first_slot(a, k);

		for (int slot = 0; slot < h->slots; slot++)
			fprintf(out, "rank %zu=%s slot=%d\n", rank++, h->name, first + slot);
	}
	return 0;
}

int pl_reorder_write_names(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++)
		fprintf(out, "%s\n", pl_reorder_host(a, k)->name);
	return 0;
}

#define NAME_CHARS 64

/* Calls of several kinds have no cost in common: each collective's is that of the hops of its
 * largest call, whose bound is not known. */
static void tell_hops(struct pl_order *order, const struct pl_order_promise *promise)
{
	const struct pl_order_work *largest = NULL;

	for (size_t i = 0; promise->blended && i < promise->w.n; i++) {
		const struct pl_order_work *work = &promise->w.v[i];

		if (strcmp(pl_collective_name(work->what.a->collective), order->collective) != 0 ||
		    (largest && work->what.bytes <= largest->what.bytes))
			continue;
		largest = work;
		order->cost = promise->call[i].hops;
		order->given = promise->call[i].hops_given;
		order->bound = NAN;
	}
}

/* Readers compute a rule by name as that of coll/tuned. */
static const char *name_for_readers(const char *name, const struct pl_algorithm *taken)
{
	return taken && taken->for_slots ? taken->name : name;
}

/* The calls of a workload are of so many collectives: one order for each, which are the same
 * order. */
static size_t add_collectives(struct pl_order *order, const struct pl_order_promise *promise)
{
	const struct pl_order first = order[0];
	size_t n = 0;

	for (size_t i = 0; i < promise->w.n; i++) {
		const struct pl_algorithm *a = promise->w.v[i].what.a;
		size_t k = 0;

		while (k < n && strcmp(order[k].collective, pl_collective_name(a->collective)) != 0)
			k++;
		if (k < n)
			continue;
		order[n] = first;
		order[n].collective = (char *)pl_collective_name(a->collective);
		order[n++].algorithm = (char *)name_for_readers(a->name, promise->w.v[i].taken);
	}
	return n;
}

/* [n * n], of three digits each, to be freed. NULL with @err set. */
static double *take_costs(const struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	double *cost;
	char digits[32];

	if (n > PL_PLAN_COSTS_MAX) {
		pl_err_set(err, PL_EUSAGE, "--plan-costs is for at most %d hosts, not %zu",
			   PL_PLAN_COSTS_MAX, n);
		return NULL;
	}
	cost = pl_array_create(n * n, sizeof(*cost));
	if (!cost)
		pl_err_nomem(err);
	for (size_t i = 0; cost && i < n * n; i++) {
		snprintf(digits, sizeof(digits), "%.3g", in->c[i]);
		cost[i] = i % (n + 1) == 0 ? 0 : strtod(digits, NULL);
	}
	return cost;
}

/* The plan borrows every string and array but the costs from @a and from the caller. */
static int write_plan(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	const struct pl_order_algorithm *what = &a->o->request.what;
	char collective[NAME_CHARS], algorithm[NAME_CHARS], impl[NAME_CHARS];
	char by[] = PL_REORDER_TOOL " " PACKAGE_VERSION;
	char created[32], digest[PL_DIGEST_CHARS];
	int rc = -1;
	struct pl_order order[PL_COLLECTIVES] = {{
		.collective = collective,
		.algorithm = algorithm,
		.impl = impl,
		.size_max = UINT64_MAX,
		.root = what->root,
		.cost = a->r->cost,
		.given = a->r->cost_given,
		.bound = a->r->bound,
		.host_at = a->r->host_at,
	}};
	struct pl_plan plan = {
		.created = created,
		.by = by,
		.matrix = digest,
		.has_seed = true,
		.seed = a->o->request.seed,
		.hosts = a->in->hosts,
		.order = order,
		.n_orders = 1,
	};

	snprintf(collective, NAME_CHARS, "%s",
		 a->job ? "job" : pl_collective_name(what->a->collective));
	snprintf(algorithm, NAME_CHARS, "%s",
		 a->job ? "all" : name_for_readers(what->name, a->r->taken));
	snprintf(impl, NAME_CHARS, "%s", pl_impl_name(what->a->impl));
	if (a->promise && !a->o->request.names.algorithm)
		plan.n_orders = add_collectives(order, a->promise);
	for (size_t k = 0; a->promise && k < plan.n_orders; k++)
		tell_hops(&order[k], a->promise);
	pl_clock_date(created);
	memcpy(digest, a->from->digest, sizeof(digest));
	if (a->o->plan_costs)
		plan.cost = take_costs(a->in, err);
	if (!a->o->plan_costs || plan.cost)
		rc = pl_plan_write(&plan, out, err);
	free(plan.cost);
	return rc;
}

static int write_rules(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	pl_reorder_rules_write(a->rules, out);
	return 0;
}

int pl_reorder_write(const struct pl_reorder_answer *a, enum pl_reorder_format format, FILE *out,
		     struct pl_err *err)
{
	return pl_reorder_form(format)->write(a, out, err);
}

#define OF_MPIRUN (PL_FORM_MPIRUN | PL_FORM_VERIFIED)

const struct pl_reorder_form pl_form_hostfile = {
	.name = "hostfile",
	.file = "hostfile",
	.flags = OF_MPIRUN,
	.write = pl_reorder_write_ranks,
};

const struct pl_reorder_form pl_form_seq = {
	.name = "seq",
	.file = "hostfile",
	.flags = OF_MPIRUN,
	.write = pl_reorder_write_ranks,
};

const struct pl_reorder_form pl_form_rankfile = {
	.name = "rankfile",
	.file = "rankfile",
	.flags = OF_MPIRUN,
	.write = write_rankfile,
};

const struct pl_reorder_form pl_form_names = {
	.name = "names",
	.file = "hostfile",
	.flags = PL_FORM_VERIFIED,
	.write = pl_reorder_write_names,
};

const struct pl_reorder_form pl_form_plan = {
	.name = "plan",
	.file = "plan",
	.flags = PL_FORM_VERIFIED,
	.write = write_plan,
};

const struct pl_reorder_form pl_form_json = {
	.name = "json",
	.flags = PL_FORM_VERIFIED,
	.write = pl_reorder_write_json,
};

const struct pl_reorder_form pl_form_ompi_rules = {
	.name = "ompi-rules",
	.file = "hostfile",
	.flags = OF_MPIRUN,
	.write = write_rules,
};
