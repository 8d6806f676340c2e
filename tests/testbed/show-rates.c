/* SPDX-License-Identifier: BSD-3-Clause */
/* show-rates.c - the rates that hold, for `status` */
#include "config.h"

#include "tests/testbed/show-rates.h"

#include "base/text/size.h"

#include <math.h>
#include <stdio.h>

static bool is_same(const struct pl_link_rate *a, const struct pl_link_rate *b)
{
	return a->out_bps == b->out_bps && a->in_bps == b->in_bps;
}

static bool has_limit(const struct pl_link_rate *rate)
{
	return rate->out_bps > 0 || rate->in_bps > 0;
}

/* What all cards have each way; NaN where they differ. */
static double nic_bps(const struct tb_view *view)
{
	const struct pl_link_rate *card = view->ledger->card;

	for (size_t h = 0; h < view->n; h++)
		if (!is_same(&card[h], &card[0]))
			return NAN;
	return card[0].out_bps == card[0].in_bps ? card[0].out_bps : NAN;
}

static bool is_rack(const struct tb_view *view, size_t group)
{
	for (size_t h = 0; h < view->n; h++)
		if (view->host[h].rack == group)
			return true;
	return false;
}

/* What all racks have each way, wider groups having none; NaN where they differ. */
static double uplink_bps(const struct tb_view *view)
{
	const struct pl_link_rate *uplink = view->ledger->uplink;
	const struct pl_link_rate *first = &uplink[view->host[0].rack];

	for (size_t g = 0; g < view->ledger->n_groups; g++)
		if (is_rack(view, g) ? !is_same(&uplink[g], first) : has_limit(&uplink[g]))
			return NAN;
	return first->out_bps == first->in_bps ? first->out_bps : NAN;
}

static const char *rate_text(char buf[PL_RATE_CHARS], double bps)
{
	return bps > 0 ? pl_rate_format(buf, bps) : "-";
}

/* "card out 50Mbit, in 1Gbit:" */
static void print_rate(const char *what, const struct pl_link_rate *rate)
{
	char out[PL_RATE_CHARS], in[PL_RATE_CHARS];

	printf("%s out %s, in %s:", what, rate_text(out, rate->out_bps),
	       rate_text(in, rate->in_bps));
}

/* Is it the first of those that have its rate, and is that a limit? */
static bool is_first(const struct pl_link_rate *rate, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (is_same(&rate[j], &rate[i]))
			return false;
	return has_limit(&rate[i]);
}

static void print_cards(const struct tb_view *view)
{
	const struct pl_link_rate *card = view->ledger->card;

	for (size_t h = 0; h < view->n; h++) {
		if (!is_first(card, h))
			continue;
		print_rate("card", &card[h]);
		for (size_t i = h; i < view->n; i++)
			if (is_same(&card[i], &card[h]))
				printf(" %s", view->host[i].name);
		putchar('\n');
	}
}

static void print_uplinks(const struct tb_view *view)
{
	const struct pl_link_rate *uplink = view->ledger->uplink;
	const size_t n_groups = view->ledger->n_groups;

	for (size_t g = 0; g < n_groups; g++) {
		if (!is_first(uplink, g))
			continue;
		print_rate("uplink", &uplink[g]);
		for (size_t i = g; i < n_groups; i++)
			if (is_same(&uplink[i], &uplink[g]))
				printf(" %s %zu", is_rack(view, i) ? "rack" : "group", i);
		putchar('\n');
	}
}

void tb_print_rates(const struct tb_view *view)
{
	const double nic = nic_bps(view), uplink = uplink_bps(view);

	if (nic > 0)
		printf("nic %g Mbit/s\n", nic / 1e6);
	else if (isnan(nic))
		print_cards(view);
	if (uplink > 0)
		printf("uplink %g Mbit/s\n", uplink / 1e6);
	else if (isnan(uplink))
		print_uplinks(view);
}

static json_t *group_json(const struct tb_view *view, size_t g)
{
	const struct tb_ledger *l = view->ledger;

	return json_pack("{s:I, s:o, s:f, s:f}", "group", (json_int_t)g, "within",
			 l->within[g] == PL_NO_GROUP ? json_null()
						     : json_integer((json_int_t)l->within[g]),
			 "out_bps", l->uplink[g].out_bps, "in_bps", l->uplink[g].in_bps);
}

static json_t *known(double bps)
{
	return isnan(bps) ? json_null() : json_real(bps);
}

json_t *tb_rates_json(const struct tb_view *view)
{
	json_t *groups = json_array();

	for (size_t g = 0; g < view->ledger->n_groups; g++)
		json_array_append_new(groups, group_json(view, g));
	return json_pack("{s:o, s:o, s:o}", "nic_bps", known(nic_bps(view)), "uplink_bps",
			 known(uplink_bps(view)), "groups", groups);
}
