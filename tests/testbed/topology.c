/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.c - which hosts there are, how far apart, in which racks */
#include "config.h"

#include "tests/testbed/topology.h"

#include "src/mem.h"
#include "src/number.h"
#include "src/stats.h"
#include "tests/testbed/ledger.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DELAY_MAX_NS 60e9 /* a minute; TCP gives up not much later */

/* Delays of one rack differ by less than this; racks are told apart from here. */
#define RACK_GAP 1.5

static bool name_is_good(const char *s)
{
	const size_t len = strlen(s);

	/* what may stand in /etc/hosts and in a shell command unquoted */
	return len > 0 && len <= TB_NAME_MAX && s[0] != '-' && s[0] != '.' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-._"
			 "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == len;
}

static int take_names(struct tb_topology *t, const struct pl_hosts *hosts,
		      struct pl_err *err)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *name = hosts->v[i].name;

		if (!name_is_good(name) || !strcmp(name, "localhost"))
			return pl_err_set(err, PL_EINPUT,
					  "\"%s\" cannot name a host here",
					  name);
		if (pl_hosts_find(hosts, name) != (ptrdiff_t)i)
			return pl_err_set(err, PL_EINPUT,
					  "host \"%s\" comes twice", name);
		strcpy(t->name[i], name);
	}
	return 0;
}

static int take_delays(struct tb_topology *t, const struct pl_layer *layer,
		       struct pl_err *err)
{
	double scale = pl_unit_ns(layer->unit);

	if (layer->quantity != PL_ONE_WAY && layer->quantity != PL_RTT)
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %s says no delays",
				  pl_quantity_name(layer->quantity));
	if (layer->quantity == PL_RTT)
		scale /= 2;
	for (size_t i = 0; i < t->n * t->n; i++) {
		const double delay = layer->cell[i] * scale;

		if (i / t->n == i % t->n)
			continue;
		if (isnan(delay)) {
			t->delay_ns[i] = TB_NO_PATH;
			t->n_missing++;
			continue;
		}
		if (delay < 0 || delay > DELAY_MAX_NS)
			return pl_err_set(
				err, PL_EINPUT,
				"delay from %s to %s is not within 0..60 s",
				t->name[i / t->n], t->name[i % t->n]);
		t->delay_ns[i] = llround(delay);
	}
	return 0;
}

/* "HOST NUMBER" */
static int take_rack(struct tb_topology *t, const struct pl_hosts *hosts,
		     const char *value, struct pl_err *err)
{
	const size_t len = strcspn(value, " \t");
	char name[TB_NAME_MAX + 1];
	const char *number = value + len + strspn(value + len, " \t");
	ptrdiff_t host = -1;
	int64_t rack;

	if (len < sizeof(name)) {
		memcpy(name, value, len);
		name[len] = '\0';
		host = pl_hosts_find(hosts, name);
	}
	if (host < 0 ||
	    pl_int_parse(number, strlen(number), 0, TB_HOSTS_MAX - 1, &rack))
		return pl_err_set(err, PL_EINPUT,
				  "\"# rack %s\" is not a host and a number",
				  value);
	t->rack[host] = (size_t)rack;
	if (t->n_racks <= (size_t)rack)
		t->n_racks = (size_t)rack + 1;
	return 0;
}

/* The delay that splits near from far: within the widest gap (by ratio) of all
 * delays; infinite where no gap is wide. */
static double widest_gap(const double *sorted, size_t n)
{
	double split = INFINITY, widest = RACK_GAP;

	for (size_t i = 1; i < n; i++) {
		const double ratio = sorted[i] / fmax(sorted[i - 1], 1);

		if (ratio > widest) {
			widest = ratio;
			split = sqrt(sorted[i] * fmax(sorted[i - 1], 1));
		}
	}
	return split;
}

/* Gives every host the number of the first host it is near to. */
static void join_near(struct tb_topology *t, double split)
{
	const size_t none = t->n;

	for (size_t i = 0; i < t->n; i++)
		t->rack[i] = none;
	for (size_t i = 0; i < t->n; i++) {
		if (t->rack[i] != none)
			continue;
		t->rack[i] = t->n_racks;
		for (size_t j = i + 1; j < t->n; j++) {
			const int64_t delay = t->delay_ns[i * t->n + j];

			if (t->rack[j] == none && delay >= 0 &&
			    (double)delay < split)
				t->rack[j] = t->n_racks;
		}
		t->n_racks++;
	}
}

static int guess_racks(struct tb_topology *t, struct pl_err *err)
{
	double *sorted = pl_array_create(t->n * t->n, sizeof(*sorted));
	size_t n = 0;

	if (!sorted)
		return pl_err_nomem(err);
	for (size_t i = 0; i < t->n * t->n; i++)
		if (i / t->n != i % t->n && t->delay_ns[i] >= 0)
			sorted[n++] = (double)t->delay_ns[i];
	pl_sort_doubles(sorted, n);
	join_near(t, widest_gap(sorted, n));
	free(sorted);
	return 0;
}

static int take_racks(struct tb_topology *t, const struct pl_matrix *m,
		      struct pl_err *err)
{
	for (size_t i = 0; i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, "rack") &&
		    take_rack(t, &m->hosts, m->header[i].value, err))
			return -1;
	return t->n_racks ? 0 : guess_racks(t, err);
}

int tb_topology_init(struct tb_topology *t, const struct pl_matrix *m,
		     struct pl_err *err)
{
	memset(t, 0, sizeof(*t));
	t->n = m->hosts.n;
	if (t->n < 1 || t->n > TB_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT,
				  "%zu hosts; a testbed has 1 to %d", t->n,
				  TB_HOSTS_MAX);
	t->name = pl_array_create(t->n, sizeof(*t->name));
	t->delay_ns = pl_array_create(t->n * t->n, sizeof(*t->delay_ns));
	t->rack = pl_array_create(t->n, sizeof(*t->rack));
	if (!t->name || !t->delay_ns || !t->rack) {
		pl_err_nomem(err);
		goto fail;
	}
	if (take_names(t, &m->hosts, err) ||
	    take_delays(t, &m->layer[0], err) || take_racks(t, m, err))
		goto fail;
	return 0;
fail:
	tb_topology_fini(t);
	return -1;
}

void tb_topology_fini(struct tb_topology *t)
{
	free(t->name);
	free(t->delay_ns);
	free(t->rack);
	memset(t, 0, sizeof(*t));
}
