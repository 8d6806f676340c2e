/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-predict-path.c - which messages made a call as long as it is, and why */
#include "config.h"

#include "costmodels/script.h"
#include "predict/predict.h"
#include "tests/predict/predict-net.h"
#include "tests/tap.h"

/* The critical path of one call of a script over the network's hosts. */
static bool find_path_of(struct pl_script *s, struct pl_network *net, const struct pl_protocol *p,
			 struct pl_prediction *out)
{
	static const size_t host_at[] = {0, 1, 2};
	const struct pl_predict_options options = {.repeat = 1, .path_max = 9};
	struct pl_pattern pattern;
	bool good;

	pl_script_finish(s, &pattern, NULL);
	pl_script_fini(s);
	good = pl_predict(&pattern, host_at, net, p, &options, out, NULL) == 0;
	pl_pattern_fini(&pattern);
	return good;
}

static bool find_path(struct pl_script *s, struct pl_network *net, struct pl_prediction *out)
{
	const struct pl_protocol p = rendezvous();

	return find_path_of(s, net, &p, out);
}

static void test_path(void)
{
	struct pl_network *net = network(3);
	struct pl_prediction out;
	struct pl_script s;

	set_rates(net, 1, 0);
	pl_script_init(&s, 3, NULL);
	pl_script_rank(&s, 0);
	pl_script_send(&s, 1, 1);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 0, 1);
	pl_script_send(&s, 2, 10);
	pl_script_rank(&s, 2);
	pl_script_recv(&s, 1, 10);
	if (!ok(find_path(&s, net, &out) && out.n_path == 2, "the path has both messages"))
		return;
	ok(out.path[0].message == 0 && out.path[1].message == 1, "in order of time");
	is_str(pl_bound_name(out.path[0].bound), "handshake",
	       "a small one is bound by its handshake");
	is_str(pl_bound_name(out.path[1].bound), "nic", "a large one by the card");
	near(out.path[0].end_s, 4, "first: three trips, 1 s of data");
	near(out.path[1].begin_s, 4, "second: begins then");
	near(out.path[1].end_s, 17, "and takes 3 s and 10 s");
	pl_prediction_fini(&out);
}

/* A sender is ready long before its receiver: what the receiver does until then is the receiver's,
 * not the handshake's. */
static void test_late_path(void)
{
	struct pl_network *net = network(3);
	struct pl_prediction out;
	struct pl_script s;

	set_rates(net, 1, 0);
	pl_script_init(&s, 3, NULL);
	pl_script_rank(&s, 0);
	pl_script_send(&s, 1, 5);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 2, 30);
	pl_script_recv(&s, 0, 5);
	pl_script_rank(&s, 2);
	pl_script_send(&s, 1, 30);
	if (!ok(find_path(&s, net, &out) && out.n_path == 2 && out.path[0].message == 1 &&
			out.path[1].message == 0,
		"the path goes on at the late receiver"))
		return;
	near(out.path[1].begin_s, out.path[0].end_s,
	     "a message begins when both its ends are there");
	is_str(pl_bound_name(out.path[1].bound), "nic", "its handshake is what comes after that");
	pl_prediction_fini(&out);
}

/* The sender copies for 3 s once its message is acknowledged, and tells rank
 * 2. */
static void test_acknowledged_path(void)
{
	struct pl_protocol p = rendezvous();
	struct pl_prediction out;
	struct pl_script s;

	p.handshake = PL_ACKNOWLEDGED;
	p.eager_bytes = 5;
	p.copy_s_per_byte = 1;
	pl_script_init(&s, 3, NULL);
	pl_script_rank(&s, 0);
	pl_script_send(&s, 1, 10);
	pl_script_copy(&s, 3);
	pl_script_send(&s, 2, 5);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 0, 10);
	pl_script_rank(&s, 2);
	pl_script_recv(&s, 0, 5);
	if (!ok(find_path_of(&s, network(3), &p, &out) && out.n_path == 2,
		"a message behind an acknowledged one"))
		return;
	is_str(pl_bound_name(out.path[0].bound), "handshake",
	       "that waits for its receiver's word, too");
	near(out.path[0].end_s, 5, "it is there with its end mark");
	near(out.path[1].begin_s, 4 + 3, "for which its sender does not wait");
	pl_prediction_fini(&out);
}

static void test_refusals(void)
{
	static const size_t beyond[] = {0, 9}, host_at[] = {0, 1};
	static const sig_atomic_t now = 1;
	const struct pl_predict_options stopped = {.stop = &now};
	struct pl_network *net = network(2);
	struct pl_protocol p = rendezvous();
	struct pl_prediction out;
	struct pl_err err = {0};
	struct pl_pattern pattern;
	struct pl_script s;

	pl_script_init(&s, 2, NULL);
	for (size_t rank = 0; rank < 2; rank++) {
		pl_script_rank(&s, rank);
		pl_script_send(&s, 1 - rank, 10);
		pl_script_recv(&s, 1 - rank, 10);
	}
	pl_script_finish(&s, &pattern, NULL);
	pl_script_fini(&s);
	p.buffer_bytes = 0;
	ok(pl_predict(&pattern, host_at, net, &p, NULL, &out, &err) < 0 && err.code == PL_EUSAGE,
	   "two that both send first wait for ever");
	ok(pl_predict(&pattern, host_at, net, &p, &stopped, &out, &err) < 0 &&
		   err.code == PL_EPARTIAL && !out.path && !out.n_path,
	   "who is told to stop does not go on");
	ok(pl_predict(&pattern, beyond, net, &p, NULL, &out, &err) < 0 && err.code == PL_EINPUT,
	   "hosts that are not there");
	ok(pl_protocol_find("pigeon", &p, &err) < 0 && strstr(err.text, "openmpi-tcp"),
	   "an unknown protocol: the names are listed");
	pl_pattern_fini(&pattern);
}

int main(void)
{
	test_path();
	test_late_path();
	test_acknowledged_path();
	test_refusals();
	return done_testing();
}
