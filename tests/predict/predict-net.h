/* SPDX-License-Identifier: BSD-3-Clause */
/* predict-net.h - a small network and a plain protocol, for tests of predictions */
#ifndef PLINK_TESTS_PREDICT_PREDICT_NET_H
#define PLINK_TESTS_PREDICT_PREDICT_NET_H

#include "costmodels/script.h"
#include "predict/predict.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#define HOSTS_MAX 8

/* Hosts in a row, all 1 s apart (one way) unless a test says otherwise. */
__attribute__((unused)) static struct pl_network *network(size_t n)
{
	static double latency_s[HOSTS_MAX * HOSTS_MAX];
	static struct pl_network net;

	pl_tiers_fini(&net.tiers);
	net = (struct pl_network){.n = n, .latency_s = latency_s};
	pl_tiers_init(&net.tiers, n, NULL);
	for (int rack = 0; rack < 2; rack++)
		pl_tiers_add_group(&net.tiers);
	for (size_t i = 0; i < n * n; i++)
		latency_s[i] = i / n == i % n ? 0 : 1;
	for (size_t i = 0; i < n; i++)
		net.tiers.rack[i] = i % 2;
	return &net;
}

/* Bytes per second of all cards and uplinks; 0: no limit. */
__attribute__((unused)) static void set_rates(struct pl_network *net, double card, double uplink)
{
	pl_tiers_set_cards(&net->tiers, 8 * card);
	pl_tiers_set_uplinks(&net->tiers, 8 * uplink);
}

__attribute__((unused)) static struct pl_protocol protocol(const char *name)
{
	struct pl_protocol p;

	if (pl_protocol_find(name, &p, NULL))
		memset(&p, 0, sizeof(p));
	return p;
}

/* What messages cost on all hosts. */
__attribute__((unused)) static void set_costs(struct pl_network *net,
					      const struct pl_message_cost *cost)
{
	static struct pl_message_cost all[HOSTS_MAX];

	for (size_t i = 0; i < HOSTS_MAX; i++)
		all[i] = *cost;
	net->cost = all;
}

/* As on emulated machines, 16 of which share two cores. */
static const struct pl_message_cost crowded = {.send_s = 3e-6,
					       .recv_s = 3e-6,
					       .wake_s = 1e-6,
					       .spread_s = 1e-6,
					       .share = 0.06,
					       .cores = 2};

/* A handshake without headers, overheads or chance. */
__attribute__((unused)) static struct pl_protocol rendezvous(void)
{
	struct pl_protocol p = protocol("ideal");

	p.handshake = PL_RENDEZVOUS;
	p.eager_bytes = 0;
	return p;
}

__attribute__((unused)) static bool near(double got, double want, const char *what)
{
	if (!(fabs(got - want) < 1e-9))
		printf("# got %.12g, want %.12g\n", got, want);
	return ok(fabs(got - want) < 1e-9, "%s", what);
}

/* Seconds of a single call; position i on host i. NAN where it fails. */
__attribute__((unused)) static double seconds(struct pl_script *s, const struct pl_network *net,
					      const struct pl_protocol *p)
{
	static const size_t host_at[HOSTS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
	const struct pl_predict_options options = {.repeat = 1};
	struct pl_prediction out;
	struct pl_pattern pattern;
	double result = NAN;

	if (pl_script_finish(s, &pattern, NULL) == 0) {
		if (pl_predict(&pattern, host_at, net, p, &options, &out, NULL) == 0)
			result = out.seconds;
		pl_prediction_fini(&out);
		pl_pattern_fini(&pattern);
	}
	pl_script_fini(s);
	return result;
}

#endif
