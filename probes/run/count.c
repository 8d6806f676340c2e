/* SPDX-License-Identifier: BSD-3-Clause */
/* count.c - the pairs and flows of a run, before anything is started */
#include "config.h"

#include "base/mem.h"
#include "probes/bandwidth/bandwidth.h"
#include "probes/bandwidth/layers.h"
#include "probes/run/measure.h"
#include "probes/run/options.h"

#include <math.h>
#include <stdlib.h>

/* Is the pair there in both directions? */
static bool is_there(const struct pl_matrix *m, size_t a, size_t b)
{
	const size_t n = m->hosts.n;

	return !isnan(pl_layer_get(&m->layer[0], a * n + b)) &&
	       !isnan(pl_layer_get(&m->layer[0], b * n + a));
}

/* What @m lacks. */
static int count_missing(const struct pl_matrix *m, struct pl_probe_count *count,
			 struct pl_err *err)
{
	bool *all = pl_array_create(m->hosts.n, sizeof(*all));

	if (!all)
		return pl_err_nomem(err);
	for (size_t i = 0; i < m->hosts.n; i++)
		all[i] = true;
	count->n_pairs = pl_measure_list(m, all, NULL);
	count->n_ways = pl_matrix_missing(m);
	free(all);
	return 0;
}

/* All come in one step; @m has what is there. */
static int ask_chooser(const struct pl_probe_chooser *chooser, const struct pl_matrix *m,
		       struct pl_probe_count *count, struct pl_err *err)
{
	bool *lost = pl_array_create(m->hosts.n, sizeof(*lost));
	const struct pl_probe_pair *pair;
	size_t n;
	int status =
		lost ? chooser->next(chooser->arg, m, lost, &pair, &n, err) : pl_err_nomem(err);

	count->n_pairs = 0;
	for (size_t k = 0; status == 0 && k < n; k++)
		count->n_pairs += !is_there(m, pair[k].a, pair[k].b);
	free(lost);
	return status;
}

static int count_chosen(const struct pl_hosts *hosts, const struct pl_probe_options *o,
			struct pl_probe_count *count, struct pl_err *err)
{
	struct pl_matrix *none = NULL;
	int status = 0;

	count->is_most = o->chooser->most > 0;
	if (!count->is_most) {
		none = o->resume ? NULL : pl_matrix_create_few(hosts, err);
		if (!o->resume && !none)
			return -1;
		status = ask_chooser(o->chooser, none ? none : o->resume, count, err);
		pl_matrix_destroy(none);
	} else if (o->chooser->most < count->n_pairs) {
		count->n_pairs = o->chooser->most;
	}
	count->n_ways = 2 * count->n_pairs;
	return status;
}

int pl_probe_count(const struct pl_hosts *hosts, const struct pl_probe_options *given,
		   struct pl_probe_count *count, struct pl_err *err)
{
	struct pl_probe_options o;
	struct pl_hosts once = {0};
	int status;

	*count = (struct pl_probe_count){0};
	status = pl_options_settle(hosts, given, &once, &o, err);
	count->n_hosts = once.n;
	count->n_ways = once.n * (once.n - (once.n > 0));
	count->n_pairs = count->n_ways / 2;
	if (status == 0 && o.resume)
		status = count_missing(o.resume, count, err);
	if (status == 0 && o.chooser)
		status = count_chosen(&once, &o, count, err);
	if (status == 0) {
		count->n_flows = pl_bandwidth_count(o.resume, once.n, &o);
		count->n_flows_few =
			pl_bandwidth_wants_few(o.resume, &o) ? o.flow_chooser->flows_most : 0;
	}
	pl_hosts_fini(&once);
	return status;
}
