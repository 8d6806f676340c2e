/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-bbr.c - the pace and the window of connections under BBR */
#include "config.h"

#include "costmodels/catalogue.h"
#include "predict/bbr.h"
#include "tests/predict/predict-net.h"

#define PACKET 10000.0
#define RATE 1e6       /* of the network, bytes per second */
#define ROUND_TRIP 0.1 /* s */

/* Sends packets as pace and window let it, through a network of that rate: for so long, or so many
 * bytes at a time with a second between them (0: without end). */
static double drive(struct pl_bbr *b, double seconds, double at_once)
{
	struct flight {
		struct pl_bbr_sent sent;
		double sent_s, known_s;
	} flight[1000];
	size_t first = 0, n = 0;
	double now_s = 0, free_s = 0, window = 14480, under_way = 0, left;
	struct pl_rng rng;

	pl_rng_init(&rng, 1, 0);
	pl_bbr_init(b, window, ROUND_TRIP);
	left = at_once > 0 ? at_once : INFINITY;
	if (at_once > 0)
		pl_bbr_given(b, 0);
	while (now_s < seconds) {
		const bool may = left >= PACKET && under_way + PACKET <= fmax(window, PACKET);
		struct flight *f = &flight[first % 1000];

		if (may && (n == 0 || fmax(b->free_s, now_s) <= f->known_s)) {
			struct flight *to = &flight[(first + n++) % 1000];

			now_s = fmax(now_s, b->free_s);
			pl_bbr_send(b, PACKET, under_way, now_s, &to->sent);
			free_s = fmax(free_s, now_s) + PACKET / RATE;
			to->sent_s = now_s;
			to->known_s = free_s + ROUND_TRIP;
			under_way += PACKET;
			left -= PACKET;
			continue;
		}
		if (n == 0) {
			now_s += 1;
			left = at_once;
			pl_bbr_given(b, 0);
			continue;
		}
		now_s = f->known_s;
		under_way -= PACKET;
		window = pl_bbr_acknowledged(b,
					     &(struct pl_bbr_ack){.sent = &f->sent,
								  .bytes = PACKET,
								  .sent_s = f->sent_s,
								  .known_s = f->known_s,
								  .under_way_bytes = under_way,
								  .burst_bytes = PACKET},
					     window, &rng);
		first++;
		n--;
	}
	return window;
}

static void test_bulk(void)
{
	struct pl_bbr b;
	const double window = drive(&b, 20, 0);
	const double held = RATE * (ROUND_TRIP + PACKET / RATE);

	ok(b.mode == PL_BBR_PROBE, "a stream that never ends finds a rate");
	ok(fabs(b.most[0].bytes_per_s / RATE - 1) < 0.03, "which is the network's (%g)",
	   b.most[0].bytes_per_s);
	ok(fabs(b.pace_bytes_per_s / b.most[0].bytes_per_s - 1) < 0.27,
	   "and goes at about that pace");
	ok(fabs(window / (2 * held + 3 * PACKET) - 1) < 0.1,
	   "with twice of what the way holds, and three bursts (%g)", window);
}

/* 50 kB at a time take half of a round trip at that rate: what was delivered, over that and a round
 * trip, is a third of it. */
static void test_short(void)
{
	struct pl_bbr b;
	double most;

	drive(&b, 50, 50000);
	most = b.most[0].bytes_per_s;
	ok(b.mode == PL_BBR_STARTUP, "messages shorter than the way end no search");
	ok(most <= 50000 / (ROUND_TRIP + 50000 / RATE) * 1.001 &&
		   most > 40000 / (ROUND_TRIP + 50000 / RATE),
	   "and show a rate of theirs over a round trip and more (%g)", most);
}

/* A ring of four hosts, the first eight calls. */
static double ring(enum pl_congestion congestion, uint64_t bytes)
{
	static const size_t host_at[] = {0, 1, 2, 3};
	const struct pl_call call = {.n_pos = 4, .bytes = bytes};
	const struct pl_predict_options first = {.repeat = 8};
	const struct pl_protocol p = protocol("openmpi-tcp");
	struct pl_network *net = network(4);
	struct pl_prediction out = {0};
	struct pl_pattern pattern;
	size_t radix;
	double seconds;

	for (size_t i = 0; i < 16; i++)
		net->latency_s[i] *= 5e-3;
	set_rates(net, 25e6, 0);
	net->congestion = congestion;
	set_costs(net, &crowded);
	pl_algorithm_pattern(pl_catalogue_find(PL_ALLREDUCE, PL_OPENMPI, "ring", &radix, NULL),
			     &call, &pattern, NULL);
	pl_predict(&pattern, host_at, net, &p, &first, &out, NULL);
	seconds = out.seconds;
	pl_pattern_fini(&pattern);
	pl_prediction_fini(&out);
	return seconds;
}

static void test_ring(void)
{
	const double small = ring(PL_CONGESTION_WINDOW, 64 << 10);
	const double large = ring(PL_CONGESTION_WINDOW, 4 << 20);

	ok(fabs(ring(PL_CONGESTION_UNKNOWN, 64 << 10) / small - 1) < 1e-12,
	   "what is not known is taken for windows");
	ok(ring(PL_CONGESTION_BBR, 64 << 10) > 1.05 * small,
	   "a ring of messages of 16 KiB is slower under BBR");
	ok(ring(PL_CONGESTION_BBR, 4 << 20) < 0.9 * large,
	   "of 1 MiB faster: no word of a handshake stands in long lines");
	is_int(pl_network_congestion("bbr"), PL_CONGESTION_BBR, "bbr is BBR");
	is_int(pl_network_congestion("cubic"), PL_CONGESTION_WINDOW, "cubic has windows");
}

int main(void)
{
	test_bulk();
	test_short();
	test_ring();
	return done_testing();
}
