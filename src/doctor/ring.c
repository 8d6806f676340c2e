/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - tests whether each host's agent hears that of the next one, by UDP and by TCP */
#include "config.h"

#include "src/doctor/ring.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "probes/bandwidth/layers.h"
#include "src/common/probing.h"
#include "src/doctor/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S_NS INT64_C(1000000000)
#define PROBES 8
#define SILENCE_NS (5 * S_NS) /* of a pair whose packets are dropped */

/* A flow: no more than shows that bytes pass. */
#define FLOW_NS (2 * S_NS)
#define FLOW_BYTES (UINT64_C(4) << 20)

/* The run, whose hosts are numbered by place in @host. */
struct run {
	size_t *host; /* [n] into the facts */
	size_t n;
	struct pl_probe_pair *pair; /* [n_pairs] */
	size_t n_pairs;
	bool *lost; /* [n] */
	bool begun;
	struct pl_probe_flow *flow; /* [2 * n_pairs] of the set that runs */
	size_t n_sets;              /* that were named */
};

/* Chooses all pairs at once. If it is asked again, hosts that are lost are known. */
static int next(void *arg, const struct pl_matrix *m, const bool *lost,
		const struct pl_probe_pair **pair, size_t *n, struct pl_err *err)
{
	struct run *r = arg;

	(void)m;
	(void)err;
	memcpy(r->lost, lost, r->n * sizeof(*lost));
	*pair = r->pair;
	*n = r->begun ? 0 : r->n_pairs;
	r->begun = true;
	return 0;
}

/* The flows of every second pair, then of the others; the pair that closes a ring of an odd number
 * of hosts has a set of its own. */
static int next_flows(void *arg, const struct pl_matrix *m, const bool *lost,
		      struct pl_probe_flow **flow, size_t *n, bool *apart, struct pl_err *err)
{
	struct run *r = arg;

	(void)m;
	(void)lost;
	(void)err;
	*flow = r->flow;
	*n = 0;
	*apart = true;
	for (size_t k = 0; k < r->n_pairs; k++) {
		const struct pl_probe_pair p = r->pair[k];
		const size_t set = p.a > p.b && r->n % 2 ? 2 : k % 2;

		if (set != r->n_sets)
			continue;
		r->flow[(*n)++] = (struct pl_probe_flow){.src = p.a, .dst = p.b};
		r->flow[(*n)++] = (struct pl_probe_flow){.src = p.b, .dst = p.a};
	}
	r->n_sets++;
	return 0;
}

static int list(struct run *r, struct pl_hosts *hosts, const struct pl_doctor_facts *v, size_t n)
{
	r->host = pl_array_create(n, sizeof(*r->host));
	r->pair = pl_array_create(n, sizeof(*r->pair));
	r->lost = pl_array_create(n, sizeof(*r->lost));
	r->flow = pl_array_create(n, 2 * sizeof(*r->flow));
	if (!r->host || !r->pair || !r->lost || !r->flow)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct pl_host host = {.name = (char *)v[i].name, .slots = 1};

		if (!v[i].probed)
			continue;
		r->host[r->n++] = i;
		if (pl_hosts_add(hosts, &host))
			return -1;
	}
	for (size_t k = 0; k + 1 < r->n; k++)
		r->pair[r->n_pairs++] = (struct pl_probe_pair){k, k + 1};
	if (r->n > 2)
		r->pair[r->n_pairs++] = (struct pl_probe_pair){r->n - 1, 0};
	return 0;
}

/* "name: reason" as the matrix notes it for a host that is lost. */
static void take_loss(struct pl_doctor_facts *f, const char *note)
{
	const size_t len = strlen(f->name);

	if (note && !strncmp(note, f->name, len) && !strncmp(note + len, ": ", 2))
		note += len + 2;
	snprintf(f->probe_fault, sizeof(f->probe_fault), "%s", note ? note : "its agent was lost");
}

/* The first note on that way: of a flow, or of what is not one. */
static const char *note_of(const struct pl_matrix *m, bool of_flow, size_t src, size_t dst)
{
	for (size_t k = 0; k < m->n_notes; k++)
		if (m->note[k].src == src && m->note[k].dst == dst &&
		    pl_tiers_flow_failed(&m->note[k]) == of_flow)
			return pl_bandwidth_words(&m->note[k]);
	return NULL;
}

/* At least one neighbour of a lost host has a note with the reason. */
static void take_losses(const struct run *r, const struct pl_matrix *m, struct pl_doctor_facts *v)
{
	for (size_t k = 0; k < r->n_pairs; k++) {
		const size_t a = r->pair[k].a, b = r->pair[k].b;

		if (r->lost[a])
			take_loss(&v[r->host[a]], note_of(m, false, a, b));
		if (r->lost[b])
			take_loss(&v[r->host[b]], note_of(m, false, b, a));
	}
}

static void set_passing(struct pl_doctor_passing *p, bool well, const char *there, const char *back)
{
	p->well = well;
	snprintf(p->why, sizeof(p->why), "%s", well ? "" : there ? there : back ? back : "");
}

static void take_pair(struct pl_doctor_ring *ring, const struct run *r, const struct pl_matrix *m,
		      size_t k)
{
	const size_t a = r->pair[k].a, b = r->pair[k].b;
	const struct pl_layer *p10 = &m->layer[0];
	const bool forth = !isnan(pl_layer_get(p10, a * r->n + b));
	const bool back = !isnan(pl_layer_get(p10, b * r->n + a));
	const char *no_flow = note_of(m, true, a, b);
	const char *none_back = note_of(m, true, b, a);
	struct pl_doctor_pair *p = &ring->v[ring->n];

	if (r->lost[a] || r->lost[b])
		return;
	*p = (struct pl_doctor_pair){.a = r->host[a], .b = r->host[b]};
	set_passing(&p->by[PL_DOCTOR_BY_UDP], forth && back, forth ? NULL : note_of(m, false, a, b),
		    back ? NULL : note_of(m, false, b, a));
	set_passing(&p->by[PL_DOCTOR_BY_TCP], !no_flow && !none_back, no_flow, none_back);
	ring->n++;
}

static void set_options(struct pl_probe_options *o, const struct pl_probe_options *given,
			const struct pl_probe_chooser *chooser,
			const struct pl_probe_flow_chooser *flows, int64_t limit_ns)
{
	*o = *given;
	o->probes_min = o->probes_max = PROBES;
	o->silence_ns = SILENCE_NS;
	o->start_ns = limit_ns;
	o->flows = 1;
	o->again_share = 0;
	o->drift_pairs = 0;
	o->chooser = chooser;
	o->bandwidth = PL_BANDWIDTH_FEW;
	o->flow_chooser = flows;
	o->flow_ns = FLOW_NS;
	o->flow_bytes = FLOW_BYTES;
}

/* Without a matrix no host took part; if there was one host only, it is the one at fault. */
static void take_failure(struct pl_doctor_ring *ring, const struct run *r,
			 struct pl_doctor_facts *v, const char *why)
{
	if (r->n == 1)
		snprintf(v[r->host[0]].probe_fault, PL_DOCTOR_FAULT, "%s", why);
	else
		snprintf(ring->fault, sizeof(ring->fault), "%s", why);
}

int pl_doctor_ring_probe(struct pl_doctor_ring *ring, struct pl_doctor_facts *v, size_t n,
			 const struct pl_probe_options *options, int64_t limit_ns,
			 struct pl_err *err)
{
	struct run r = {0};
	const struct pl_probe_chooser chooser = {
		.next = next, .arg = &r, .how = "each host and the next"};
	const struct pl_probe_flow_chooser flows = {.next = next_flows, .arg = &r};
	struct pl_hosts hosts = {0};
	struct pl_probe_options o;
	struct pl_probe_report report = {0};
	struct pl_matrix *m = NULL;
	struct pl_err why = {0};
	int rc = 0;

	set_options(&o, options, &chooser, &flows, limit_ns);
	ring->v = pl_array_create(n, sizeof(*ring->v));
	if (!ring->v || list(&r, &hosts, v, n)) {
		rc = pl_err_nomem(err);
	} else if (r.n > 0) {
		m = pl_probe_run(&hosts, &o, &report, &why);
		ring->probes = report.packets_sent;
		if (o.stop && *o.stop)
			rc = pl_err_set(err, PL_EPARTIAL, "interrupted");
		else if (!m)
			take_failure(ring, &r, v, why.text);
		else
			take_losses(&r, m, v);
		if (m)
			pl_probing_say_ways(PL_DOCTOR_TOOL, m);
		for (size_t k = 0; rc == 0 && m && k < r.n_pairs; k++)
			take_pair(ring, &r, m, k);
	}
	pl_matrix_destroy(m);
	pl_hosts_fini(&hosts);
	free(r.host);
	free(r.pair);
	free(r.lost);
	free(r.flow);
	return rc;
}

void pl_doctor_ring_fini(struct pl_doctor_ring *ring)
{
	free(ring->v);
	*ring = (struct pl_doctor_ring){0};
}
