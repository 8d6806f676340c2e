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

struct pl_matrix *srift_matrix_read(const struct srift_options *o,
				    struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = PL_NS};
	struct pl_matrix *m = pl_matrix_read(o->matrix, &reading, err);
	char text[PL_RATES_TEXT];

	if (!m || pl_rates_complete(m, text, err)) {
		pl_matrix_destroy(m);
		return NULL;
	}
	if (text[0])
		srift_say(PL_RATES_TOLD, text);
	return m;
}

static int read_matrix(struct srift_plans *p, struct pl_err *err)
{
	p->matrix = srift_matrix_read(p->o, err);
	if (!p->matrix)
		return -1;
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

static size_t count_type(const struct pl_hosts *hosts, const char *type)
{
	size_t n = 0;

	for (size_t i = 0; i < hosts->n; i++)
		n += strcmp(hosts->v[i].type, type) == 0;
	return n;
}

/* As many hosts, ranks and machines of each type? */
static bool are_alike(const struct srift_plans *p, const struct pl_hosts *a,
		      const struct pl_hosts *b)
{
	if (a->n != b->n || pl_hosts_ranks(a) != pl_hosts_ranks(b))
		return false;
	for (size_t i = 0; p->typed && i < a->n; i++)
		if (count_type(a, a->v[i].type) != count_type(b, a->v[i].type))
			return false;
	return true;
}

static int check_sizes(const struct srift_plans *p, struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < i; k++)
			if (are_alike(p, &p->plan[i].hosts, &p->plan[k].hosts))
				return pl_err_set(err, PL_EINPUT,
						  "%s and %s are plans of as "
						  "many machines: give one",
						  p->o->plan[k], p->o->plan[i]);
	return 0;
}

int srift_plans_read(struct srift_plans *p, const struct srift_options *o,
		     struct pl_err *err)
{
	p->o = o;
	for (; p->n < o->n_plans; p->n++)
		if (pl_plan_read(&p->plan[p->n], o->plan[p->n], err))
			return -1;
	if (check_types(p, err) || check_sizes(p, err))
		return -1;
	return read_matrix(p, err);
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

bool srift_plans_is_mixed(const struct srift_plans *p, size_t i)
{
	const struct pl_hosts *hosts = &p->plan[i].hosts;

	return p->typed && count_type(hosts, hosts->v[0].type) < hosts->n;
}

int srift_plans_predict(const struct srift_plans *p, size_t i,
			enum pl_placed_order which, uint64_t bytes,
			struct pl_busbw *t, struct pl_err *err)
{
	struct pl_placed placed = {.plan = &p->plan[i], .net = &p->net};
	struct pl_err fault = {0};
	size_t *host_of = pl_placed_match(&p->plan[i], p->matrix, &fault);
	int rc;

	if (!host_of)
		return pl_err_set(err, fault.code, "%s: %s", p->o->plan[i],
				  fault.text);
	placed.host_of = host_of;
	rc = pl_busbw_predict(t, &placed, which, bytes, err);
	free(host_of);
	return rc;
}

static bool is_of_type(const struct srift_plans *p,
		       const struct pl_hosts *hosts,
		       const struct pl_profile_instance *type)
{
	for (size_t i = 0; i < hosts->n; i++)
		if ((size_t)hosts->v[i].slots != type->ranks)
			return false;
	return !p->typed || count_type(hosts, type->name) == hosts->n;
}

int srift_plans_predict_all(const struct srift_plans *p,
			    const struct pl_profile_instance *type,
			    uint64_t bytes, struct pl_busbw *t,
			    struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		if (type && !is_of_type(p, &p->plan[i].hosts, type))
			continue;
		if (srift_plans_predict(p, i, PL_ORDER_FOUND, bytes, t, err))
			return -1;
	}
	return 0;
}
