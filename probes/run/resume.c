/* SPDX-License-Identifier: BSD-3-Clause */
/* resume.c - a matrix with cells missing, to be filled */
#include "config.h"

#include "probes/run/resume.h"

#include "base/matrix/tiers.h"
#include "probes/bandwidth/layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void pl_resume_pace(const struct pl_probe_options *o, char text[PL_PACE_CHARS])
{
	snprintf(text, PL_PACE_CHARS, "gap-us=%.10g flows=%u", (double)o->gap_ns / 1e3, o->flows);
}

static int check_hosts(const struct pl_matrix *old, const struct pl_hosts *hosts,
		       struct pl_err *err)
{
	if (old->hosts.n != hosts->n)
		return pl_err_set(err, PL_EINPUT,
				  "the matrix to be resumed is of %zu hosts, the list of %zu; to "
				  "measure these, leave out --resume",
				  old->hosts.n, hosts->n);
	for (size_t i = 0; i < hosts->n; i++)
		if (strcmp(old->hosts.v[i].name, hosts->v[i].name) != 0)
			return pl_err_set(
				err, PL_EINPUT,
				"host %zu is \"%s\" in the matrix to be resumed, \"%s\" in the "
				"list; list the hosts as in the matrix, or leave out --resume",
				i + 1, old->hosts.v[i].name, hosts->v[i].name);
	return 0;
}

/* What was measured at another pace is not comparable. */
static int check_pace(const struct pl_matrix *old, const struct pl_probe_options *options,
		      struct pl_err *err)
{
	char text[PL_PACE_CHARS];

	pl_resume_pace(options, text);
	for (size_t k = 0; k < old->n_headers; k++)
		if (!strcmp(old->header[k].key, "pace") && strcmp(old->header[k].value, text) != 0)
			return pl_err_set(err, PL_EINPUT,
					  "the matrix to be resumed was measured with %s, not %s; "
					  "use the same options, or leave out --resume",
					  old->header[k].value, text);
	return 0;
}

int pl_resume_check(const struct pl_matrix *old, const struct pl_hosts *hosts,
		    const struct pl_probe_options *options, struct pl_err *err)
{
	const struct pl_layer *l = &old->layer[0];

	if (!old->method)
		return pl_err_set(err, PL_EINPUT,
				  "the matrix to be resumed does not say by what method it was "
				  "measured; asked for is udp; leave out --resume");
	if (strcmp(old->method, "udp") != 0)
		return pl_err_set(
			err, PL_EINPUT,
			"the matrix to be resumed was measured by %.200s, asked for is udp: one "
			"matrix cannot hold both; leave out --resume",
			old->method);
	if (strcmp(l->statistic, "p10") != 0 || l->quantity != PL_RTT || l->unit != PL_NS)
		return pl_err_set(
			err, PL_EINPUT,
			"the matrix to be resumed is not of plink-probe's round trips: it has "
			"%.60s of %s in %s, not p10 of rtt in ns; leave out --resume",
			l->statistic, pl_quantity_name(l->quantity), pl_unit_name(l->unit));
	if (check_hosts(old, hosts, err))
		return -1;
	return check_pace(old, options, err);
}

int pl_resume_check_address(const struct pl_matrix *old, size_t i, const char *addr,
			    struct pl_err *err)
{
	const struct pl_host *host = &old->hosts.v[i];

	if (!host->addr || !strcmp(host->addr, addr))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s was measured at %s before and is at %s now; choose the address with "
			  "--iface=NAME|CIDR",
			  host->name, host->addr, addr);
}

/* Cells of one layer where the first one has a value. 0, or -1: out of
 * memory. */
static int copy(struct pl_layer *to, const struct pl_layer *from, const double *first, size_t n)
{
	for (size_t at = 0; at < n * n; at++)
		if (!isnan(first[at]) && at % (n + 1) != 0 && pl_layer_set(to, at, from->cell[at]))
			return -1;
	return 0;
}

int pl_resume_take(struct pl_collect *c, const struct pl_probe_options *o, size_t *n_kept)
{
	const struct pl_matrix *old = o->resume;
	const size_t n = old->hosts.n;
	const double *first = old->layer[0].cell;

	for (size_t k = 0; k < c->matrix->n_layers; k++) {
		struct pl_layer *to = &c->matrix->layer[k];
		const struct pl_layer *from = pl_matrix_layer(old, to->statistic);

		if (from && from->quantity == to->quantity && from->unit == to->unit &&
		    copy(to, from, first, n))
			return -1;
	}
	for (size_t i = 0; i < n; i++)
		if (pl_host_adopt(&c->matrix->hosts.v[i], &old->hosts.v[i]))
			return -1;
	for (size_t k = 0; k < old->n_notes; k++) {
		const struct pl_cell_note *note = &old->note[k];

		/* what is there is not measured again */
		if (!pl_bandwidth_lacks(old, note) &&
		    !((o->bandwidth & PL_BANDWIDTH_FEW) && pl_tiers_flow_failed(note)) &&
		    pl_collect_note(c, note->src, note->dst, note->text))
			return -1;
	}
	*n_kept = n * n - n - pl_matrix_missing(old);
	return 0;
}
