/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-predict-costs.c - what messages cost processes, and that nearer is never slower */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "predict/predict.h"
#include "tests/predict/predict-net.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#define US 1e-6

/* Rank 0 sends 10 bytes to rank 1. */
static double one_message(const struct pl_protocol *p, struct pl_network *net)
{
	struct pl_script s;

	pl_script_init(&s, 2, NULL);
	pl_script_rank(&s, 0);
	pl_script_send(&s, 1, 10);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 0, 10);
	return seconds(&s, net, p);
}

/* The mean of many messages, each with a chance of its own. */
static double mean_message(const struct pl_protocol *p, struct pl_network *net, unsigned starts)
{
	static const size_t host_at[] = {0, 1};
	const struct pl_predict_options options = {.repeat = 1, .starts = starts};
	struct pl_prediction out = {0};
	struct pl_pattern pattern = {0};
	struct pl_script s;
	double mean;

	pl_script_init(&s, 2, NULL);
	pl_script_rank(&s, 0);
	pl_script_send(&s, 1, 10);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 0, 10);
	if (pl_script_finish(&s, &pattern, NULL) == 0)
		pl_predict(&pattern, host_at, net, p, &options, &out, NULL);
	mean = out.seconds;
	pl_prediction_fini(&out);
	pl_pattern_fini(&pattern);
	pl_script_fini(&s);
	return mean;
}

static bool is_about(double got, double want, const char *what)
{
	return ok(fabs(got / want - 1) < 0.05, "%s (%.3g, %.3g)", what, got, want);
}

static void test_classes(void)
{
	struct pl_message_cost cost = {
		.send_s = 0.5, .recv_s = 0.25, .wake_s = 4, .share = 1, .cores = 1};
	struct pl_protocol p = protocol("ideal");
	struct pl_network *net = network(2);

	set_costs(net, &cost);
	near(one_message(&p, net), 1, "nothing costs nothing");
	p.waits = PL_POLLS;
	near(one_message(&p, net), 1.75, "who polls and has a processor takes it at once");
	p.waits = PL_SLEEPS;
	near(one_message(&p, net), 5.75, "who sleeps is woken up");
	cost.share = 0.25;
	set_costs(net, &cost);
	is_about(mean_message(&p, net, 4000), 20, "who sleeps among others, in the mean");
	ok(mean_message(&p, net, 0) == mean_message(&p, net, 8), "eight starts where some share");
	p.waits = PL_POLLS;
	is_about(mean_message(&p, net, 4000), 4, "who polls among others");
	p.waits = PL_SLEEPS;
	cost.share = 1;
	cost.spread_s = 0.5;
	set_costs(net, &cost);
	is_about(mean_message(&p, net, 4000), 6.25, "what varies comes on top");
	ok(mean_message(&p, net, 0) == mean_message(&p, net, 4), "four where none does");
}

/* Two ranks of a host with one core, which exchange with two others. */
static void test_turns(void)
{
	static const size_t host_at[] = {0, 0, 1, 1};
	const struct pl_predict_options options = {.repeat = 1, .starts = 2000};
	struct pl_message_cost cost = {.recv_s = 1, .wake_s = 4, .share = 1, .cores = 2};
	struct pl_protocol p = protocol("ideal");
	struct pl_network *net = network(2);
	double took[2] = {0};

	p.waits = PL_POLLS;
	for (size_t few = 0; few < 2; few++) {
		struct pl_prediction out = {0};
		struct pl_pattern pattern = {0};
		struct pl_script s;

		cost.cores = few ? 1 : 2;
		set_costs(net, &cost);
		pl_script_init(&s, 4, NULL);
		pl_script_rank(&s, 0);
		pl_script_send(&s, 2, 10);
		pl_script_rank(&s, 2);
		pl_script_recv(&s, 0, 10);
		if (pl_script_finish(&s, &pattern, NULL) == 0)
			pl_predict(&pattern, host_at, net, &p, &options, &out, NULL);
		took[few] = out.seconds;
		pl_prediction_fini(&out);
		pl_pattern_fini(&pattern);
		pl_script_fini(&s);
	}
	near(took[0], 2, "as many ranks as cores: each has its own");
	is_about(took[1], 11, "twice as many: they take turns");
}

static struct pl_pattern algorithm(enum pl_impl impl, const char *name, uint64_t bytes)
{
	const struct pl_call call = {.n_pos = HOSTS_MAX, .bytes = bytes};
	const struct pl_algorithm *a;
	struct pl_pattern p = {0};
	size_t radix;

	a = pl_catalogue_find(PL_ALLREDUCE, impl, name, &radix, NULL);
	if (!a || pl_algorithm_pattern(a, &call, &p, NULL))
		ok(false, "no %s", name);
	return p;
}

static double predicted(const struct pl_pattern *call, const size_t *host_at,
			const struct pl_network *net, const struct pl_protocol *p)
{
	struct pl_prediction out = {0};

	double result = NAN;

	if (pl_predict(call, host_at, net, p, NULL, &out, NULL) == 0)
		result = out.seconds;
	pl_prediction_fini(&out);
	return result;
}

/* A data centre: 10 to 150 us one way. */
static void draw(struct pl_network *net, struct pl_rng *rng)
{
	for (size_t i = 0; i < net->n * net->n; i++)
		if (i / net->n != i % net->n)
			net->latency_s[i] = (10 + 140 * pl_rng_double(rng)) * US;
}

/* One way takes longer. */
static void make_slower(struct pl_network *net, struct pl_rng *rng)
{
	const size_t i = pl_rng_below(rng, HOSTS_MAX);
	const size_t j = (i + 1 + pl_rng_below(rng, HOSTS_MAX - 1)) % HOSTS_MAX;

	net->latency_s[i * HOSTS_MAX + j] *= 1 + 2 * pl_rng_double(rng);
}

/* How much faster the call is predicted at most where something is slower. */
static double most_gained(enum pl_impl impl, const char *name, const char *how, uint64_t bytes,
			  const struct pl_message_cost *cost)
{
	static const size_t host_at[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const struct pl_protocol p = protocol(how);
	struct pl_pattern call = algorithm(impl, name, bytes);
	struct pl_network *net = network(HOSTS_MAX);
	struct pl_rng rng;
	double most = 0;

	set_costs(net, cost);
	pl_rng_init(&rng, bytes, impl);
	for (int i = 0; i < 25; i++) {
		double before, after;

		draw(net, &rng);
		before = predicted(&call, host_at, net, &p);
		make_slower(net, &rng);
		after = predicted(&call, host_at, net, &p);
		most = after > 0 ? fmax(most, 1 - after / before) : 1;
	}
	pl_pattern_fini(&call);
	return most;
}

/* Rates are no limit: where messages share a link, one that comes later can make room for one that
 * matters more. Where ranks share processors, what is left to chance is not evened out as well. */
static void test_monotone(void)
{
	static const struct {
		enum pl_impl impl;
		const char *name, *how;
	} calls[] = {
		{PL_OPENMPI, "recursive-doubling", "openmpi-tcp"},
		{PL_OPENMPI, "ring", "openmpi-tcp"},
		{PL_OPENMPI, "rabenseifner", "openmpi-tcp"},
		{PL_MPICH, "recursive-doubling", "mpich-tcp"},
		{PL_GLOO, "ring", "gloo-tcp"},
	};
	static const uint64_t bytes[] = {1000, 50000, 600000};
	const struct pl_message_cost usual = PL_MESSAGE_COST_DEFAULT;

	for (size_t c = 0; c < sizeof(calls) / sizeof(*calls); c++)
		for (size_t b = 0; b < 3; b++)
			for (size_t k = 0; k < 2; k++) {
				const double most =
					most_gained(calls[c].impl, calls[c].name, calls[c].how,
						    bytes[b], k ? &crowded : &usual);

				ok(most < (k ? 0.04 : 0.01),
				   "%s, %s, %u bytes%s: slower is not faster (%.4f)", calls[c].how,
				   calls[c].name, (unsigned)bytes[b], k ? ", crowded" : "", most);
			}
}

/* Racks 20 us apart, 10 us wide, one way. Recursive doubling's rounds 1, 2 and 3 are within racks,
 * within, between them; or all of them between. */
static void test_nearer(void)
{
	static const size_t near_at[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const size_t far_at[] = {0, 4, 5, 1, 6, 2, 3, 7};
	const struct pl_protocol p = protocol("openmpi-tcp");
	struct pl_pattern call = algorithm(PL_OPENMPI, "recursive-doubling", 2048);
	struct pl_network *net = network(HOSTS_MAX);
	double least = INFINITY, equal[2];

	for (size_t us = 10; us < 160; us += 10) {
		for (size_t i = 0; i < 64; i++)
			if (i / 8 != i % 8)
				net->latency_s[i] = (i / 32 == i % 8 / 4 ? 1 : 2) * (double)us * US;
		for (int k = 0; k < 2; k++) {
			const struct pl_message_cost usual = PL_MESSAGE_COST_DEFAULT;

			set_costs(net, k ? &crowded : &usual);
			least = fmin(least, predicted(&call, far_at, net, &p) /
						    predicted(&call, near_at, net, &p));
		}
	}
	ok(least > 1, "nearer in every round: faster (%.3f)", least);
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < 64; i++)
			net->latency_s[i] = i / 8 == i % 8 ? 0 : (k ? 20 : 15) * US;
		equal[k] = predicted(&call, near_at, net, &p);
	}
	ok(equal[0] < equal[1], "and all of them 15 us away before 20");
	pl_pattern_fini(&call);
}

int main(void)
{
	test_classes();
	test_turns();
	test_monotone();
	test_nearer();
	return done_testing();
}
