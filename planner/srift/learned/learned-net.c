/* SPDX-License-Identifier: BSD-3-Clause */
/* learned-net.c - a job's network as trees predict it */
#include "config.h"

#include "planner/srift/learned/learned.h"

#include "base/mem.h"
#include "planner/srift/learned/parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of two of bytes that are predicted: 2^0 to 2^50. */
#define N_SIZES 51

static enum pl_half half_of(const struct pl_learned *m, uint64_t bytes)
{
	if (!m->half[PL_HALF_LARGE].boost)
		return PL_HALF_SMALL;
	return m->half[PL_HALF_SMALL].boost && bytes <= m->mtu_bytes ? PL_HALF_SMALL
								     : PL_HALF_LARGE;
}

/* The queries for this half; x and told have room for all. */
static int predict_half(const struct pl_learned *m, enum pl_half half,
			const struct pl_learned_query *query, size_t n, float *x, float *told,
			double *bytes_per_s, struct pl_err *err)
{
	const struct pl_learned_half *h = &m->half[half];
	size_t n_rows = 0;

	for (size_t i = 0; i < n; i++)
		if (half_of(m, query[i].bytes) == half)
			pl_features_fill(m, &query[i], x + n_rows++ * PL_FEATURES);
	if (n_rows == 0)
		return 0;
	if (pl_boost_predict(h->boost, x, n_rows, PL_FEATURES, told, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (half_of(m, query[i].bytes) != half)
			continue;
		if (isnan(*told))
			return pl_err_set(err, PL_EINPUT, "the model does not give a number");
		bytes_per_s[i] = exp(h->base + fmin(fmax(*told++, h->least), h->most));
	}
	return 0;
}

/* As the trees have it, at numbers of ranks that they have seen. */
static int predict_seen(const struct pl_learned *m, const struct pl_learned_query *query, size_t n,
			double *bytes_per_s, struct pl_err *err)
{
	float *x = pl_array_create(n, PL_FEATURES * sizeof(*x));
	float *told = pl_array_create(n, sizeof(*told));
	int rc = 0;

	if (!x || !told)
		rc = pl_err_nomem(err);
	for (int i = 0; rc == 0 && i < PL_HALVES; i++)
		rc = predict_half(m, i, query, n, x, told, bytes_per_s, err);
	free(x);
	free(told);
	return rc;
}

/* The numbers of ranks around that one; the same twice where it was measured, or is beyond all that
 * were. */
static void around(const struct pl_grid_machine *m, size_t ranks, size_t at[2])
{
	size_t i = 0;

	while (i + 1 < m->n_ranks && m->ranks[i] < ranks)
		i++;
	at[1] = m->ranks[i];
	at[0] = i > 0 && ranks < at[1] ? m->ranks[i - 1] : at[1];
}

/* s / b is taken to be linear in n between what was measured, as it is for a ring: trees by
 * themselves would take the number below. */
static double between(const struct pl_learned_query *at, const double b[2], size_t ranks)
{
	const double lo = (double)at[0].ranks, hi = (double)at[1].ranks;

	if (lo == hi)
		return b[1];
	return 1 / (1 / b[0] + (1 / b[1] - 1 / b[0]) * ((double)ranks - lo) / (hi - lo));
}

int pl_learned_predict(const struct pl_learned *m, const struct pl_learned_query *query, size_t n,
		       double *bytes_per_s, struct pl_err *err)
{
	struct pl_learned_query *at = pl_array_create(n, 2 * sizeof(*at));
	double *b = pl_array_create(n, 2 * sizeof(*b));
	int rc = at && b ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		size_t ranks[2];

		around(&m->machine[query[i].machine], query[i].ranks, ranks);
		at[2 * i] = at[2 * i + 1] = query[i];
		at[2 * i].ranks = ranks[0];
		at[2 * i + 1].ranks = ranks[1];
	}
	if (rc == 0)
		rc = predict_seen(m, at, 2 * n, b, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		bytes_per_s[i] = between(&at[2 * i], &b[2 * i], query[i].ranks);
	free(at);
	free(b);
	return rc;
}

static bool is_at(const struct pl_grid_machine *m, const char *place)
{
	for (int i = 0; place && i <= PL_GRID_ZONE; i++)
		if (strcmp(m->text[i], place) == 0)
			return true;
	return !place;
}

/* The names in the model, for a message about another name. */
static void list(const struct pl_learned *m, const char *instance, char *s, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; i < m->n_machines; i++) {
		const struct pl_grid_machine *at = &m->machine[i];

		if (instance && strcmp(at->instance, instance) != 0)
			continue;
		used += (size_t)snprintf(s + used, room - used, "%s%s/%s/%s/%s", used ? ", " : "",
					 at->text[PL_GRID_CLOUD], at->text[PL_GRID_REGION],
					 at->text[PL_GRID_ZONE], at->instance);
		if (used + 8 > room) {
			strcpy(s + room - 8, ", ...");
			return;
		}
	}
}

int pl_learned_find(const struct pl_learned *m, const char *instance, const char *place,
		    size_t *machine, struct pl_err *err)
{
	bool named = false;
	size_t n = 0;
	char s[300] = "";

	for (size_t i = 0; i < m->n_machines; i++) {
		if (strcmp(m->machine[i].instance, instance) != 0)
			continue;
		named = true;
		if (!is_at(&m->machine[i], place))
			continue;
		*machine = i;
		n++;
	}
	if (n == 1)
		return 0;
	list(m, named ? instance : NULL, s, sizeof(s));
	if (n == 0)
		return pl_err_set(err, PL_EUSAGE, "the model has no %s%s%s: it has %s", instance,
				  place ? " in " : "", place ? place : "", s);
	return pl_err_set(
		err, PL_EUSAGE,
		"which %s? Choose its zone, region or cloud with --place: the model has %s",
		instance, s);
}

/* Of one number of ranks: bandwidths by machine and power of two, and the
 * cap. */
struct told {
	size_t n_ranks;
	double *bytes_per_s; /* [n_machines * N_SIZES] */
	double cap;
};

struct pl_learned_cache {
	struct told *told;
	size_t n, room;
};

int pl_learned_net_init(struct pl_learned_net *net, const struct pl_learned *m,
			const size_t *machine, size_t n_machines)
{
	*net = (struct pl_learned_net){.model = m, .n_machines = n_machines};
	net->machine = pl_array_create(n_machines, sizeof(*machine));
	net->cache = pl_array_create(1, sizeof(*net->cache));
	if (!net->machine || !net->cache) {
		pl_learned_net_fini(net);
		return -1;
	}
	memcpy(net->machine, machine, n_machines * sizeof(*machine));
	return 0;
}

void pl_learned_net_fini(struct pl_learned_net *net)
{
	for (size_t i = 0; net->cache && i < net->cache->n; i++)
		free(net->cache->told[i].bytes_per_s);
	if (net->cache)
		free(net->cache->told);
	free(net->cache);
	free(net->machine);
	memset(net, 0, sizeof(*net));
}

static uint64_t within(uint64_t x, uint64_t least, uint64_t most)
{
	return x < least ? least : x > most ? most : x;
}

/* Asks for all sizes with so many transfers at once. */
static int ask(const struct pl_learned_net *net, size_t machine, size_t n_ranks, size_t async,
	       double b[N_SIZES], struct pl_err *err)
{
	const struct pl_grid_machine *m = &net->model->machine[machine];
	struct pl_learned_query query[N_SIZES];

	for (int k = 0; k < N_SIZES; k++)
		query[k] = (struct pl_learned_query){
			machine, within((uint64_t)1 << k, m->bytes_min, m->bytes_max), n_ranks,
			async};
	return pl_learned_predict(net->model, query, N_SIZES, b, err);
}

/* Fills b[N_SIZES] for transfers alone; *cap: the best of any number of
 * them. */
static int ask_machine(const struct pl_learned_net *net, size_t machine, size_t n_ranks, double *b,
		       double *cap, struct pl_err *err)
{
	const struct pl_grid_machine *m = &net->model->machine[machine];
	double together[N_SIZES];

	if (n_ranks < m->ranks[0] || n_ranks > m->ranks[m->n_ranks - 1])
		return pl_err_set(err, PL_EUSAGE,
				  "bandwidths of %s were learned from %zu to %zu ranks, not for "
				  "%zu: learn from a grid with as many",
				  m->instance, m->ranks[0], m->ranks[m->n_ranks - 1], n_ranks);
	if (ask(net, machine, n_ranks, m->async_min, b, err))
		return -1;
	*cap = 0;
	for (size_t c = m->async_min;; c = within(2 * c, 1, m->async_max)) {
		if (ask(net, machine, n_ranks, c, together, err))
			return -1;
		for (int k = 0; k < N_SIZES; k++)
			*cap = fmax(*cap, (double)c * together[k]);
		if (c == m->async_max)
			return 0;
	}
}

/* The cap of all is that of the slowest machine. */
static int ask_all(const struct pl_learned_net *net, struct told *told, struct pl_err *err)
{
	told->cap = INFINITY;
	for (size_t i = 0; i < net->n_machines; i++) {
		double cap;

		if (ask_machine(net, net->machine[i], told->n_ranks,
				told->bytes_per_s + i * N_SIZES, &cap, err))
			return -1;
		told->cap = fmin(told->cap, cap);
	}
	return 0;
}

/* The predictions for that many ranks: NULL with @err set. */
static const struct told *told_of(const struct pl_learned_net *net, size_t n_ranks,
				  struct pl_err *err)
{
	struct pl_learned_cache *cache = net->cache;
	struct told told = {.n_ranks = n_ranks};

	for (size_t i = 0; i < cache->n; i++)
		if (cache->told[i].n_ranks == n_ranks)
			return &cache->told[i];
	told.bytes_per_s = pl_array_create(net->n_machines, N_SIZES * sizeof(*told.bytes_per_s));
	if (!told.bytes_per_s ||
	    pl_array_grow((void **)&cache->told, &cache->room, cache->n, sizeof(told)))
		pl_err_nomem(err);
	else if (ask_all(net, &told, err) == 0) {
		cache->told[cache->n] = told;
		return &cache->told[cache->n++];
	}
	free(told.bytes_per_s);
	return NULL;
}

static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const struct pl_learned_net *net = model;
	const struct told *told = told_of(net, n_ranks, err);
	size_t k = 0;

	if (!told)
		return -1;
	while (k + 1 < N_SIZES && ldexp(1, (int)k) < bytes)
		k++;
	*bytes_per_s = INFINITY;
	for (size_t i = 0; i < net->n_machines; i++) {
		const double least = (double)net->model->machine[net->machine[i]].bytes_min;
		const double b = told->bytes_per_s[i * N_SIZES + k];

		*bytes_per_s = fmin(*bytes_per_s, bytes < least ? b * bytes / least : b);
	}
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	const struct told *told = told_of(model, n_ranks, err);

	if (!told)
		return -1;
	*bytes_per_s = told->cap;
	return 0;
}

struct pl_comm pl_learned_comm(const struct pl_learned_net *net)
{
	return (struct pl_comm){.model = net, .bandwidth = bandwidth, .cap = cap};
}
