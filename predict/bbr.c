/* SPDX-License-Identifier: BSD-3-Clause */
/* bbr.c - connections that go at the pace they believe the network to have */
#include "config.h"

#include "predict/bbr.h"

#include <math.h>

/* Linux: bbr_high_gain, its inverse, bbr_cwnd_gain, bbr_pacing_margin_percent, bbr_bw_rtts,
 * bbr_full_bw_thresh, bbr_full_bw_cnt, bbr_cwnd_min_target (of segments), and bbr_pacing_gain. */
#define HIGH_GAIN (2885.0 / 1000)
#define WINDOW_GAIN 2
#define PACE_SHARE 0.99
#define ROUNDS 10
#define FULL_GROWTH 1.25
#define FULL_ROUNDS 3
#define WINDOW_LEAST_BYTES (4 * 1448.0)
#define PHASES 8
static const double phase_gain[PHASES] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};

void pl_bbr_init(struct pl_bbr *b, double window_bytes, double round_trip_s)
{
	*b = (struct pl_bbr){
		.pace_bytes_per_s = HIGH_GAIN * window_bytes / fmax(round_trip_s, 1e-6),
		.free_s = -INFINITY,
	};
}

static double believed(const struct pl_bbr *b)
{
	return b->most[0].bytes_per_s;
}

static bool is_full(const struct pl_bbr *b)
{
	return b->n_full >= FULL_ROUNDS;
}

static double pace_gain(const struct pl_bbr *b)
{
	return b->mode == PL_BBR_STARTUP ? HIGH_GAIN
	       : b->mode == PL_BBR_DRAIN ? 1 / HIGH_GAIN
					 : phase_gain[b->phase];
}

static void set_pace(struct pl_bbr *b, double gain)
{
	const double pace = PACE_SHARE * gain * believed(b);

	if (is_full(b) || pace > b->pace_bytes_per_s)
		b->pace_bytes_per_s = pace;
}

void pl_bbr_given(struct pl_bbr *b, double under_way_bytes)
{
	b->limited_bytes = fmax(b->delivered_bytes + under_way_bytes, 1);
}

void pl_bbr_send(struct pl_bbr *b, double bytes, double under_way_bytes, double now_s,
		 struct pl_bbr_sent *sent)
{
	double took_s;

	if (under_way_bytes <= 0) {
		b->first_s = b->delivered_s = now_s;
		if (b->limited_bytes > 0 && b->mode == PL_BBR_PROBE)
			set_pace(b, 1);
	}
	*sent = (struct pl_bbr_sent){
		.delivered_bytes = b->delivered_bytes,
		.delivered_s = b->delivered_s,
		.first_s = b->first_s,
		.limited = b->limited_bytes > 0,
	};
	took_s = bytes / b->pace_bytes_per_s;
	/* what it has been late by makes up for half of it at most */
	took_s -= fmin(took_s / 2, fmax(now_s - b->free_s, 0));
	b->free_s = now_s + took_s;
}

/* A rate measured now, in place of most[i] and of all behind it. */
static void replace_from(struct pl_bbr *b, int i, double bytes_per_s)
{
	for (; i < 3; i++) {
		b->most[i].bytes_per_s = bytes_per_s;
		b->most[i].round = b->round;
	}
}

/* The most of the last ROUNDS round trips (Linux: lib/win_minmax.c). */
static void take_rate(struct pl_bbr *b, double bytes_per_s)
{
	const uint32_t now = b->round;
	uint32_t gone;

	if (bytes_per_s >= b->most[0].bytes_per_s || now - b->most[2].round > ROUNDS) {
		replace_from(b, 0, bytes_per_s);
		return;
	}
	for (int i = 1; i < 3; i++)
		if (bytes_per_s >= b->most[i].bytes_per_s)
			replace_from(b, i, bytes_per_s);
	while (now - b->most[0].round > ROUNDS) {
		b->most[0] = b->most[1];
		b->most[1] = b->most[2];
		replace_from(b, 2, bytes_per_s);
	}
	gone = now - b->most[0].round;
	for (int i = 1; i < 3; i++)
		if (b->most[i].round == b->most[i - 1].round && gone > (uint32_t)i * ROUNDS / 4)
			replace_from(b, i, bytes_per_s);
}

/* True: a round trip has ended. */
static bool measure(struct pl_bbr *b, const struct pl_bbr_ack *ack)
{
	const struct pl_bbr_sent *s = ack->sent;
	const double took_s = fmax(ack->known_s - s->delivered_s, ack->sent_s - s->first_s);
	const double rate = (b->delivered_bytes - s->delivered_bytes) / took_s;
	const bool ends = s->delivered_bytes >= b->round_bytes;

	if (ends) {
		b->round_bytes = b->delivered_bytes;
		b->round++;
	}
	if (took_s > 0 && (!s->limited || rate >= believed(b)))
		take_rate(b, rate);
	return ends;
}

static double held_bytes(const struct pl_bbr *b, double gain)
{
	return gain * believed(b) * b->least_s;
}

static void look_for_full(struct pl_bbr *b)
{
	if (believed(b) >= FULL_GROWTH * b->full_bytes_per_s) {
		b->full_bytes_per_s = believed(b);
		b->n_full = 0;
	} else {
		b->n_full++;
	}
}

static void next_phase(struct pl_bbr *b, const struct pl_bbr_ack *ack)
{
	const double gain = phase_gain[b->phase];
	const double held = held_bytes(b, gain > 1 ? gain : 1);
	bool over = ack->known_s - b->phase_s > b->least_s;

	if (gain > 1)
		over = over && ack->under_way_bytes + ack->bytes >= held;
	else if (gain < 1)
		over = over || ack->under_way_bytes <= held;
	if (!over)
		return;
	b->phase = (b->phase + 1) % PHASES;
	b->phase_s = ack->known_s;
}

static void change_mode(struct pl_bbr *b, const struct pl_bbr_ack *ack, bool round_ends,
			struct pl_rng *rng)
{
	if (b->mode == PL_BBR_PROBE)
		next_phase(b, ack);
	if (!is_full(b) && round_ends && !ack->sent->limited)
		look_for_full(b);
	if (b->mode == PL_BBR_STARTUP && is_full(b))
		b->mode = PL_BBR_DRAIN;
	if (b->mode == PL_BBR_DRAIN && ack->under_way_bytes <= held_bytes(b, 1)) {
		b->mode = PL_BBR_PROBE;
		b->phase = (PHASES - pl_rng_below(rng, PHASES - 1)) % PHASES;
		b->phase_s = ack->known_s;
	}
}

static double window(const struct pl_bbr *b, const struct pl_bbr_ack *ack, double now_bytes)
{
	const double gain = b->mode == PL_BBR_PROBE ? WINDOW_GAIN : HIGH_GAIN;
	const double aim = held_bytes(b, gain) + 3 * ack->burst_bytes;

	if (is_full(b))
		now_bytes = fmin(now_bytes + ack->bytes, aim);
	else if (now_bytes < aim)
		now_bytes += ack->bytes;
	return fmax(now_bytes, WINDOW_LEAST_BYTES);
}

double pl_bbr_acknowledged(struct pl_bbr *b, const struct pl_bbr_ack *ack, double window_bytes,
			   struct pl_rng *rng)
{
	const double round_trip_s = ack->known_s - ack->sent_s;
	bool round_ends;

	b->delivered_bytes += ack->bytes;
	b->delivered_s = ack->known_s;
	b->first_s = ack->sent_s;
	/* parts of bytes do not count */
	if (b->delivered_bytes >= b->limited_bytes + 1)
		b->limited_bytes = 0;
	round_ends = measure(b, ack);
	if (b->least_s <= 0 || round_trip_s < b->least_s)
		b->least_s = round_trip_s;
	change_mode(b, ack, round_ends, rng);
	set_pace(b, pace_gain(b));
	return window(b, ack, window_bytes);
}
