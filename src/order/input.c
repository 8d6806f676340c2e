/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - what plink-order works on: hosts and costs between them */
#include "config.h"

#include "src/order/input.h"

#include "src/hosts-slurm.h"
#include "src/mem.h"
#include "src/order/bandwidth.h"
#include "src/order/choose.h"
#include "src/order/format/format.h"
#include "src/order/match.h"
#include "src/order/missing.h"
#include "src/order/network.h"
#include "src/order/probe.h"
#include "src/order/window.h"
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
	free(in->per_byte);
	pl_matrix_destroy(in->matrix);
	free(in->machine);
	memset(in, 0, sizeof(*in));
}

/* to[n * n], from a square over the matrix's hosts: between entries that are the
 * same host nothing is to be paid. */
static void pick(double *to, size_t n, const struct pl_matrix *m,
		 const double *all, const size_t *index)
{
	const size_t n_all = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			to[i * n + j] =
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

/* What a byte costs between our hosts, where sizes matter and it is known; @all
 * is scratch. */
static int take_per_byte(struct pl_order_input *in, const struct pl_matrix *m,
			 const struct pl_order_options *o,
			 enum pl_symmetrize how, const size_t *index,
			 double *all, struct pl_err *err)
{
	const struct pl_layer *layer = pl_order_bandwidth(m);
	const size_t n = in->hosts.n;

	if (!layer || m->layer[0].quantity == PL_DISTANCE ||
	    !(o->what.has_size || pl_order_predicts(o)))
		return 0;
	in->per_byte = pl_array_create(n * n, sizeof(*in->per_byte));
	if (!in->per_byte)
		return pl_err_nomem(err);
	pl_order_per_byte(m, layer, how, all);
	pick(in->per_byte, n, m, all, index);
	return 0;
}

/* Costs between our hosts, NaN where missing. */
static int take_costs(struct pl_order_input *in, const struct pl_matrix *m,
		      const struct pl_order_options *o, struct pl_err *err)
{
	const enum pl_symmetrize how =
		o->has_symmetrize ? o->symmetrize : m->symmetrize;
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
	if (pl_order_match(in, m, index, err))
		goto out;
	pl_matrix_costs(m, how, all);
	pick(in->c, n, m, all, index);
	count_pairs(in, m, index, listed);
	rc = take_per_byte(in, m, o, how, index, all, err);
out:
	free(all);
	free(listed);
	free(index);
	return rc;
}

static int check_quantity(const struct pl_matrix *m,
			  const struct pl_order_options *o, struct pl_err *err)
{
	const enum pl_quantity q = m->layer[0].quantity;

	if (q == PL_RTT || q == PL_ONE_WAY)
		return 0;
	if (q == PL_DISTANCE && !pl_order_predicts(o))
		return 0;
	if (q == PL_DISTANCE)
		return pl_err_set(err, PL_EINPUT,
				  "the matrix holds distances by levels: "
				  "seconds cannot be predicted from them");
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
	if (o->topology)
		return pl_order_told_matrix(&in->hosts, o, &in->told, err);
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
	if (pl_order_choose_check(hosts, o, err) ||
	    pl_order_form_check(hosts, o, err))
		return -1;
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

static int read_hosts(struct pl_hosts *hosts, const struct pl_order_options *o,
		      struct pl_err *err)
{
	return pl_hosts_are_slurms(o->hosts)
		       ? pl_hosts_read_slurm(hosts, err)
		       : pl_hosts_read(hosts, o->hosts, o->hosts_form, err);
}

/* What was measured against what is told; or it is nothing but told. */
static int look_at_told(struct pl_order_input *in, const struct pl_matrix *m,
			const struct pl_order_options *o, struct pl_err *err)
{
	if (m->layer[0].quantity == PL_DISTANCE) {
		in->told.pairs = in->pairs_measured;
		in->pairs_measured = 0;
	}
	if (o->topology && o->matrix)
		return pl_order_told_compare(&in->hosts, in->c, o, &in->told,
					     err);
	return 0;
}

int pl_order_input_load(struct pl_order_input *in,
			const struct pl_order_options *o,
			const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_matrix *m = NULL;
	int rc = -1;

	if (o->hosts &&
	    (read_hosts(&in->hosts, o, err) || check_list(&in->hosts, o, err)))
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
	if (check_quantity(m, o, err) || take_costs(in, m, o, err) ||
	    look_at_told(in, m, o, err) ||
	    pl_order_missing(in, o->missing, m, err) ||
	    pl_order_choose_check(&in->hosts, o, err) ||
	    pl_order_form_check(&in->hosts, o, err) ||
	    pl_order_form_check_addresses(&in->hosts, o, err))
		goto out;
	if (pl_order_predicts(o) && pl_order_network_keep(in, m, err))
		goto out;
	rc = pl_order_take_windows(in, m->layer[0].quantity, o, err);
out:
	pl_matrix_destroy(m);
	return rc;
}
