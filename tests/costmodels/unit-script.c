/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-script.c - scripts become patterns: pairs, steps, work, limits */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/script.h"
#include "tests/costmodels/pattern-traffic.h"
#include "tests/tap.h"

#include <string.h>

static void test_pairs(void)
{
	struct pl_script s;
	struct pl_pattern p;
	struct pl_request first, second;
	uint64_t traffic[9];

	pl_script_init(&s, 3, NULL);
	pl_script_rank(&s, 0);
	pl_script_tag(&s, 7);
	pl_script_issend(&s, 1, 100);
	pl_script_tag(&s, 8);
	pl_script_round(&s, 4);
	pl_script_isend(&s, 1, 200);
	pl_script_rank(&s, 1);
	pl_script_tag(&s, 8);
	first = pl_script_irecv(&s, 0, 200);
	pl_script_tag(&s, 7);
	second = pl_script_irecv(&s, 0, 100);
	pl_script_wait(&s, second);
	pl_script_reduce(&s, 50);
	pl_script_tag(&s, 0);
	pl_script_send(&s, 2, 1);
	pl_script_wait(&s, first);
	pl_script_wait(&s, first);
	pl_script_rank(&s, 2);
	pl_script_recv(&s, 1, 1);
	ok(pl_script_finish(&s, &p, NULL) == 0, "a script becomes a pattern");
	pl_script_fini(&s);
	ok(p.n_messages == 3 && p.n_rounds == 5, "messages and rounds counted");
	ok(p.from[1] == 2 && p.from[2] == 3 && p.from[3] == 3, "by source: 2, 1, 0");
	ok(p.into[1] == 0 && p.into[2] == 2 && p.into[3] == 3, "by destination: 0, 2, 1");
	ok(p.received[0] == 1 && p.received[1] == 0 && p.received[2] == 2,
	   "tags pair what the order of posting does not");
	ok(p.message[0].send_step == 0 && p.message[0].sent_step == 0 &&
		   p.message[0].recv_step == 0 && p.message[0].received_step == 0,
	   "waited for where it was posted");
	ok(p.message[0].synchronous && !p.message[1].synchronous, "one of them is synchronous");
	ok(p.message[1].received_step == 2 && p.message[1].round == 4,
	   "waited for two steps later");
	ok(p.n_steps[0] == 1 && p.n_steps[1] == 3 && p.n_steps[2] == 1, "a second wait is no step");
	ok(p.n_work == 1 && p.work[0].pos == 1 && p.work[0].step == 1 &&
		   p.work[0].reduce_bytes == 50,
	   "work comes before the send");
	pattern_traffic(&p, traffic);
	ok(traffic[1] == 300 && traffic[5] == 1 && traffic[3] == 0,
	   "traffic by source and destination");
	pl_pattern_fini(&p);
}

/* A receive stays open while sends are waited for. */
static void test_wait_sends(void)
{
	struct pl_script s;
	struct pl_pattern p;
	struct pl_request open;

	pl_script_init(&s, 3, NULL);
	pl_script_rank(&s, 0);
	open = pl_script_irecv(&s, 2, 9);
	pl_script_isend(&s, 1, 4);
	pl_script_isend(&s, 2, 4);
	pl_script_wait_sends(&s);
	pl_script_wait_sends(&s);
	pl_script_wait(&s, open);
	pl_script_rank(&s, 1);
	pl_script_recv(&s, 0, 4);
	pl_script_rank(&s, 2);
	pl_script_recv(&s, 0, 4);
	pl_script_send(&s, 0, 9);
	ok(pl_script_finish(&s, &p, NULL) == 0, "sends waited for");
	pl_script_fini(&s);
	ok(p.message[0].sent_step == 0 && p.message[1].sent_step == 0, "both in one step");
	ok(p.message[2].received_step == 1 && p.n_steps[0] == 2, "the receive in the next");
	pl_pattern_fini(&p);
}

/* 0 to 1, 1 adds; then 1 adds and sends to 2 and 0. Rank 2 is not in the first part. */
static void write_parts(struct pl_script *a, struct pl_script *b)
{
	pl_script_init(a, 3, NULL);
	pl_script_rank(a, 0);
	pl_script_send(a, 1, 10);
	pl_script_rank(a, 1);
	pl_script_round(a, 1);
	pl_script_recv(a, 0, 10);
	pl_script_reduce(a, 10);
	pl_script_init(b, 3, NULL);
	pl_script_rank(b, 0);
	pl_script_recv(b, 1, 7);
	pl_script_rank(b, 1);
	pl_script_copy(b, 5);
	pl_script_reduce(b, 2);
	pl_script_send(b, 2, 8);
	pl_script_round(b, 1);
	pl_script_send(b, 0, 7);
	pl_script_rank(b, 2);
	pl_script_recv(b, 1, 8);
}

static void test_append(void)
{
	struct pl_script a, b;
	struct pl_pattern p;

	write_parts(&a, &b);
	pl_script_append(&a, &b);
	pl_script_fini(&b);
	ok(pl_script_finish(&a, &p, NULL) == 0, "two scripts in a row");
	pl_script_fini(&a);
	ok(p.n_messages == 3 && p.n_rounds == 3 && p.from[1] == 1 && p.from[2] == 3,
	   "all messages, by source");
	ok(p.message[0].round == 0 && p.message[1].round == 1 && p.message[2].round == 2,
	   "the second's rounds come after the first's");
	ok(p.message[1].send_step == 1 && p.message[1].dst == 2 && p.message[1].recv_step == 0 &&
		   p.message[2].send_step == 2 && p.message[2].recv_step == 1 &&
		   p.message[2].dst == 0,
	   "steps go on for each rank");
	ok(p.n_steps[0] == 2 && p.n_steps[1] == 3 && p.n_steps[2] == 1,
	   "steps of both are counted");
	ok(p.n_work == 1 && p.work[0].pos == 1 && p.work[0].step == 1 &&
		   p.work[0].reduce_bytes == 12 && p.work[0].copy_bytes == 5,
	   "work at the seam is one piece");
	pl_pattern_fini(&p);
}

static void test_append_to_nothing(void)
{
	struct pl_script nothing, a, b;
	struct pl_pattern p;

	write_parts(&a, &b);
	pl_script_init(&nothing, 3, NULL);
	pl_script_append(&nothing, &a);
	pl_script_append(&nothing, &b);
	pl_script_fini(&a);
	pl_script_fini(&b);
	ok(pl_script_finish(&nothing, &p, NULL) == 0 && p.n_messages == 3 && p.n_rounds == 3 &&
		   p.n_work == 1,
	   "after nothing, and twice");
	pl_script_fini(&nothing);
	pl_pattern_fini(&p);
}

/* Every position sends 2 (N - 1) blocks, of all sizes, to the next. */
static void check_ring(size_t n, uint64_t bytes)
{
	const struct pl_call call = {.n_pos = n, .bytes = bytes};
	struct pl_pattern p;
	size_t radix, wrong = 0;
	uint64_t sum = 0;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, "ring", &radix, NULL);

	ok(a && pl_algorithm_pattern(a, &call, &p, NULL) == 0, "ring of %zu", n);
	for (size_t i = 0; i < p.n_messages; i++) {
		wrong += p.message[i].dst != (p.message[i].src + 1) % n;
		sum += p.message[i].bytes;
	}
	ok(wrong == 0 && p.n_messages == 2 * n * (n - 1) && sum == 2 * (n - 1) * bytes,
	   "%zu messages, %llu bytes", p.n_messages, (unsigned long long)sum);
	pl_pattern_fini(&p);
}

static const char *refusal(struct pl_call call)
{
	static struct pl_err err;
	struct pl_pattern p;
	const struct pl_algorithm *a = pl_catalogue_entry(0);

	memset(&err, 0, sizeof(err));
	if (pl_algorithm_pattern(a, &call, &p, &err) == 0)
		pl_pattern_fini(&p);
	return err.code == PL_EUSAGE ? err.text : "";
}

static void test_refusals(void)
{
	ok(strstr(refusal((struct pl_call){0}), "no ranks"), "no ranks");
	ok(strstr(refusal((struct pl_call){.n_pos = 2, .root = 2}), "root"), "a root that is none");
	ok(strstr(refusal((struct pl_call){.n_pos = 2, .slots = 3}), "slots"),
	   "more slots than ranks");
	ok(strstr(refusal((struct pl_call){.n_pos = 2, .bytes = 1ULL << 63}), "2^63"),
	   "2^63 bytes");
	ok(strstr(refusal((struct pl_call){.n_pos = 2, .bytes = 6}), "element"),
	   "an element and a half");
	ok(strstr(refusal((struct pl_call){.n_pos = 3000, .bytes = 4}), "messages"),
	   "too many messages");
	is_str(refusal((struct pl_call){.n_pos = 3, .bytes = INT64_MAX - 3}), "",
	       "2^63 - 4 bytes are a size like any other");
}

static void test_names(void)
{
	struct pl_err err;
	size_t radix;

	ok(!pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, "rung", &radix, &err) &&
		   err.code == PL_EUSAGE && strstr(err.text, "ring"),
	   "the names there are: %s", err.text);
	ok(!pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, "ring:3", &radix, &err) &&
		   strstr(err.text, "no number"),
	   "%s", err.text);
}

int main(void)
{
	test_pairs();
	test_wait_sends();
	test_append();
	test_append_to_nothing();
	check_ring(1, 4);
	check_ring(2, 0);
	check_ring(5, 4 * 7);
	check_ring(16, 4096);
	test_refusals();
	test_names();
	return done_testing();
}
