/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-network.c - all-reduces by hubs on a network whose cards are known */
#include "config.h"

#include "engine/hub-network.h"

#include "base/mem.h"
#include "engine/hub-shares.h"
#include "engine/schedule-pattern.h"
#include "engine/way.h"
#include "predict/predict.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* From here on chance matters little. */
#define LARGE_BYTES ((uint64_t)1 << 20)

/* Of a rank its part of the card. */
static int find_rates(const struct pl_network *net, const size_t *machine, size_t n, double *rate,
		      struct pl_err *err)
{
	const struct pl_tiers *t = &net->tiers;
	size_t *users = pl_array_create(t->n, sizeof(*users));
	int rc = users ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		users[machine[i]]++;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct pl_link_rate *card = &t->card[machine[i]];

		rate[i] = fmin(card->out_bps, card->in_bps) / (double)users[machine[i]];
		if (rate[i] <= 0)
			rc = pl_err_set(err, PL_EUSAGE,
					"the rates of cards are not known: aggregators need them");
	}
	free(users);
	return rc;
}

int pl_hub_network_slices(struct pl_slices *slices, size_t n_ranks, size_t n_hubs,
			  const struct pl_network *net, const size_t *machine, size_t slices_max,
			  struct pl_err *err)
{
	const size_t n = n_ranks + n_hubs;
	double *rate = pl_array_create(n, sizeof(*rate));
	double *share = pl_array_create(n, sizeof(*share));
	int rc = rate && share ? find_rates(net, machine, n, rate, err) : pl_err_nomem(err);

	if (rc == 0) {
		pl_hub_shares(n_ranks, n_hubs, rate, share);
		rc = pl_hub_slices(slices, n_ranks, n_hubs, share, slices_max, err);
	}
	free(rate);
	free(share);
	return rc;
}

int pl_hub_network_racks(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const struct pl_network *net, const size_t *machine)
{
	const struct pl_tiers *t = &net->tiers;
	size_t *group = pl_array_create(n_ranks + n_hubs, sizeof(*group));
	double *bps = pl_array_create(t->n_groups, sizeof(*bps));
	int rc = group && bps ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < n_ranks + n_hubs; i++)
		group[i] = t->rack[machine[i]];
	for (size_t i = 0; rc == 0 && i < t->n_groups; i++)
		bps[i] = fmin(t->uplink[i].out_bps, t->uplink[i].in_bps);
	if (rc == 0)
		rc = pl_hub_grouping_init(g, n_ranks, n_hubs, group, bps);
	free(group);
	free(bps);
	return rc;
}

/* Is it no schedule, or one of many small slices? */
static bool is_hopeless(const struct pl_slices *slices, uint64_t bytes)
{
	return slices->n == 0 || (slices->n > 1 && bytes / slices->n < PL_SLICE_BYTES);
}

/* Plays the schedule of s->slices. *seconds becomes INFINITY if it is
 * hopeless. */
static int play(double *seconds, struct pl_schedule *s, size_t n, const struct pl_network *net,
		const size_t *machine, uint64_t bytes, struct pl_err *err)
{
	const struct pl_predict_options options = {.starts = bytes > LARGE_BYTES ? 1 : 0};
	struct pl_pattern pattern = {0};
	struct pl_prediction p = {0};
	struct pl_protocol protocol;
	struct pl_window_way way;
	int rc;

	*seconds = INFINITY;
	if (is_hopeless(&s->slices, bytes))
		return 0;
	rc = pl_protocol_find("engine-tcp", &protocol, err);
	if (rc == 0)
		rc = pl_schedule_take_way(s, &way, machine, n, net, err);
	if (rc == 0)
		rc = pl_schedule_pattern(&pattern, s, n, bytes, err);
	if (rc == 0)
		rc = pl_predict(&pattern, machine, net, &protocol, &options, &p, err);
	*seconds = p.seconds;
	pl_prediction_fini(&p);
	pl_pattern_fini(&pattern);
	return rc;
}

/* *seconds becomes INFINITY if there are no such racks. */
static int play_racks(double *seconds, size_t n_ranks, size_t n_hubs, const struct pl_network *net,
		      const size_t *machine, size_t slices_max, uint64_t bytes, struct pl_err *err)
{
	struct pl_schedule s = {.size_max = UINT64_MAX};
	struct pl_hub_grouping g = {0};
	struct pl_err why;
	int rc;

	*seconds = INFINITY;
	if (pl_hub_network_racks(&g, n_ranks, n_hubs, net, machine))
		return pl_err_nomem(err);
	rc = pl_hub_rack_slices(&s.slices, &g.racks, slices_max, &why);
	if (rc == 0)
		rc = play(seconds, &s, n_ranks + n_hubs, net, machine, bytes, err);
	else
		rc = why.code == PL_EUSAGE ? 0 : pl_err_nomem(err);
	pl_schedule_fini(&s);
	pl_hub_grouping_fini(&g);
	return rc;
}

int pl_hub_network_seconds(double *seconds, size_t n_ranks, size_t n_hubs,
			   const struct pl_network *net, const size_t *machine, uint64_t bytes,
			   struct pl_err *err)
{
	const size_t most = (size_t)(bytes / PL_SLICE_BYTES);
	const size_t slices_max = most > 0 ? most : 1;
	struct pl_schedule s = {.size_max = UINT64_MAX};
	double racks_s;
	int rc = pl_hub_network_slices(&s.slices, n_ranks, n_hubs, net, machine, slices_max, err);

	if (rc == 0)
		rc = play(seconds, &s, n_ranks + n_hubs, net, machine, bytes, err);
	pl_schedule_fini(&s);
	if (rc == 0)
		rc = play_racks(&racks_s, n_ranks, n_hubs, net, machine, slices_max, bytes, err);
	if (rc == 0)
		*seconds = fmin(*seconds, racks_s);
	return rc;
}
