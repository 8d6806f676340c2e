/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-predict-links.c - unequal cards and uplinks, and groups of groups */
#include "config.h"

#include "costmodels/script.h"
#include "tests/predict/predict-net.h"

#define BYTES 10

/* Messages from src[i] to dst[i], all at once: seconds until the last is
 * there. */
static double send_all(const struct pl_network *net, const size_t *src, const size_t *dst, size_t n)
{
	static const size_t host_at[HOSTS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
	const struct pl_predict_options options = {.repeat = 1};
	const struct pl_protocol p = protocol("ideal");
	struct pl_prediction out = {0};
	struct pl_pattern pattern;
	struct pl_script s;
	double seconds;

	pl_script_init(&s, net->n, NULL);
	for (size_t rank = 0; rank < net->n; rank++) {
		pl_script_rank(&s, rank);
		for (size_t i = 0; i < n; i++) {
			if (src[i] == rank)
				pl_script_isend(&s, dst[i], BYTES);
			if (dst[i] == rank)
				pl_script_irecv(&s, src[i], BYTES);
		}
		pl_script_wait_all(&s);
	}
	pl_script_finish(&s, &pattern, NULL);
	pl_script_fini(&s);
	pl_predict(&pattern, host_at, net, &p, &options, &out, NULL);
	seconds = out.seconds;
	pl_pattern_fini(&pattern);
	pl_prediction_fini(&out);
	return seconds;
}

static double send_one(const struct pl_network *net, size_t src, size_t dst)
{
	return send_all(net, &src, &dst, 1);
}

/* Host 0 passes 10 bytes a second out and 5 in, host 1 has 2 and 1, and host 2 no limit: latency 1
 * s. */
static void test_cards(void)
{
	struct pl_network *net = network(4);
	struct pl_link_rate *card = net->tiers.card;

	card[0] = (struct pl_link_rate){80, 40};
	card[1] = (struct pl_link_rate){16, 8};
	near(send_one(net, 0, 1), 1 + 10, "the slower card decides: in");
	near(send_one(net, 1, 0), 1 + 5, "and out, at another rate");
	near(send_one(net, 0, 2), 1 + 1, "no limit is none");
	near(send_one(net, 2, 0), 1 + 2, "in is not out");
}

/* Even hosts are in rack 0, odd ones in rack 1. */
static void test_uplinks(void)
{
	static const size_t up[] = {0, 2}, down[] = {1, 3};
	struct pl_network *net = network(4);
	struct pl_link_rate *uplink = net->tiers.uplink;

	uplink[0] = (struct pl_link_rate){80, 16};
	uplink[1] = (struct pl_link_rate){20, 40};
	near(send_all(net, up, down, 2), 1 + 4, "the way down is the slower");
	near(send_all(net, down, up, 2), 1 + 10, "back both ways are others");
	near(send_one(net, 0, 2), 1, "within a rack no uplink is passed");
}

/* Racks {0 4}, {1 5}, {2 6}, {3 7}; rows of the first two and the last two; one of the rows stands
 * in a site of its own, behind a still slower line. */
static void test_tiers(void)
{
	static const size_t src[] = {0, 1}, dst[] = {2, 3};
	struct pl_network *net = network(HOSTS_MAX);
	struct pl_tiers *t = &net->tiers;

	for (int group = 2; group < 7; group++)
		pl_tiers_add_group(t);
	for (size_t h = 0; h < HOSTS_MAX; h++)
		t->rack[h] = h % 4;
	t->within[0] = t->within[1] = 4;
	t->within[2] = t->within[3] = 5;
	t->within[5] = 6;
	pl_tiers_set_uplinks(t, 80);
	t->uplink[4] = (struct pl_link_rate){40, 20};
	t->uplink[6] = (struct pl_link_rate){8, 16};
	near(send_one(net, 0, 4), 1, "within a rack");
	near(send_one(net, 0, 1), 1 + 1, "racks of a row: their uplinks");
	near(send_one(net, 2, 3), 1 + 1, "of the other row, too");
	near(send_one(net, 0, 2), 1 + 5, "between rows the site's way in");
	near(send_one(net, 2, 0), 1 + 10, "and its way out");
	near(send_all(net, src, dst, 2), 1 + 10, "which two racks share");
	t->uplink[5] = (struct pl_link_rate){4, 4};
	near(send_one(net, 2, 1), 1 + 20, "a row's own line may be slower");
}

int main(void)
{
	test_cards();
	test_uplinks();
	test_tiers();
	return done_testing();
}
