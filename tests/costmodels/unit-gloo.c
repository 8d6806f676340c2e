/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-gloo.c - Gloo's patterns by what must hold of them; 0910 has the
 * library */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-traffic.h"
#include "tests/tap.h"

#include <string.h>

#define NOTIFICATION 4

/* The pattern of an algorithm; ends the test where there is none. */
static struct pl_pattern pattern(enum pl_collective collective, const char *name,
				 struct pl_call call)
{
	struct pl_pattern p = {0};
	struct pl_err err = {0};
	const struct pl_algorithm *a =
		pl_catalogue_find(collective, PL_GLOO, name, &call.radix, &err);

	if (!a || pl_algorithm_pattern(a, &call, &p, &err))
		ok(false, "%s of %zu ranks, %llu bytes: %s", name, call.n_pos,
		   (unsigned long long)call.bytes, err.text);
	return p;
}

/* Bytes of the messages but for the notifications of classes, and their number. Elements must be
 * larger than a notification. */
struct sums {
	uint64_t data_bytes;
	size_t n_data, n_notifications;
};

static struct sums sums_of(const struct pl_pattern *p, bool notifies)
{
	struct sums s = {0};

	for (size_t i = 0; i < p->n_messages; i++)
		if (notifies && p->message[i].bytes == NOTIFICATION) {
			s.n_notifications++;
		} else {
			s.data_bytes += p->message[i].bytes;
			s.n_data++;
		}
	return s;
}

/*
 * However the ranks are cut and the sizes rounded, each element is handed on
 * N - 1 times to be reduced and as often to be gathered, once to each rank.
 */
static void test_least_bytes(const char *name, bool notifies, size_t base)
{
	struct pl_rng rng;
	size_t wrong = 0;

	pl_rng_init(&rng, 1, 0);
	for (size_t n = 2; n <= 40; n++)
		for (int k = 0; k < 5; k++) {
			const struct pl_call call = {.n_pos = n,
						     .element_bytes = 8,
						     .bytes = 8 * (n + pl_rng_below(&rng, 3000)),
						     .segment_bytes = 1000};
			struct pl_pattern p;
			size_t rest = n;

			while (base && rest % base == 0)
				rest /= base;
			if (base && rest >= base)
				continue;
			p = pattern(PL_ALLREDUCE, name, call);
			wrong += sums_of(&p, notifies).data_bytes != 2 * (n - 1) * call.bytes;
			pl_pattern_fini(&p);
		}
	is_int((int64_t)wrong, 0, name);
}

/* Downwards only, nothing empty, nothing above the segment. */
static void test_segmented_ring(void)
{
	const struct pl_call call = {.n_pos = 5, .bytes = 4 * 10007, .segment_bytes = 1026};
	struct pl_pattern p = pattern(PL_ALLREDUCE, "segmented-ring", call);
	size_t wrong = 0;

	for (size_t i = 0; i < p.n_messages; i++)
		wrong += p.message[i].dst != (p.message[i].src + 4) % 5 ||
			 p.message[i].bytes == 0 || p.message[i].bytes > 1024;
	ok(wrong == 0 && p.n_rounds == 8, "segments: to the rank before");
	pl_pattern_fini(&p);
	p = pattern(PL_ALLREDUCE, "default", call);
	ok(p.message[0].dst == 4, "the default is that ring");
	pl_pattern_fini(&p);
	p = pattern(PL_ALLREDUCE, "segmented-ring", (struct pl_call){.n_pos = 9, .bytes = 4});
	ok(p.n_messages == 16, "one element: eight hops, twice");
	pl_pattern_fini(&p);
}

/* Two segments are under way: the third waits for the first. */
static void test_two_in_flight(void)
{
	struct pl_pattern p =
		pattern(PL_ALLREDUCE, "segmented-ring",
			(struct pl_call){.n_pos = 2, .bytes = 8 * 1024, .segment_bytes = 1024});
	const struct pl_message *m = &p.message[p.from[0]];

	ok(p.from[1] == 8, "four segments each way, twice");
	ok(m[1].send_step == m[0].send_step && m[0].sent_step < m[2].send_step,
	   "the third segment is sent when the first has been");
	ok(m[2].recv_step > m[0].received_step && m[2].recv_step <= m[1].received_step,
	   "and posted when the first has come, before the second");
	pl_pattern_fini(&p);
}

static void test_classes(void)
{
	const size_t n = 6;
	struct pl_call call = {.n_pos = n, .bytes = 8 * 5000, .element_bytes = 8};
	struct pl_pattern p = pattern(PL_ALLREDUCE, "ring", call);
	struct sums s = sums_of(&p, true);

	ok(s.data_bytes == n * (n - 1) * call.bytes && s.n_data == n * (n - 1) &&
		   s.n_notifications == s.n_data,
	   "ring: whole buffers, each acknowledged");
	pl_pattern_fini(&p);
	p = pattern(PL_ALLREDUCE, "ring-chunked", call);
	s = sums_of(&p, true);
	ok(s.n_data == n * (4 * n - 4) && s.n_notifications == n * (4 * n - 5),
	   "ring-chunked: 4 N - 4 chunks, 4 N - 5 notifications");
	pl_pattern_fini(&p);
	/* 40 elements fill one chunk of twelve; the others send one element */
	call.bytes = 8 * 40;
	p = pattern(PL_ALLREDUCE, "ring-chunked", call);
	s = sums_of(&p, true);
	ok(s.n_data == n * (4 * n - 4) && s.data_bytes == 8 * (s.n_data + 39 * 2 * (n - 1)),
	   "ring-chunked: an element stands for an empty chunk");
	pl_pattern_fini(&p);
}

/* N = 2^k: 2^i apart, a rank sends the 2^(i+1)-th part there and back. */
static void test_halving(void)
{
	const uint64_t bytes = 16 * 64;
	struct pl_pattern p = pattern(PL_ALLREDUCE, "halving-doubling",
				      (struct pl_call){.n_pos = 16, .bytes = bytes});
	uint64_t traffic[256];
	size_t wrong = 0;

	pattern_traffic(&p, traffic);
	for (size_t a = 0; a < 16; a++)
		for (size_t b = 0; b < 16; b++) {
			const size_t x = a ^ b;
			const bool peers = x && !(x & (x - 1));

			wrong += traffic[16 * a + b] != (peers ? bytes / x + 2 * NOTIFICATION : 0);
		}
	is_int((int64_t)wrong, 0, "halving-doubling of 16: nearest most");
	pl_pattern_fini(&p);
	/* 7 = 4 + 2 + 1: 6 sends all it has to 4 and 5, and gets it back */
	p = pattern(PL_ALLREDUCE, "halving-doubling", (struct pl_call){.n_pos = 7, .bytes = bytes});
	pattern_traffic(&p, traffic);
	ok(traffic[6 * 7 + 4] == bytes / 2 && traffic[6 * 7 + 5] == bytes / 2 &&
		   traffic[4 * 7 + 6] == bytes / 2,
	   "7 ranks: the smallest block goes by the next larger");
	ok(traffic[4 * 7 + 0] == bytes / 4 && traffic[4 * 7 + 2] == bytes / 4 &&
		   traffic[5 * 7 + 1] == bytes / 4 && traffic[4 * 7 + 1] == 0,
	   "in the order of reversed bits");
	pl_pattern_fini(&p);
}

/* From three segments to a block on, more goes round than is used. */
static void test_reduce(void)
{
	struct pl_call call = {.n_pos = 4, .bytes = 8 * 1024, .segment_bytes = 1024, .root = 2};
	struct pl_pattern p = pattern(PL_REDUCE, "segmented-ring", call);

	ok(sums_of(&p, false).data_bytes == 3 * call.bytes + call.bytes / 4 * 3,
	   "reduce: a ring, and three blocks to the root");
	pl_pattern_fini(&p);
	call.bytes = 12 * 1024;
	p = pattern(PL_REDUCE, "segmented-ring", call);
	ok(sums_of(&p, false).data_bytes == 3 * call.bytes + 4 * 1024 + call.bytes / 4 * 3,
	   "reduce: with three segments a block, one of each rank too many");
	pl_pattern_fini(&p);
}

static const char *refusal(enum pl_collective collective, const char *name, struct pl_call call)
{
	static struct pl_err err;
	struct pl_pattern p;
	const struct pl_algorithm *a =
		pl_catalogue_find(collective, PL_GLOO, name, &call.radix, NULL);

	memset(&err, 0, sizeof(err));
	if (pl_algorithm_pattern(a, &call, &p, &err) == 0)
		pl_pattern_fini(&p);
	return err.code == PL_EUSAGE ? err.text : "";
}

static void test_refusals(void)
{
	static const char *const classes[] = {"ring", "ring-chunked", "halving-doubling",
					      "bcube:2"};
	const struct pl_call large = {.n_pos = 3, .bytes = 1ULL << 31};

	for (size_t i = 0; i < 4; i++)
		has_str(refusal(PL_ALLREDUCE, classes[i], large), "in an int", classes[i]);
	has_str(refusal(PL_REDUCE_SCATTER, "halving", large), "in an int",
		"reduce-scatter of 2 GiB");
	has_str(refusal(PL_ALLGATHER, "ring", (struct pl_call){.n_pos = 4, .bytes = 1 << 29}),
		"in an int", "a class' all-gather of 2 GiB in all");
	has_str(refusal(PL_ALLGATHER, "segmented-ring", (struct pl_call){.n_pos = 2}),
		"divides by zero", "an all-gather of nothing");
	has_str(refusal(PL_REDUCE, "segmented-ring",
			(struct pl_call){.n_pos = 2, .bytes = 8, .segment_bytes = 3}),
		"divides by zero", "a segment below an element");
	has_str(refusal(PL_ALLREDUCE, "segmented-ring",
			(struct pl_call){.n_pos = 3, .bytes = INT64_MAX - 3}),
		"messages", "2^63 bytes in segments");
	has_str(refusal(PL_REDUCE, "segmented-ring",
			(struct pl_call){.n_pos = 3, .bytes = INT64_MAX - 3}),
		"messages", "2^63 bytes reduced in segments");
	is_str(refusal(PL_ALLREDUCE, "bcube", (struct pl_call){.n_pos = 6, .bytes = INT64_MAX - 3}),
	       "", "2^63 bytes in halves are a size like any other");
}

/* The objective is the slowest link, to and fro, as often as there are
 * rounds. */
static void test_paced_shape(void)
{
	const struct pl_call call = {.n_pos = 5, .bytes = 5 << 10};
	struct pl_shape s;
	size_t radix, wrong = 0;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_GLOO, "default", &radix, NULL);

	if (!ok(pl_algorithm_shape(a, &call, &s, NULL) == 0, "a shape"))
		return;
	for (size_t i = 0; i < s.n_hops; i++)
		wrong += s.hop[i].dst != (s.hop[i].src + 4) % 5 || s.hop[i].times != 16 ||
			 s.hop[i].bytes != 512;
	ok(s.kind == PL_SLOWEST && s.n_hops == 5 && wrong == 0,
	   "the ring's hops, 2 (N - 1) times to and fro");
	pl_shape_fini(&s);
}

/* Of few elements each hop counts, and the slowest as often as there are blocks. */
static void test_small_shape(void)
{
	const struct pl_call call = {.n_pos = 8, .bytes = 16};
	struct pl_shape s;
	size_t radix, wrong = 0;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_GLOO, "segmented-ring", &radix, NULL);

	if (!ok(pl_algorithm_shape(a, &call, &s, NULL) == 0, "a small shape"))
		return;
	for (size_t i = 0; i < s.n_hops; i++)
		wrong += s.hop[i].dst != (s.hop[i].src + 7) % 8 ||
			 s.hop[i].group != (i < 8 ? i : 8) || s.hop[i].times != (i < 8 ? 1 : 4) ||
			 s.hop[i].bytes != 4;
	ok(s.kind == PL_SUM_OF_MAXIMA && s.n_hops == 16 && s.n_groups == 9 && wrong == 0,
	   "once round, and two blocks to and fro");
	pl_shape_fini(&s);
}

int main(void)
{
	test_least_bytes("segmented-ring", false, 0);
	test_least_bytes("halving-doubling", true, 0);
	test_least_bytes("bcube", false, 0);
	test_least_bytes("bcube:2", true, 2);
	test_least_bytes("bcube:3", true, 3);
	test_least_bytes("bcube:4", true, 4);
	test_segmented_ring();
	test_two_in_flight();
	test_classes();
	test_halving();
	test_reduce();
	test_refusals();
	test_paced_shape();
	test_small_shape();
	return done_testing();
}
