/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c - by how much fping's round trips differ from those of agents */
#include "config.h"

#include "probes/fping/calibrate.h"

#include "base/mem.h"
#include "base/stats.h"
#include "probes/fping/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hosts that fping has measured, evenly over the list; at[] are their places in
 * @m. 0, or -1: out of memory. */
static int choose(const struct pl_matrix *m, size_t most, struct pl_hosts *some, size_t *at)
{
	size_t n_up = 0, seen = 0;

	for (size_t i = 0; i < m->hosts.n; i++)
		n_up += m->hosts.v[i].addr != NULL;
	if (most > n_up)
		most = n_up;
	for (size_t i = 0; i < m->hosts.n; i++) {
		if (!m->hosts.v[i].addr)
			continue;
		/* does a multiple of n_up / most fall on it? */
		if (seen * most / n_up != (seen + 1) * most / n_up) {
			at[some->n] = i;
			if (pl_hosts_add(some, &m->hosts.v[i]))
				return -1;
		}
		seen++;
	}
	return 0;
}

static bool is_same_address(const struct pl_host *a, const struct pl_host *b)
{
	return a->addr && b->addr && !strcmp(a->addr, b->addr);
}

/* Puts what both have into v[]; returns how many. */
static size_t compare(const struct pl_matrix *m, const struct pl_matrix *udp, const size_t *at,
		      double *v)
{
	const size_t n = udp->hosts.n;
	size_t n_ways = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const double by_udp = pl_layer_get(&udp->layer[0], i * n + j);
			const double by_fping =
				pl_layer_get(&m->layer[0], at[i] * m->hosts.n + at[j]);

			if (i != j && !isnan(by_udp) && !isnan(by_fping) &&
			    is_same_address(&udp->hosts.v[i], &m->hosts.v[at[i]]) &&
			    is_same_address(&udp->hosts.v[j], &m->hosts.v[at[j]]))
				v[n_ways++] = by_fping - by_udp;
		}
	return n_ways;
}

static int note(struct pl_matrix *m, struct pl_calibration *c, double *v)
{
	if (c->n_ways == 0)
		return pl_matrix_add_header(m, "calibration", "ways=0");
	pl_sort_doubles(v, c->n_ways);
	c->median_ns = v[pl_percentile_index(c->n_ways, 0.5)];
	c->low_ns = v[pl_percentile_index(c->n_ways, 0.1)];
	c->high_ns = v[pl_percentile_index(c->n_ways, 0.9)];
	return pl_matrix_print_header(m, "calibration",
				      "ways=%zu icmp-less-udp-ns=%.0f p10=%.0f p90=%.0f", c->n_ways,
				      c->median_ns, c->low_ns, c->high_ns);
}

/* Why no pair was measured both ways. */
static void explain(struct pl_calibration *c, const struct pl_matrix *udp, const struct pl_err *why)
{
	const char *reason = "the agents' addresses are not those that fping "
			     "measured; name a network with --iface";

	if (c->n_hosts < 2)
		reason = "at least two hosts that fping has reached are needed";
	else if (!udp)
		reason = why->text;
	else if (pl_matrix_missing(udp) == udp->hosts.n * (udp->hosts.n - 1))
		reason = udp->n_notes > 0 ? udp->note[0].text : "nothing was measured";
	snprintf(c->reason, sizeof(c->reason), "%s", reason);
}

int pl_calibrate(struct pl_matrix *m, const struct pl_probe_options *options, size_t n_hosts,
		 struct pl_calibration *c, struct pl_err *err)
{
	struct pl_probe_options o = *options;
	struct pl_probe_report report;
	struct pl_hosts some = {0};
	struct pl_matrix *udp = NULL;
	struct pl_err why = {0};
	size_t *at = pl_array_create(m->hosts.n, sizeof(*at));
	double *v = NULL;
	int status = -1;

	*c = (struct pl_calibration){0};
	if (!at || choose(m, n_hosts, &some, at))
		goto out;
	c->n_hosts = some.n;
	o.method = PL_PROBE_UDP;
	o.gap_ns = pl_fping_gap(options->gap_ns);
	o.resume = NULL;
	o.save = NULL;
	o.budget_ns = 0;
	o.budget_probes = 0;
	o.again_share = 0;
	o.drift_pairs = 0;
	if (some.n > 1)
		udp = pl_probe_run(&some, &o, &report, &why);
	v = pl_array_create(some.n, some.n * sizeof(*v));
	if (!v)
		goto out;
	c->n_ways = udp ? compare(m, udp, at, v) : 0;
	if (c->n_ways == 0)
		explain(c, udp, &why);
	status = note(m, c, v);
out:
	pl_matrix_destroy(udp);
	pl_hosts_fini(&some);
	free(at);
	free(v);
	return status ? pl_err_nomem(err) : 0;
}
