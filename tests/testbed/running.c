/* SPDX-License-Identifier: BSD-3-Clause */
/* running.c - a testbed that is up, as commands that change it see it */
#include "config.h"

#include "tests/testbed/running.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What the matrix says, not what its delays look like. */
static bool tells_racks(const struct pl_matrix *m)
{
	for (size_t i = 0; i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, "rack"))
			return true;
	return false;
}

/* Names and their order are what addresses were dealt by. */
static int compare_hosts(const struct tb_topology *t, const struct tb_running *r,
			 struct pl_err *err)
{
	if (t->n != r->n)
		return pl_err_set(err, PL_EINPUT, "a matrix of %zu hosts; the testbed has %zu",
				  t->n, r->n);
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(t->name[i], r->host[i].name))
			return pl_err_set(err, PL_EINPUT,
					  "host %zu of the matrix is \"%s\", of the testbed \"%s\"",
					  i + 1, t->name[i], r->host[i].name);
	return 0;
}

static int compare_racks(const struct pl_tiers *tiers, const struct tb_running *r,
			 struct pl_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (tiers->rack[i] != r->host[i].rack)
			return pl_err_set(
				err, PL_EINPUT,
				"\"%s\" is in rack %zu and stays there, \"# rack\" says %zu",
				r->host[i].name, r->host[i].rack, tiers->rack[i]);
	if (tiers->n_groups != r->ledger->n_groups ||
	    memcmp(tiers->within, r->ledger->within, tiers->n_groups * sizeof(*tiers->within)) != 0)
		return pl_err_set(
			err, PL_EINPUT,
			"racks are in other groups than \"# within\" says, and stay there");
	return 0;
}

/* The racks that are up, instead of what the delays look like. */
static int adopt_racks(struct pl_tiers *tiers, const struct tb_running *r, struct pl_err *err)
{
	tiers->n_groups = 0;
	for (size_t g = 0; g < r->ledger->n_groups; g++) {
		if (pl_tiers_add_group(tiers) == PL_NO_GROUP)
			return pl_err_nomem(err);
		tiers->within[g] = r->ledger->within[g];
	}
	for (size_t i = 0; i < r->n; i++)
		tiers->rack[i] = r->host[i].rack;
	return 0;
}

static int look_up(struct tb_running *r, struct pl_err *err)
{
	if (!tb_state_is_alive(&r->state))
		return pl_err_set(err, PL_EPARTIAL,
				  "the daemon of \"%s\" is dead; \"down\" clears up",
				  tb_state_prefix(&r->state));
	if (tb_state_get_hosts(&r->state, &r->host, &r->n, err))
		return -1;
	r->ledger = tb_ledger_open(r->state.dirfd, err);
	if (r->ledger && r->ledger->n != r->n)
		return pl_err_set(err, PL_ESYSTEM, "the ledger is of other hosts");
	return r->ledger ? 0 : -1;
}

int tb_running_open(struct tb_running *r, const char *prefix, struct pl_err *err)
{
	*r = (struct tb_running){.state.dirfd = -1};
	return tb_state_open(&r->state, prefix, err) || look_up(r, err) ? -1 : 0;
}

void tb_running_close(struct tb_running *r)
{
	tb_ledger_close(r->ledger);
	free(r->host);
	tb_state_close(&r->state);
}

int tb_running_fit(const struct tb_running *r, struct tb_topology *t, const struct pl_matrix *m,
		   struct pl_err *err)
{
	if (compare_hosts(t, r, err))
		return -1;
	return tells_racks(m) ? compare_racks(&t->tiers, r, err) : adopt_racks(&t->tiers, r, err);
}

int tb_running_delays(const struct tb_running *r, struct tb_topology *t, struct pl_err *err)
{
	t->n = r->n;
	t->delay_ns = pl_array_create(t->n * t->n, sizeof(*t->delay_ns));
	if (!t->delay_ns)
		return pl_err_nomem(err);
	for (size_t i = 0; i < t->n * t->n; i++)
		t->delay_ns[i] = r->ledger->pair[i].asked_ns;
	if (pl_tiers_init(&t->tiers, t->n, err) || adopt_racks(&t->tiers, r, err)) {
		tb_topology_fini(t);
		return -1;
	}
	return 0;
}
