/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - where hosts and costs come from: files, probes, --topology */
#include "config.h"

#include "src/order/source.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/text/outfile.h"
#include "order/calls/network.h"
#include "order/costs.h"
#include "order/window.h"
#include "probes/launch/launch.h"
#include "src/common/missing.h"
#include "src/common/probing.h"
#include "src/order/choose.h"
#include "src/order/format/format.h"
#include "src/order/missing.h"
#include "topology/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define SHORTEST_NS 1000.0 /* round trip of a network */

void pl_reorder_source_fini(struct pl_reorder_source *from)
{
	pl_matrix_destroy(from->seen);
	free(from->seen_of);
	free(from->launch);
	free(from->ways.agent);
	free(from->ways.logins);
	free(from->ways.network);
	pl_kept_fini(&from->kept);
	pl_reorder_hubs_fini(&from->hubs);
	pl_reorder_remarks_fini(&from->remarks);
	pl_reorder_remarks_fini(&from->no_rates);
	memset(from, 0, sizeof(*from));
}

static int save_matrix(const struct pl_matrix *m, const char *path, struct pl_err *err)
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

static struct pl_matrix *get_matrix(struct pl_reorder_source *from, const struct pl_hosts *hosts,
				    const struct pl_reorder_options *o, const struct pl_stop *stop,
				    struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = o->unit};

	if (o->matrix)
		return pl_matrix_read(o->matrix, &reading, err);
	if (o->topology)
		return pl_reorder_topology_matrix(hosts, o, &from->topology, &from->remarks, err);
	from->probed = true;
	return pl_reorder_probe(hosts, o, stop, &from->kept, &from->probe, err);
}

/* Is that host this machine, and its name another one than the machine's own? Names with domains
 * are not cut. */
static bool is_renamed(const struct pl_host *host, const char *self)
{
	const enum pl_alike alike = pl_host_names_alike(host->name, self);

	return alike == PL_ALIKE_NO ? host->node && !strcmp(host->node, self)
				    : alike != PL_ALIKE_SAME;
}

/* An ssh with options of the user's; and without the host, where that comes last and is all that
 * varies. */
static int take_launch(struct pl_mpi_ways *ways, const char *launch)
{
	const char *template = launch ? pl_launch_template(launch) : "";
	size_t len = strcspn(template, "%");

	if (!pl_launch_is_ssh(template) || strcmp(template, pl_launch_template("ssh")) == 0 ||
	    strcmp(template, "ssh %h") == 0)
		return 0;
	ways->launch = template;
	if (strcmp(template + len, "%h") != 0 || template[len - 1] != ' ')
		return 0;
	while (len > 0 && template[len - 1] == ' ')
		len--;
	ways->agent = pl_string_copy(template, len);
	return ways->agent ? 0 : -1;
}

/* The job must be kept on the network that was measured where that was chosen by its addresses, or
 * is not the one that ssh goes by; Open MPI can be told one of IPv4 alone. */
static int take_ways(struct pl_mpi_ways *ways, const struct pl_matrix *m,
		     const struct pl_hosts *hosts)
{
	const char *logins = pl_matrix_header(m, "logins");
	const char *network = pl_matrix_header(m, "network");
	const size_t len = network ? strcspn(network, " ") : 0;
	const int short_twice = pl_hosts_share_short(hosts);
	struct utsname self;

	if (short_twice < 0)
		return -1;
	ways->short_twice = short_twice;
	for (size_t i = 0; i < hosts->n; i++) {
		const char *name = hosts->v[i].name;

		ways->dotted |= strchr(name, '.') && !pl_host_is_address(name, strlen(name));
	}
	for (size_t i = 0; uname(&self) == 0 && i < m->hosts.n; i++)
		ways->renamed |= is_renamed(&m->hosts.v[i], self.nodename);
	if (logins) {
		ways->logins = pl_string_copy(logins, strlen(logins));
		if (!ways->logins)
			return -1;
	}
	if (!network || memchr(network, ':', len) ||
	    !(strstr(network, " named") || strstr(network, " ssh=")))
		return 0;
	ways->network = pl_string_copy(network, len);
	return ways->network ? 0 : -1;
}

/* Each reason why flows failed. */
static void remark_flows(struct pl_reorder_source *from, const struct pl_matrix *m)
{
	struct pl_missing missing;
	char text[PL_MISSING_TEXT];

	pl_missing_find(&missing, m, PL_MISSING_FLOWS);
	for (size_t k = 0; k < missing.n; k++)
		pl_reorder_remark_warning(&from->no_rates, "missing: %s",
					  pl_missing_text(text, m, &missing.v[k]));
	if (missing.more)
		pl_reorder_remark_warning(&from->no_rates, "missing: more, see the matrix");
}

static bool writes_plan(const struct pl_reorder_options *o)
{
	return o->plan || o->format == PL_FORMAT_PLAN || o->format == PL_FORMAT_SCHEDULE;
}

/* Finds faults of the list before anything is measured. */
static int check_list(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
		      struct pl_err *err)
{
	const struct pl_place place = {.file = o->hosts};
	size_t first, again;

	if (hosts->n > PL_MATRIX_HOSTS_MAX) /* ranks count in a seq list */
		return pl_err_at(err, place, "%zu entries: at most %d can be ordered", hosts->n,
				 PL_MATRIX_HOSTS_MAX);
	if (pl_reorder_choose_check(hosts, o, err) || pl_reorder_form_check(hosts, o, err))
		return -1;
	if (!writes_plan(o))
		return 0;
	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(err);
	if (again < hosts->n)
		return pl_err_at(err, place, "host \"%s\" appears again: a plan has each host once",
				 hosts->v[again].name);
	return 0;
}

/* Compares the measurements with --topology, or counts its distances if there are no
 * measurements. */
static int look_at_told(struct pl_reorder_source *from, struct pl_order_input *in,
			const struct pl_matrix *m, const struct pl_reorder_options *o,
			struct pl_err *err)
{
	if (m->layer[0].quantity == PL_DISTANCE) {
		from->topology.pairs = in->pairs_measured;
		in->pairs_measured = 0;
	}
	if (o->topology && o->matrix)
		return pl_reorder_topology_compare(&in->hosts, in->c, o, &from->topology,
						   &from->remarks, err);
	return 0;
}

/* Keeps the matrix for a report. Hosts may have been dropped since it was
 * read. */
static int keep_seen(struct pl_reorder_source *from, struct pl_order_input *in,
		     struct pl_matrix **m, struct pl_err *err)
{
	from->seen_of = pl_array_create(in->hosts.n, sizeof(*from->seen_of));
	if (!from->seen_of)
		return pl_err_nomem(err);
	if (pl_order_match(in, *m, from->seen_of, err))
		return -1;
	from->seen = *m;
	*m = NULL;
	return 0;
}

/* Adds the rates of cards and uplinks if the matrix has the measurements that tell them, but not
 * their lines. The digest, which is of the matrix as read, comes before. */
static int complete(struct pl_matrix *m, struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	char text[PL_RATES_TEXT];

	if (pl_rates_complete(m, text, err))
		return -1;
	if (text[0])
		pl_reorder_remark(remarks, PL_RATES_TOLD, text);
	return 0;
}

/* No network has round trips below a microsecond: numbers without a unit may be in another one. */
static int remark_unit(struct pl_reorder_source *from, const struct pl_matrix *m,
		       const struct pl_reorder_options *o, struct pl_err *err)
{
	const struct pl_layer *layer = &m->layer[0];
	size_t n_known = 0;
	double *known, median;

	if (!o->matrix || m->file || layer->few || layer->quantity != PL_RTT ||
	    layer->unit != PL_NS)
		return 0;
	known = pl_array_create(layer->n * layer->n, sizeof(*known));
	if (!known)
		return pl_err_nomem(err);
	for (size_t i = 0; i < layer->n; i++)
		for (size_t j = 0; j < layer->n; j++)
			if (i != j && !isnan(layer->cell[i * layer->n + j]))
				known[n_known++] = layer->cell[i * layer->n + j];
	median = n_known ? pl_median(known, n_known) : INFINITY;
	free(known);
	if (median < SHORTEST_NS)
		pl_reorder_remark_warning(
			&from->remarks,
			"%s states no unit: its numbers are taken for nanoseconds "
			"(see --unit), but no round trip is as short as their "
			"median, %.3g ns",
			o->matrix, median);
	return 0;
}

/* Will messages be played out over the matrix, or are its racks wanted? */
static bool plays(const struct pl_matrix *m, const struct pl_reorder_options *o)
{
	return pl_reorder_predicts(o) || ((pl_order_request_promises(&o->request) || o->job ||
					   o->format == PL_FORMAT_SCHEDULE) &&
					  m->layer[0].quantity != PL_DISTANCE);
}

static int handle_missing(struct pl_reorder_source *from, struct pl_order_input *in,
			  const struct pl_reorder_options *o, const struct pl_matrix *m,
			  struct pl_err *err)
{
	const int rc = pl_reorder_missing(in, o->missing, m, &from->remarks, err);

	from->refused = rc && o->missing == PL_MISSING_REFUSE;
	from->sampled = pl_matrix_header(m, "sampled") != NULL;
	return rc;
}

int pl_reorder_source_load(struct pl_reorder_source *from, struct pl_order_input *in,
			   const struct pl_reorder_options *o, const struct pl_stop *stop,
			   struct pl_err *err)
{
	struct pl_matrix *m = NULL;
	int rc = -1;

	if (o->hosts && (pl_probing_hosts(&in->hosts, o->hosts, o->hosts_form, err) ||
			 check_list(&in->hosts, o, err)))
		return -1;
	m = get_matrix(from, &in->hosts, o, stop, err);
	if (!m)
		return -1;
	remark_flows(from, m);
	if (!o->hosts && pl_hosts_copy(&in->hosts, &m->hosts)) {
		pl_err_nomem(err);
		goto out;
	}
	if (o->save_matrix && save_matrix(m, o->save_matrix, err))
		goto out;
	if (o->aggregators && pl_reorder_hubs_take(&from->hubs, &in->hosts, o->aggregators, err))
		goto out;
	from->saved = from->probed && o->save_matrix;
	if (in->hosts.v[0].user) {
		from->launch = pl_launch_as(o->launch, in->hosts.v[0].user, err);
		if (!from->launch)
			goto out;
	}
	if (take_launch(&from->ways, from->launch ? from->launch : o->launch) ||
	    take_ways(&from->ways, m, &in->hosts)) {
		pl_err_nomem(err);
		goto out;
	}
	if (from->probe.cut) {
		pl_err_set(err, PL_EPARTIAL, "interrupted while measuring");
		goto out;
	}
	/* as expensive as writing the matrix: only for files that name it */
	if ((writes_plan(o) || o->report) && pl_matrix_digest(m, from->digest, err))
		goto out;
	if (remark_unit(from, m, o, err) || (plays(m, o) && complete(m, &from->remarks, err)) ||
	    pl_order_take_costs(in, m, &o->request, err) || look_at_told(from, in, m, o, err) ||
	    handle_missing(from, in, o, m, err) ||
	    pl_reorder_unreliable(in, m, &from->remarks, err) ||
	    pl_reorder_choose_check(&in->hosts, o, err) ||
	    pl_reorder_form_check(&in->hosts, o, err) ||
	    pl_reorder_form_check_addresses(&in->hosts, o, err))
		goto out;
	if (plays(m, o) && pl_order_network_keep(in, m, err))
		goto out;
	if (o->aggregators && pl_reorder_hubs_measure(&from->hubs, in, m, o, &from->remarks, err))
		goto out;
	rc = pl_order_take_windows(in, m->layer[0].quantity, &o->request, err);
	if (rc == 0 && pl_reorder_draws(o, in->hosts.n))
		rc = keep_seen(from, in, &m, err);
	if (rc == 0 && (from->remarks.failed || from->no_rates.failed))
		rc = pl_err_nomem(err);
out:
	pl_matrix_destroy(m);
	return rc;
}
