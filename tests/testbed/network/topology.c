/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.c - which hosts there are, how far apart, in which racks */
#include "config.h"

#include "tests/testbed/network/topology.h"

#include "base/mem.h"
#include "base/stats.h"
#include "tests/testbed/network/ledger.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DELAY_MAX_NS 60e9 /* a minute; TCP gives up not much later */

/* Delays of one rack differ by less than this; racks are told apart from
 * here. */
#define RACK_GAP 1.5

static bool name_is_good(const char *s)
{
	const size_t len = strlen(s);

	/* what may stand in /etc/hosts and in a shell command unquoted */
	return len > 0 && len <= TB_NAME_MAX && s[0] != '-' && s[0] != '.' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-._ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
		       len;
}

static int take_names(struct tb_topology *t, const struct pl_hosts *hosts, struct pl_err *err)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *name = hosts->v[i].name;

		if (!name_is_good(name) || !strcmp(name, "localhost"))
			return pl_err_set(err, PL_EINPUT, "\"%s\" cannot name a host here", name);
		if (pl_hosts_find(hosts, name) != (ptrdiff_t)i)
			return pl_err_set(err, PL_EINPUT, "host \"%s\" comes twice", name);
		strcpy(t->name[i], name);
	}
	return 0;
}

static int take_delays(struct tb_topology *t, const struct pl_layer *layer, struct pl_err *err)
{
	double scale = pl_unit_ns(layer->unit);

	if (layer->quantity != PL_ONE_WAY && layer->quantity != PL_RTT)
		return pl_err_set(err, PL_EINPUT, "a matrix of %s says no delays",
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
			return pl_err_set(err, PL_EINPUT,
					  "delay from %s to %s is not within 0..60 s",
					  t->name[i / t->n], t->name[i % t->n]);
		t->delay_ns[i] = llround(delay);
	}
	return 0;
}

/* The delay that splits near from far: within the widest gap (by ratio) of all delays; infinite
 * where no gap is wide. */
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

/* Gives every host the rack of the first host it is near to. */
static int join_near(struct tb_topology *t, double split)
{
	size_t *rack = t->tiers.rack;

	for (size_t i = 0; i < t->n; i++) {
		if (rack[i] != PL_NO_GROUP)
			continue;
		rack[i] = pl_tiers_add_group(&t->tiers);
		if (rack[i] == PL_NO_GROUP)
			return -1;
		for (size_t j = i + 1; j < t->n; j++) {
			const int64_t delay = t->delay_ns[i * t->n + j];

			if (rack[j] == PL_NO_GROUP && delay >= 0 && (double)delay < split)
				rack[j] = rack[i];
		}
	}
	return 0;
}

static int guess_racks(struct tb_topology *t, struct pl_err *err)
{
	double *sorted = pl_array_create(t->n * t->n, sizeof(*sorted));
	size_t n = 0;
	int failed;

	if (!sorted)
		return pl_err_nomem(err);
	for (size_t i = 0; i < t->n * t->n; i++)
		if (i / t->n != i % t->n && t->delay_ns[i] >= 0)
			sorted[n++] = (double)t->delay_ns[i];
	pl_sort_doubles(sorted, n);
	failed = join_near(t, widest_gap(sorted, n));
	free(sorted);
	return failed ? pl_err_nomem(err) : 0;
}

/* No more groups, and no deeper, than a testbed has room for. */
static int check_groups(const struct pl_tiers *t, struct pl_err *err)
{
	if (t->n_groups > TB_GROUPS_MAX)
		return pl_err_set(err, PL_EINPUT, "%zu racks and groups; a testbed has %d",
				  t->n_groups, TB_GROUPS_MAX);
	for (size_t g = 0; g < t->n_groups; g++) {
		size_t level = 0;

		for (size_t up = g; up != PL_NO_GROUP; up = t->within[up])
			level++;
		if (level > TB_LEVELS_MAX)
			return pl_err_set(
				err, PL_EINPUT,
				"\"# within\": %zu groups around one another; a testbed has %d",
				level, TB_LEVELS_MAX);
	}
	return 0;
}

static int take_tiers(struct tb_topology *t, const struct pl_matrix *m, struct pl_err *err)
{
	if (pl_tiers_read(&t->tiers, m, err) || check_groups(&t->tiers, err))
		return -1;
	return t->tiers.n_groups ? 0 : guess_racks(t, err);
}

int tb_topology_init(struct tb_topology *t, const struct pl_matrix *m, struct pl_err *err)
{
	memset(t, 0, sizeof(*t));
	t->n = m->hosts.n;
	if (t->n < 1 || t->n > TB_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "%zu hosts; a testbed has 1 to %d", t->n,
				  TB_HOSTS_MAX);
	t->name = pl_array_create(t->n, sizeof(*t->name));
	t->delay_ns = pl_array_create(t->n * t->n, sizeof(*t->delay_ns));
	if (!t->name || !t->delay_ns) {
		pl_err_nomem(err);
		goto fail;
	}
	if (take_names(t, &m->hosts, err) || take_delays(t, &m->layer[0], err) ||
	    take_tiers(t, m, err))
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
	pl_tiers_fini(&t->tiers);
	memset(t, 0, sizeof(*t));
}

size_t tb_topology_racks(const struct tb_topology *t)
{
	bool used[TB_GROUPS_MAX] = {false};
	size_t n = 0;

	for (size_t h = 0; h < t->n; h++) {
		n += !used[t->tiers.rack[h]];
		used[t->tiers.rack[h]] = true;
	}
	return n;
}

static void fill(struct pl_link_rate *rate, double bps)
{
	if (rate->out_bps <= 0)
		rate->out_bps = bps;
	if (rate->in_bps <= 0)
		rate->in_bps = bps;
}

int tb_topology_default_rates(struct tb_topology *t, struct tb_default_rates rates,
			      struct pl_err *err)
{
	if (rates.uplink_bps > 0 && tb_topology_racks(t) < 2)
		return pl_err_set(err, PL_EINPUT, "--uplink needs racks, and there are none");
	for (size_t h = 0; h < t->n; h++) {
		fill(&t->tiers.card[h], rates.nic_bps);
		fill(&t->tiers.uplink[t->tiers.rack[h]], rates.uplink_bps);
	}
	return 0;
}
