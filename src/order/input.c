/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - what plink-order works on: hosts and costs between them */
#include "config.h"

#include "src/order/input.h"

#include "src/mem.h"
#include "src/names.h"
#include "src/order/missing.h"
#include "src/order/probe.h"
#include "src/outfile.h"
#include "src/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pl_order_label(char buf[PL_HOST_LABEL], const struct pl_host *host)
{
	if (host->port)
		snprintf(buf, PL_HOST_LABEL, "%s port %d", host->name,
			 host->port);
	else
		snprintf(buf, PL_HOST_LABEL, "%s", host->name);
	return buf;
}

void pl_order_input_fini(struct pl_order_input *in)
{
	pl_hosts_fini(&in->hosts);
	pl_hosts_fini(&in->dropped);
	free(in->c);
	memset(in, 0, sizeof(*in));
}

enum { FIND_NONE = -1, FIND_SEVERAL = -2 };

/*
 * The matrix's host that is the same machine: one of that port is preferred, one
 * without a port will do, and for a host without one the only one of that name.
 */
static ptrdiff_t find(const struct pl_matrix *m, const struct pl_names *names,
		      const struct pl_host *host)
{
	const ptrdiff_t first =
		pl_names_find(names, host->name, strlen(host->name));

	if (first < 0 || !m->hosts.v[first].port)
		return first;
	if (m->hosts.v[first].port == host->port)
		return first;
	for (size_t i = (size_t)first + 1; i < m->hosts.n; i++) {
		if (strcmp(m->hosts.v[i].name, host->name) != 0)
			continue;
		if (!host->port)
			return FIND_SEVERAL;
		if (m->hosts.v[i].port == host->port)
			return (ptrdiff_t)i;
	}
	return host->port ? FIND_NONE : first;
}

static int index_names(struct pl_names *names, const struct pl_hosts *hosts,
		       struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const char *name = hosts->v[i].name;

		if (pl_names_add(names, name, strlen(name), i) < 0)
			return pl_err_nomem(err);
	}
	return 0;
}

/* A string of the host list's is kept, else one of the matrix's copied. */
static int adopt(char **to, const char *from)
{
	if (*to || !from)
		return 0;
	*to = pl_string_copy(from, strlen(from));
	return *to ? 0 : -1;
}

/* index[h]: the matrix's host for each of ours, which learns its other names. */
static int match(struct pl_order_input *in, const struct pl_matrix *m,
		 size_t *index, struct pl_err *err)
{
	struct pl_names names = {0};
	char label[PL_HOST_LABEL];
	int rc = index_names(&names, &m->hosts, err);

	for (size_t h = 0; rc == 0 && h < in->hosts.n; h++) {
		struct pl_host *host = &in->hosts.v[h];
		const ptrdiff_t at = find(m, &names, host);

		if (at < 0) {
			rc = pl_err_set(err, PL_EINPUT,
					at == FIND_SEVERAL
						? "host \"%s\": the matrix has "
						  "several ports of it"
						: "host \"%s\" is not in the "
						  "matrix",
					pl_order_label(label, host));
			break;
		}
		index[h] = (size_t)at;
		if (adopt(&host->node, m->hosts.v[at].node) ||
		    adopt(&host->addr, m->hosts.v[at].addr))
			rc = pl_err_nomem(err);
	}
	pl_names_fini(&names);
	return rc;
}

/* Between entries that are the same host nothing is to be paid. */
static void pick(struct pl_order_input *in, const struct pl_matrix *m,
		 const double *all, const size_t *index)
{
	const size_t n = in->hosts.n, n_all = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			in->c[i * n + j] =
				index[i] == index[j]
					? 0
					: all[index[i] * n_all + index[j]];
}

/* Pairs of hosts, each once; listed[n_all], zeroed, is scratch. */
static void count_pairs(struct pl_order_input *in, const struct pl_matrix *m,
			const size_t *index, bool *listed)
{
	const double *raw = m->layer[0].cell;
	const size_t n_all = m->hosts.n;

	for (size_t h = 0; h < in->hosts.n; h++)
		listed[index[h]] = true;
	for (size_t i = 0; i < n_all; i++)
		for (size_t j = 0; listed[i] && j < n_all; j++) {
			if (i == j || !listed[j])
				continue;
			if (isnan(raw[i * n_all + j]))
				in->pairs_missing++;
			else
				in->pairs_measured++;
		}
}

/* Costs between our hosts, NaN where missing. */
static int take_costs(struct pl_order_input *in, const struct pl_matrix *m,
		      enum pl_symmetrize how, struct pl_err *err)
{
	const size_t n = in->hosts.n, n_all = m->hosts.n;
	size_t *index = pl_array_create(n, sizeof(*index));
	bool *listed = pl_array_create(n_all, sizeof(*listed));
	double *all = pl_array_create(n_all * n_all, sizeof(*all));
	int rc = -1;

	in->c = pl_array_create(n * n, sizeof(*in->c));
	if (!index || !listed || !all || !in->c) {
		pl_err_nomem(err);
		goto out;
	}
	if (match(in, m, index, err))
		goto out;
	pl_matrix_costs(m, how, all);
	pick(in, m, all, index);
	count_pairs(in, m, index, listed);
	rc = 0;
out:
	free(all);
	free(listed);
	free(index);
	return rc;
}

/* Can the sum over a ring be told in a double? */
static int check_sums(const struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;

	for (size_t i = 0; i < n * n; i++)
		if (in->c[i] * 4 * (double)n > 1e300)
			return pl_err_set(err, PL_EINPUT,
					  "the costs are too large to be "
					  "added up");
	return 0;
}

static int check_quantity(const struct pl_matrix *m, struct pl_err *err)
{
	const enum pl_quantity q = m->layer[0].quantity;

	if (q == PL_RTT || q == PL_ONE_WAY)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "the matrix holds a %s, not a cost: rtt or one-way "
			  "is needed",
			  pl_quantity_name(q));
}

static int save_matrix(const struct pl_matrix *m, const char *path,
		       struct pl_err *err)
{
	struct pl_outfile out = {0};

	if (pl_outfile_open(&out, path, err))
		return -1;
	if (pl_matrix_write(m, out.f, err)) {
		pl_outfile_abort(&out);
		return -1;
	}
	return pl_outfile_commit(&out, err);
}

static struct pl_matrix *get_matrix(struct pl_order_input *in,
				    const struct pl_order_options *o,
				    const struct pl_stop *stop,
				    struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = o->unit};

	if (o->matrix)
		return pl_matrix_read(o->matrix, &reading, err);
	in->probed = true;
	return pl_order_probe(&in->hosts, o, stop, &in->probe_seconds, err);
}

static bool writes_plan(const struct pl_order_options *o)
{
	return o->plan || o->format == PL_FORMAT_PLAN;
}

/* What is wrong with the list is told before anything is measured. */
static int check_list(const struct pl_hosts *hosts,
		      const struct pl_order_options *o, struct pl_err *err)
{
	const struct pl_place place = {.file = o->hosts};
	size_t first, again;

	if (hosts->n > PL_MATRIX_HOSTS_MAX) /* ranks of a seq list count */
		return pl_err_at(err, place,
				 "%zu entries: at most %d can be ordered",
				 hosts->n, PL_MATRIX_HOSTS_MAX);
	if (!writes_plan(o))
		return 0;
	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(err);
	if (again < hosts->n)
		return pl_err_at(err, place,
				 "host \"%s\" comes again: a plan has each "
				 "host once",
				 hosts->v[again].name);
	return 0;
}

int pl_order_input_load(struct pl_order_input *in,
			const struct pl_order_options *o,
			const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_matrix *m = NULL;
	int rc = -1;

	if (o->hosts &&
	    (pl_hosts_read(&in->hosts, o->hosts, o->hosts_form, err) ||
	     check_list(&in->hosts, o, err)))
		return -1;
	m = get_matrix(in, o, stop, err);
	if (!m)
		return -1;
	if (!o->hosts && pl_hosts_copy(&in->hosts, &m->hosts)) {
		pl_err_nomem(err);
		goto out;
	}
	if (o->save_matrix && save_matrix(m, o->save_matrix, err))
		goto out;
	in->unit = m->layer[0].unit;
	/* as dear as writing the matrix: for plans only */
	if (writes_plan(o) && pl_matrix_digest(m, in->digest, err))
		goto out;
	if (check_quantity(m, err) ||
	    take_costs(in, m, o->has_symmetrize ? o->symmetrize : m->symmetrize,
		       err) ||
	    pl_order_missing(in, o->missing, m, err) || check_sums(in, err))
		goto out;
	rc = 0;
out:
	pl_matrix_destroy(m);
	return rc;
}
