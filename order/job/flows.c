/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - a job that only sends, as a problem of quadratic assignment */
#include "config.h"

#include "order/job/solve.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

bool pl_job_only_sends(const struct pl_job_cost_options *o)
{
	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k) && !pl_job_has_sends(&o->job->kind[k]))
			return false;
	return true;
}

/* Do the two hosts cost the same from and to all hosts, and nothing between each other? */
static bool are_one(const double *m, size_t n, size_t g, size_t h)
{
	if (!m)
		return true;
	if (m[g * n + h] != 0 || m[h * n + g] != 0)
		return false;
	for (size_t k = 0; k < n; k++)
		if (m[g * n + k] != m[h * n + k] || m[k * n + g] != m[k * n + h])
			return false;
	return true;
}

/* Numbers the machines; first[n] becomes a host of each. Returns how many. */
static size_t find_machines(struct pl_job_flows *f, const struct pl_costs *costs, size_t *first)
{
	size_t n = 0;

	for (size_t h = 0; h < costs->n; h++) {
		size_t k = 0;

		while (k < n && !(are_one(costs->c, costs->n, first[k], h) &&
				  are_one(costs->per_byte, costs->n, first[k], h)))
			k++;
		if (k == n)
			first[n++] = h;
		f->machine_of[h] = k;
	}
	return n;
}

static double *cells_of(const double *m, size_t n_hosts, const size_t *first, size_t n)
{
	double *to = pl_array_create(n, n * sizeof(*to));

	for (size_t a = 0; to && a < n; a++)
		for (size_t b = 0; b < n; b++)
			to[a * n + b] = m[first[a] * n_hosts + first[b]];
	return to;
}

static int take_machines(struct pl_job_flows *f, const struct pl_costs *costs)
{
	size_t *first = pl_array_create(costs->n, sizeof(*first));
	size_t n = 0;

	f->machine_of = pl_array_create(costs->n, sizeof(*f->machine_of));
	f->costs = *costs;
	if (first && f->machine_of)
		n = find_machines(f, costs, first);
	if (n < costs->n) { /* else no copy is needed */
		f->c = cells_of(costs->c, costs->n, first, n);
		if (costs->per_byte)
			f->per_byte = cells_of(costs->per_byte, costs->n, first, n);
		f->costs = (struct pl_costs){.n = n, .c = f->c, .per_byte = f->per_byte};
	}
	f->slots = pl_array_create(n, sizeof(*f->slots));
	free(first);
	return n > 0 && f->costs.c && f->slots && !f->costs.per_byte == !costs->per_byte ? 0 : -1;
}

/* What cost.h makes of the messages of a kind: the mean of the seats. */
static void add_flows(struct pl_job_flows *f, const struct pl_job_cost_options *o, size_t k)
{
	const struct pl_job_kind *kind = &o->job->kind[k];
	const size_t cards = o->job->cards ? o->job->cards : 1;
	const double weight = kind->calls * kind->exposed * (o->scale ? o->scale[k] : 1) /
			      (double)(o->seats.n * cards);

	for (size_t i = 0; i < kind->n_sends; i++) {
		const struct pl_job_send *send = &kind->send[i];

		f->flow[f->problem.n_flows++] =
			(struct pl_assign_flow){.src = (uint32_t)o->seats.seat_of[send->src],
						.dst = (uint32_t)o->seats.seat_of[send->dst],
						.messages = weight * (double)send->messages,
						.bytes = weight * (double)send->bytes};
	}
}

int pl_job_flows_init(struct pl_job_flows *f, const struct pl_job_cost_options *o,
		      const size_t *host_at)
{
	size_t n_sends = 0;

	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k))
			n_sends += o->job->kind[k].n_sends;
	f->flow = pl_array_create(n_sends, sizeof(*f->flow));
	if (!f->flow || take_machines(f, &o->costs)) {
		pl_job_flows_fini(f);
		return -1;
	}
	for (size_t i = 0; i < o->seats.n; i++)
		f->slots[f->machine_of[host_at[i]]]++;
	f->problem = (struct pl_assign_problem){
		.n_pos = o->seats.n, .flow = f->flow, .costs = &f->costs, .slots = f->slots};
	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k))
			add_flows(f, o, k);
	return 0;
}

void pl_job_flows_fini(struct pl_job_flows *f)
{
	free(f->machine_of);
	free(f->slots);
	free(f->c);
	free(f->per_byte);
	free(f->flow);
	memset(f, 0, sizeof(*f));
}

/* Gives the seats the hosts of these machines; a machine's hosts are taken in
 * the order in which the seats had them. @next: [machines], @host: [n]
 * scratch. */
static void spread(const struct pl_job_flows *f, const size_t *machine_at, size_t *host_at,
		   size_t *next, size_t *host)
{
	const size_t n = f->problem.n_pos;

	for (size_t k = 0, sum = 0; k < f->costs.n; k++) {
		next[k] = sum;
		sum += f->slots[k];
	}
	for (size_t i = 0; i < n; i++)
		host[next[f->machine_of[host_at[i]]]++] = host_at[i];
	for (size_t k = 0; k < f->costs.n; k++)
		next[k] -= f->slots[k];
	for (size_t i = 0; i < n; i++)
		host_at[i] = host[next[machine_at[i]]++];
}

int pl_job_flows_search(const struct pl_job_flows *f, const struct pl_assign_options *options,
			size_t *host_at, struct pl_assign_result *r, struct pl_err *err)
{
	const size_t n = f->problem.n_pos;
	size_t *at = pl_array_create(2 * n + f->costs.n, sizeof(*at));
	int rc;

	if (!at)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		at[i] = f->machine_of[host_at[i]];
	rc = pl_assign_search(&f->problem, options, at, r, err);
	if (rc == 0)
		spread(f, at, host_at, at + 2 * n, at + n);
	free(at);
	return rc;
}
