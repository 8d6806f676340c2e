/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.c - racks within wider groups, and the rates of cards and uplinks */
#include "config.h"

#include "base/matrix/tiers.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int pl_tiers_init(struct pl_tiers *t, size_t n, struct pl_err *err)
{
	*t = (struct pl_tiers){.n = n};
	t->card = pl_array_create(n, sizeof(*t->card));
	t->rack = pl_array_create(n, sizeof(*t->rack));
	if (!t->card || !t->rack) {
		pl_tiers_fini(t);
		return pl_err_nomem(err);
	}
	for (size_t h = 0; h < n; h++)
		t->rack[h] = PL_NO_GROUP;
	return 0;
}

void pl_tiers_fini(struct pl_tiers *t)
{
	free(t->card);
	free(t->rack);
	free(t->within);
	free(t->uplink);
	memset(t, 0, sizeof(*t));
}

size_t pl_tiers_add_group(struct pl_tiers *t)
{
	const size_t g = t->n_groups;
	size_t *within;
	struct pl_link_rate *uplink;

	within = realloc(t->within, (g + 1) * sizeof(*within));
	if (within)
		t->within = within;
	uplink = realloc(t->uplink, (g + 1) * sizeof(*uplink));
	if (uplink)
		t->uplink = uplink;
	if (!within || !uplink)
		return PL_NO_GROUP;
	t->within[g] = PL_NO_GROUP;
	t->uplink[g] = (struct pl_link_rate){0};
	return t->n_groups++;
}

/* Groups around @group, itself included. */
static size_t depth(const struct pl_tiers *t, size_t group)
{
	size_t n = 0;

	for (; group != PL_NO_GROUP; group = t->within[group])
		n++;
	return n;
}

void pl_tiers_cross(const struct pl_tiers *t, size_t src, size_t dst, struct pl_tiers_way *way)
{
	size_t from = t->rack[src], to = t->rack[dst];
	size_t above = depth(t, from), below = depth(t, to);

	way->n_leave = way->n_enter = 0;
	while (from != to) {
		if (above >= below) {
			way->leave[way->n_leave++] = from;
			from = t->within[from];
			above--;
		} else {
			way->enter[way->n_enter++] = to;
			to = t->within[to];
			below--;
		}
	}
	for (size_t i = 0; i < way->n_enter / 2; i++) {
		const size_t other = way->n_enter - 1 - i;
		const size_t kept = way->enter[i];

		way->enter[i] = way->enter[other];
		way->enter[other] = kept;
	}
}

/* The lesser one that is known. */
static double least(double a, double b)
{
	return b > 0 && (a == 0 || b < a) ? b : a;
}

double pl_tiers_lone(const struct pl_tiers *t, size_t src, size_t dst, struct pl_tiers_way *scratch)
{
	double bps = least(t->card[src].out_bps, t->card[dst].in_bps);

	pl_tiers_cross(t, src, dst, scratch);
	for (size_t i = 0; i < scratch->n_leave; i++)
		bps = least(bps, t->uplink[scratch->leave[i]].out_bps);
	for (size_t i = 0; i < scratch->n_enter; i++)
		bps = least(bps, t->uplink[scratch->enter[i]].in_bps);
	return bps;
}

static bool has_rate(const struct pl_link_rate *rate)
{
	return rate->out_bps > 0 || rate->in_bps > 0;
}

bool pl_tiers_flow_failed(const struct pl_cell_note *note)
{
	return !strncmp(note->text, PL_TIERS_FLOW, strlen(PL_TIERS_FLOW));
}

bool pl_tiers_flows_failed(const struct pl_matrix *m)
{
	for (size_t k = 0; k < m->n_notes; k++)
		if (pl_tiers_flow_failed(&m->note[k]))
			return true;
	return false;
}

bool pl_tiers_have_rates(const struct pl_tiers *t)
{
	for (size_t h = 0; h < t->n; h++)
		if (has_rate(&t->card[h]))
			return true;
	for (size_t g = 0; g < t->n_groups; g++)
		if (has_rate(&t->uplink[g]))
			return true;
	return false;
}

/* Numbers of groups in the subset: those around its hosts only. */
static int number_groups(struct pl_tiers *to, const struct pl_tiers *from, const size_t *host,
			 size_t *number)
{
	for (size_t g = 0; g < from->n_groups; g++)
		number[g] = PL_NO_GROUP;
	for (size_t h = 0; h < to->n; h++)
		for (size_t g = from->rack[host[h]]; g != PL_NO_GROUP; g = from->within[g])
			number[g] = 0;
	for (size_t g = 0; g < from->n_groups; g++) {
		if (number[g] == PL_NO_GROUP)
			continue;
		number[g] = pl_tiers_add_group(to);
		if (number[g] == PL_NO_GROUP)
			return -1;
		to->uplink[number[g]] = from->uplink[g];
	}
	return 0;
}

static size_t renumber(const size_t *number, size_t group)
{
	return group == PL_NO_GROUP ? PL_NO_GROUP : number[group];
}

int pl_tiers_subset(struct pl_tiers *to, const struct pl_tiers *from, const size_t *host, size_t n,
		    struct pl_err *err)
{
	size_t *number = pl_array_create(from->n_groups, sizeof(*number));
	int rc = number ? 0 : pl_err_nomem(err);

	if (rc == 0)
		rc = pl_tiers_init(to, n, err);
	if (rc == 0 && number_groups(to, from, host, number)) {
		pl_tiers_fini(to);
		rc = pl_err_nomem(err);
	}
	for (size_t h = 0; rc == 0 && h < n; h++) {
		to->card[h] = from->card[host[h]];
		to->rack[h] = renumber(number, from->rack[host[h]]);
	}
	for (size_t g = 0; rc == 0 && g < from->n_groups; g++)
		if (number[g] != PL_NO_GROUP)
			to->within[number[g]] = renumber(number, from->within[g]);
	free(number);
	return rc;
}

void pl_tiers_set_cards(struct pl_tiers *t, double bps)
{
	for (size_t h = 0; h < t->n; h++)
		t->card[h] = (struct pl_link_rate){bps, bps};
}

void pl_tiers_set_uplinks(struct pl_tiers *t, double bps)
{
	for (size_t h = 0; h < t->n; h++)
		if (t->rack[h] != PL_NO_GROUP)
			t->uplink[t->rack[h]] = (struct pl_link_rate){bps, bps};
}

bool pl_tiers_is_rack(const struct pl_tiers *t, size_t group)
{
	for (size_t h = 0; h < t->n; h++)
		if (t->rack[h] == group)
			return true;
	return false;
}

size_t pl_tiers_racks(const struct pl_tiers *t)
{
	size_t n = 0;

	for (size_t g = 0; g < t->n_groups; g++)
		n += pl_tiers_is_rack(t, g);
	return n;
}
