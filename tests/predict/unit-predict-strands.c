/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-predict-strands.c - ranks that do several things at once, within a window */
#include "config.h"

#include "predict/predict.h"
#include "tests/predict/predict-net.h"
#include "tests/tap.h"

#include <math.h>

/* Rank 0 sends 4 chunks of 10 bytes to 1, which adds to them and sends them back; at most @window
 * at once. */
static void write_chunks(struct pl_script *s, size_t window)
{
	pl_script_init(s, 2, NULL);
	pl_script_window(s, window);
	for (uint32_t rank = 0; rank < 2; rank++) {
		pl_script_rank(s, rank);
		for (uint32_t chunk = 0; chunk < 4; chunk++) {
			pl_script_strand(s, rank == 0);
			pl_script_tag(s, chunk);
			if (rank == 0)
				pl_script_send(s, 1, 10);
			pl_script_recv(s, 1 - rank, 10);
			if (rank == 1) {
				pl_script_reduce(s, 10);
				pl_script_send(s, 0, 10);
			}
		}
	}
}

static double chunks(size_t window, const struct pl_network *net, const struct pl_protocol *p)
{
	struct pl_script s;

	write_chunks(&s, window);
	return seconds(&s, net, p);
}

static void test_strands(void)
{
	static const size_t host_at[] = {0, 1};
	const struct pl_predict_options options = {.repeat = 1, .path_max = 99};
	struct pl_protocol p = protocol("ideal");
	struct pl_network *net = network(2);
	double rate[] = {INFINITY, 10, 10, INFINITY};
	struct pl_prediction out = {0};
	struct pl_pattern pattern = {0};
	struct pl_script s;

	near(chunks(0, net, &p), 2, "strands do not wait for one another");
	near(chunks(1, net, &p), 8, "a window of one: one after the other");
	near(chunks(3, net, &p), 4, "a window of three, of four");
	p.reduce_s_per_byte = 0.1;
	near(chunks(0, net, &p), 6, "one processor adds one after the other");
	p.waits = PL_POLLS;
	set_costs(net, &(struct pl_message_cost){.send_s = 0.5, .share = 1});
	near(chunks(0, net, &p), 8.5, "and posts one after the other");
	p = protocol("ideal");
	net->bytes_per_s = rate;
	near(chunks(0, net, &p), 7, "one connection for all");
	p.connections = 2;
	near(chunks(0, net, &p), 5, "two connections by turns");
	net->bytes_per_s = NULL;
	write_chunks(&s, 1);
	if (pl_script_finish(&s, &pattern, NULL) ||
	    pl_predict(&pattern, host_at, net, &p, &options, &out, NULL))
		ok(false, "no prediction");
	is_int((int64_t)out.n_path, 8, "the path goes through all that held it");
	pl_prediction_fini(&out);
	pl_pattern_fini(&pattern);
	pl_script_fini(&s);
}

int main(void)
{
	test_strands();
	return done_testing();
}
