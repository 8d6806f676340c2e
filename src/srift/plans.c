/* SPDX-License-Identifier: BSD-3-Clause */
/* plans.c - bandwidths by a matrix and the plans of jobs of several sizes */
#include "config.h"

#include "src/srift/plans.h"

#include "base/mem.h"
#include "engine/hub-network.h"
#include "topology/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger all-reduces by hubs are not played: they get the bandwidth of this size. */
#define HUBS_BYTES (16 << 20)

void srift_plans_fini(struct srift_plans *p)
{
	for (size_t i = 0; i < p->n; i++)
		pl_plan_fini(&p->plan[i]);
	pl_network_fini(&p->net);
	pl_matrix_destroy(p->matrix);
	free(p->hub);
	memset(p, 0, sizeof(*p));
}

struct pl_matrix *srift_matrix_read(const struct srift_options *o, struct pl_err *err)
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
	return pl_network_init(&p->net, p->matrix, err);
}

/* Rates of the machines are not those of hubs that have their own. */
static int set_rates(struct srift_plans *p, struct pl_err *err)
{
	const struct srift_options *o = p->o;
	const struct pl_link_rate told = {o->hub.nic_bps, o->hub.nic_bps};
	struct pl_link_rate *card = p->net.tiers.card;
	struct pl_link_rate *own = pl_array_create(p->n_hubs + 1, sizeof(*own));
	int rc;

	if (!own)
		return pl_err_nomem(err);
	for (size_t k = 0; k < p->n_hubs; k++)
		own[k] = o->hub.nic_bps > 0 ? told : card[p->hub[k]];
	rc = pl_network_set_rates(&p->net, o->nic_bps, o->uplink_bps, err);
	for (size_t k = 0; rc == 0 && k < p->n_hubs; k++)
		if (own[k].out_bps > 0)
			card[p->hub[k]] = own[k];
	free(own);
	return rc;
}

/* Hosts have types, all of them, or none has. */
static int check_types(struct srift_plans *p, struct pl_err *err)
{
	p->typed = p->plan[0].hosts.v[0].type != NULL;
	for (size_t i = 0; i < p->n; i++) {
		const struct pl_hosts *hosts = &p->plan[i].hosts;

		for (size_t k = 0; k < hosts->n; k++)
			if ((hosts->v[k].type != NULL) != p->typed)
				return pl_err_set(err, PL_EINPUT,
						  "%s: host %s has %s type, others have %s: give "
						  "all hosts one in the host list, or none",
						  p->o->plan[i], hosts->v[k].name,
						  p->typed ? "no" : "a", p->typed ? "one" : "none");
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
				return pl_err_set(
					err, PL_EINPUT,
					"%s and %s are plans of as many machines: give one",
					p->o->plan[k], p->o->plan[i]);
	return 0;
}

static int add_hub(struct srift_plans *p, const char *name, size_t len, struct pl_err *err)
{
	char *own = pl_string_copy(name, len);
	const ptrdiff_t at = own ? pl_hosts_find(&p->matrix->hosts, own) : -1;
	int rc = own ? 0 : pl_err_nomem(err);

	if (rc == 0 && at < 0)
		rc = pl_err_set(err, PL_EUSAGE, "--aggregators: \"%s\" is none of the hosts of %s",
				own, p->o->matrix);
	for (size_t k = 0; rc == 0 && k < p->n_hubs; k++)
		if (p->hub[k] == (size_t)at)
			rc = pl_err_set(err, PL_EUSAGE, "--aggregators: \"%s\" comes again", own);
	for (size_t i = 0; rc == 0 && i < p->n; i++)
		if (pl_hosts_find(&p->plan[i].hosts, own) >= 0)
			rc = pl_err_set(err, PL_EUSAGE, "--aggregators: \"%s\" has ranks in %s",
					own, p->o->plan[i]);
	free(own);
	if (rc)
		return -1;
	p->hub[p->n_hubs++] = (size_t)at;
	return 0;
}

static int read_hubs(struct srift_plans *p, struct pl_err *err)
{
	const struct srift_list *number = &p->o->hub.number;
	const char *s = p->o->hub.aggregators;

	if (!s)
		return 0;
	p->hub = pl_array_create(strlen(s) + 1, sizeof(*p->hub));
	if (!p->hub)
		return pl_err_nomem(err);
	for (;; s++) {
		const size_t len = strcspn(s, ",");

		if (add_hub(p, s, len, err))
			return -1;
		s += len;
		if (!*s)
			break;
	}
	if (number->n && number->v[number->n - 1] > p->n_hubs)
		return pl_err_set(err, PL_EUSAGE, "--hubs: %zu, but --aggregators has %zu host%s",
				  number->v[number->n - 1], p->n_hubs, p->n_hubs == 1 ? "" : "s");
	return 0;
}

int srift_plans_read(struct srift_plans *p, const struct srift_options *o, struct pl_err *err)
{
	p->o = o;
	for (; p->n < o->n_plans; p->n++)
		if (pl_plan_read(&p->plan[p->n], o->plan[p->n], err))
			return -1;
	if (check_types(p, err) || check_sizes(p, err))
		return -1;
	return read_matrix(p, err) || read_hubs(p, err) || set_rates(p, err) ? -1 : 0;
}

bool srift_plans_is_for(const struct srift_plans *p, size_t i, const struct pl_selection *sel)
{
	const struct pl_hosts *hosts = &p->plan[i].hosts;

	if (hosts->n != pl_selection_machines(sel) ||
	    pl_hosts_ranks(hosts) != pl_selection_ranks(sel))
		return false;
	for (size_t k = 0; p->typed && k < sel->n_parts; k++)
		if (count_type(hosts, sel->part[k].instance->name) != sel->part[k].count)
			return false;
	return true;
}

bool srift_plans_is_mixed(const struct srift_plans *p, size_t i)
{
	const struct pl_hosts *hosts = &p->plan[i].hosts;

	return p->typed && count_type(hosts, hosts->v[0].type) < hosts->n;
}

int srift_plans_predict(const struct srift_plans *p, size_t i, enum pl_placed_order which,
			uint64_t bytes, struct pl_busbw *t, struct pl_err *err)
{
	struct pl_placed placed = {.plan = &p->plan[i], .net = &p->net};
	struct pl_err fault = {0};
	size_t *host_of = pl_placed_match(&p->plan[i], p->matrix, &fault);
	int rc;

	if (!host_of)
		return pl_err_set(err, fault.code, "%s: %s", p->o->plan[i], fault.text);
	placed.host_of = host_of;
	rc = pl_busbw_predict(t, &placed, which, bytes, err);
	free(host_of);
	return rc;
}

static bool is_of_type(const struct srift_plans *p, const struct pl_hosts *hosts,
		       const struct pl_profile_instance *type)
{
	for (size_t i = 0; i < hosts->n; i++)
		if ((size_t)hosts->v[i].slots != type->ranks)
			return false;
	return !p->typed || count_type(hosts, type->name) == hosts->n;
}

int srift_plans_predict_all(const struct srift_plans *p, const struct pl_profile_instance *type,
			    uint64_t bytes, struct pl_busbw *t, struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		if (type && !is_of_type(p, &p->plan[i].hosts, type))
			continue;
		if (srift_plans_predict(p, i, PL_ORDER_FOUND, bytes, t, err))
			return -1;
	}
	return 0;
}

/* [ranks of the plan, then hubs] hosts of the matrix; NULL with @err set. */
static size_t *seat(const struct srift_plans *p, size_t i, size_t n_hubs, struct pl_err *err)
{
	const struct pl_hosts *hosts = &p->plan[i].hosts;
	size_t *host_of = pl_placed_match(&p->plan[i], p->matrix, err);
	size_t *machine = NULL, n = 0;

	if (!host_of)
		return NULL;
	machine = pl_array_create(pl_hosts_ranks(hosts) + n_hubs, sizeof(*machine));
	if (!machine)
		pl_err_nomem(err);
	for (size_t k = 0; machine && k < hosts->n; k++)
		for (int r = 0; r < hosts->v[k].slots; r++)
			machine[n++] = host_of[k];
	for (size_t k = 0; machine && k < n_hubs; k++)
		machine[n++] = p->hub[k];
	free(host_of);
	return machine;
}

static const struct pl_busbw_world *find_world(const struct pl_busbw *t, size_t n_ranks)
{
	size_t i = 0;

	while (t->world[i].n_ranks != n_ranks)
		i++;
	return &t->world[i];
}

/* The sizes of @alone, which ascend. */
static int fill_hubs(struct pl_busbw_world *w, const struct srift_plans *p,
		     const struct pl_busbw_world *alone, const size_t *machine, size_t n_hubs,
		     struct pl_err *err)
{
	const size_t n = w->n_ranks;
	double bytes_per_s = 0, seconds;

	for (size_t k = 0; k < alone->n; k++) {
		const struct pl_busbw_point *point = &alone->point[k];
		const double bytes = point->bytes;

		if (bytes <= HUBS_BYTES) {
			if (pl_hub_network_seconds(&seconds, n, n_hubs, &p->net, machine,
						   (uint64_t)bytes, err))
				return -1;
			bytes_per_s = pl_bus_bytes(bytes, n) / seconds;
		}
		if (pl_busbw_add_size(w, bytes, fmax(bytes_per_s, point->bytes_per_s)))
			return pl_err_nomem(err);
	}
	return 0;
}

int srift_plans_predict_hubs(const struct srift_plans *p, size_t i, size_t n_hubs,
			     const struct pl_busbw *alone, struct pl_busbw *t, struct pl_err *err)
{
	struct pl_busbw_world w = {.n_ranks = pl_hosts_ranks(&p->plan[i].hosts)};
	size_t *machine = seat(p, i, n_hubs, err);
	int rc =
		machine ? fill_hubs(&w, p, find_world(alone, w.n_ranks), machine, n_hubs, err) : -1;

	if (rc == 0)
		rc = pl_busbw_take(t, &w, err);
	pl_busbw_world_fini(&w);
	free(machine);
	return rc;
}

int srift_plans_predict_all_hubs(const struct srift_plans *p,
				 const struct pl_profile_instance *type, size_t n_hubs,
				 const struct pl_busbw *alone, struct pl_busbw *t,
				 struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		if (type && !is_of_type(p, &p->plan[i].hosts, type))
			continue;
		if (srift_plans_predict_hubs(p, i, n_hubs, alone, t, err))
			return -1;
	}
	return 0;
}
