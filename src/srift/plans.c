/* SPDX-License-Identifier: BSD-3-Clause */
/* plans.c - bandwidths by a matrix and the plans of jobs of several sizes */
#include "config.h"

#include "src/srift/plans.h"

#include "topology/rates.h"

#include <stdlib.h>
#include <string.h>

void srift_plans_fini(struct srift_plans *p)
{
	for (size_t i = 0; i < p->n; i++)
		pl_plan_fini(&p->plan[i]);
	pl_network_fini(&p->net);
	pl_matrix_destroy(p->matrix);
	memset(p, 0, sizeof(*p));
}

/* The matrix, with the rates of cards and uplinks that its bandwidths show. */
static int read_matrix(struct srift_plans *p, struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = PL_NS};
	char text[PL_RATES_TEXT];

	p->matrix = pl_matrix_read(p->o->matrix, &reading, err);
	if (!p->matrix || pl_rates_complete(p->matrix, text, err))
		return -1;
	if (text[0])
		srift_say(PL_RATES_TOLD, text);
	if (pl_network_init(&p->net, p->matrix, err))
		return -1;
	return pl_network_set_rates(&p->net, p->o->nic_bps, p->o->uplink_bps,
				    err);
}

/* Hosts have types, all of them, or none has. */
static int check_types(struct srift_plans *p, struct pl_err *err)
{
	p->typed = p->plan[0].hosts.v[0].type != NULL;
	for (size_t i = 0; i < p->n; i++) {
		const struct pl_hosts *hosts = &p->plan[i].hosts;

		for (size_t k = 0; k < hosts->n; k++)
			if ((hosts->v[k].type != NULL) != p->typed)
				return pl_err_set(
					err, PL_EINPUT,
					"%s: host %s has %s type, others have "
					"%s: give all hosts one in the host "
					"list, or none",
					p->o->plan[i], hosts->v[k].name,
					p->typed ? "no" : "a",
					p->typed ? "one" : "none");
	}
	return 0;
}

int srift_plans_read(struct srift_plans *p, const struct srift_options *o,
		     struct pl_err *err)
{
	p->o = o;
	for (; p->n < o->n_plans; p->n++)
		if (pl_plan_read(&p->plan[p->n], o->plan[p->n], err))
			return -1;
	return check_types(p, err) || read_matrix(p, err) ? -1 : 0;
}

static size_t count_type(const struct pl_hosts *hosts, const char *type)
{
	size_t n = 0;

	for (size_t i = 0; i < hosts->n; i++)
		n += strcmp(hosts->v[i].type, type) == 0;
	return n;
}

bool srift_plans_is_for(const struct srift_plans *p, size_t i,
			const struct pl_selection *sel)
{
	const struct pl_hosts *hosts = &p->plan[i].hosts;

	if (hosts->n != pl_selection_machines(sel) ||
	    pl_hosts_ranks(hosts) != pl_selection_ranks(sel))
		return false;
	for (size_t k = 0; p->typed && k < sel->n_parts; k++)
		if (count_type(hosts, sel->part[k].instance->name) !=
		    sel->part[k].count)
			return false;
	return true;
}

int srift_plans_predict(const struct srift_plans *p, size_t i,
			enum pl_placed_order which, uint64_t bytes,
			struct pl_busbw *t, struct pl_err *err)
{
	struct pl_placed placed = {.plan = &p->plan[i], .net = &p->net};
	size_t *host_of = pl_placed_match(&p->plan[i], p->matrix, err);
	struct pl_err fault = {0};
	int rc = -1;

	if (!host_of)
		return -1;
	placed.host_of = host_of;
	rc = pl_busbw_predict(t, &placed, which, bytes, &fault);
	free(host_of);
	return rc ? pl_err_set(err, fault.code, "%s: %s", p->o->plan[i],
			       fault.text)
		  : 0;
}

int srift_plans_predict_all(const struct srift_plans *p, const char *type,
			    uint64_t bytes, struct pl_busbw *t,
			    struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct pl_hosts *hosts = &p->plan[i].hosts;

		if (type && p->typed && count_type(hosts, type) < hosts->n)
			continue;
		if (srift_plans_predict(p, i, PL_ORDER_FOUND, bytes, t, err))
			return -1;
	}
	return 0;
}
