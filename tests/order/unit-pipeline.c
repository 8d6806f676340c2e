/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-pipeline.c - a pipeline as one forward, one backward: its time in closed form */
#include "config.h"

#include "order/job/calls.h"
#include "tests/predict/predict-net.h"

static struct pl_job_kind pipeline(uint64_t microbatches, double forward_s, double backward_s)
{
	return (struct pl_job_kind){.form = PL_JOB_PIPELINE,
				    .bytes = 1000,
				    .microbatches = microbatches,
				    .vpp = 1,
				    .forward_ns = forward_s * 1e9,
				    .backward_ns = backward_s * 1e9};
}

static double played(const struct pl_job_kind *kind, size_t n_stages, const struct pl_network *net,
		     const struct pl_protocol *p)
{
	struct pl_script s;

	if (pl_job_pipeline_script(&s, kind, n_stages, NULL))
		return NAN;
	return seconds(&s, net, p);
}

/* Stages that take the same time, and messages that take none: each stage waits as long as it
 * computes for one microbatch less than there are stages. */
static void test_bubble(void)
{
	const struct pl_protocol eager = protocol("ideal");
	const struct pl_protocol handshake = rendezvous();
	struct pl_network *net = network(HOSTS_MAX);
	bool same = true, told = true;

	for (size_t i = 0; i < HOSTS_MAX * HOSTS_MAX; i++)
		net->latency_s[i] = 0;
	for (size_t n = 1; n <= HOSTS_MAX; n++)
		for (uint64_t m = 1; m <= 11; m++) {
			const size_t first[] = {0, n};
			struct pl_job_kind kind = pipeline(m, 2, 3);
			const double want = (double)(m + n - 1) * 5;

			same &= played(&kind, n, net, &eager) == want &&
				played(&kind, n, net, &handshake) == want;
			kind.first = (size_t *)first;
			kind.n_groups = 1;
			told &= fabs(pl_job_computing_s(&kind) - want) < 1e-9;
		}
	ok(same, "a bubble of (stages - 1) / microbatches, whatever the handshake");
	ok(told, "which is told, too");
}

/* The same with v parts of the model at each stage: a vth of the bubble, with all numbers of
 * microbatches that Megatron allows. */
static void test_interleaved(void)
{
	const struct pl_protocol eager = protocol("ideal");
	const struct pl_protocol handshake = rendezvous();
	struct pl_network *net = network(HOSTS_MAX);
	bool same = true, told = true;

	for (size_t i = 0; i < HOSTS_MAX * HOSTS_MAX; i++)
		net->latency_s[i] = 0;
	for (size_t n = 1; n <= HOSTS_MAX; n++)
		for (uint64_t v = 2; v <= 4; v++)
			for (uint64_t m = n; m <= 4 * n; m += n) {
				const size_t first[] = {0, n};
				struct pl_job_kind kind = pipeline(m, 2 * (double)v, 3 * (double)v);
				const double want = (double)(m * v + n - 1) * 5;

				kind.vpp = v;
				same &= fabs(played(&kind, n, net, &eager) - want) < 1e-9 &&
					fabs(played(&kind, n, net, &handshake) - want) < 1e-9;
				kind.first = (size_t *)first;
				kind.n_groups = 1;
				told &= fabs(pl_job_computing_s(&kind) -
					     (n > 1 ? want : (double)(m * v) * 5)) < 1e-9;
			}
	ok(same, "interleaved: a bubble of (stages - 1) / (parts x microbatches)");
	ok(told, "which is told, too");
}

/* What a stage of an interleaved pipeline sends in all. */
static void test_interleaved_messages(void)
{
	struct pl_job_kind kind = pipeline(8, 0, 0);
	struct pl_script s;
	struct pl_pattern p;

	kind.vpp = 3;
	if (pl_job_pipeline_script(&s, &kind, 4, NULL) || pl_script_finish(&s, &p, NULL)) {
		ok(false, "a script");
		return;
	}
	is_int((int)p.n_messages, 2 * 8 * (3 * 4 - 1),
	       "each microbatch passes from each part to the next, and back");
	pl_pattern_fini(&p);
	pl_script_fini(&s);
}

/* Latencies of 1 s. */
static void test_messages(void)
{
	const struct pl_protocol ideal = protocol("ideal");
	struct pl_job_kind kind = pipeline(1, 0, 0);

	near(played(&kind, 4, network(4), &ideal), 6, "one microbatch: each hop there and back");
	kind = pipeline(2, 10, 20);
	near(played(&kind, 2, network(2), &ideal), 3 * 30 + 2,
	     "two stages: the first message there and the last one back");
}

int main(void)
{
	test_bubble();
	test_interleaved();
	test_interleaved_messages();
	test_messages();
	return done_testing();
}
