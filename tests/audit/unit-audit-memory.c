/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-audit-memory.c - an audit that runs out of memory says so and leaks
 * none */
#include "config.h"

#include "audit/merge.h"
#include "audit/monitoring.h"
#include "audit/pairs.h"
#include "audit/rounds.h"
#include "costmodels/catalogue.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

#define RANKS 5
#define BYTES 4000

/* A TCP packet over IPv4 from 10.0.0.src to 10.0.0.dst. */
static int add_packet(struct pl_trace *t, const struct pl_message *m, uint32_t seq, bool syn)
{
	uint8_t data[40] = {0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0};
	const uint32_t bytes = syn ? 0 : (uint32_t)m->bytes;

	data[2] = (uint8_t)((40 + bytes) >> 8);
	data[3] = (uint8_t)(40 + bytes);
	data[15] = (uint8_t)m->src;
	data[19] = (uint8_t)m->dst;
	data[20] = data[22] = 8; /* both ports: 2048 */
	data[26] = (uint8_t)(seq >> 8);
	data[27] = (uint8_t)seq;
	data[32] = 0x50;
	data[33] = syn ? 0x02 : 0x10;
	return pl_trace_add(t, seq, (struct pl_capture_frame){data, 40, 40 + bytes}, PL_LINK_RAW);
}

/* One capture of what the pattern's messages are. */
static int fill(struct pl_trace *t, const struct pl_pattern *p)
{
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];

		if (m->round == 0 && add_packet(t, m, 0, true))
			return -1;
		if (add_packet(t, m, 1 + m->round * (uint32_t)m->bytes, false))
			return -1;
	}
	return pl_trace_end(t);
}

static int know(struct pl_who *who, struct pl_err *err)
{
	for (uint8_t i = 0; i < RANKS; i++) {
		const struct pl_ip ip = pl_ip_of_v4((const uint8_t[]){10, 0, 0, i});

		if (pl_who_add(who, &ip, i, err))
			return -1;
	}
	return 0;
}

struct state {
	struct pl_placement job;
	struct pl_who who;
	struct pl_trace trace;
	struct pl_audit_pairs pairs;
	uint64_t seen;
};

static int run(struct state *s, const struct pl_pattern *p, struct pl_err *err)
{
	const struct pl_port_list all = {{{1, UINT16_MAX}}, 1}, none = {.n = 0};
	const struct pl_expectation x = {
		.job = &s->job, .wire = pl_wire_find("plain", NULL), .repeat = 1};
	const struct pl_capture_merge merge = {&s->trace, 1,    &s->who, RANKS,
					       x.wire,    &all, &none,   true};
	struct pl_merge_sums sums;
	struct pl_rounds rounds;

	if (pl_placement_of_ranks(&s->job, RANKS, err) || know(&s->who, err) ||
	    pl_trace_init(&s->trace, "by hand", err))
		return -1;
	if (fill(&s->trace, p))
		return pl_err_nomem(err);
	if (pl_pairs_expect(&s->pairs, p, &x, err) ||
	    pl_merge_traces(&s->pairs, &merge, &sums, err) || pl_pairs_sort(&s->pairs, err) ||
	    pl_rounds_check(&rounds, &s->pairs, p, &x, err))
		return -1;
	for (size_t i = 0; i < s->pairs.n; i++)
		s->seen += s->pairs.v[i].seen_bytes;
	return 0;
}

static int attempt(const struct pl_pattern *p, uint64_t *seen, struct pl_err *err)
{
	struct state s = {.seen = 0};
	const int rc = run(&s, p, err);

	*seen = s.seen;
	pl_placement_fini(&s.job);
	pl_who_fini(&s.who);
	pl_trace_fini(&s.trace);
	pl_pairs_fini(&s.pairs);
	return rc;
}

static void test_captures(void)
{
	const struct pl_call call = {.n_pos = RANKS, .bytes = BYTES};
	size_t radix, live, k = 0, wrong = 0, leaks = 0;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, "ring", &radix, NULL);
	struct pl_pattern p;
	uint64_t seen = 0;

	if (!a || pl_algorithm_pattern(a, &call, &p, NULL))
		abort();
	for (bool failed = true; failed; k++) {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = attempt(&p, &seen, &err);
		failed = failalloc_end(&live);
		wrong += failed != (rc != 0) || (failed && err.code != PL_ESYSTEM);
		leaks += live;
	}
	pl_pattern_fini(&p);
	ok(k > 20, "of %zu allocations each one fails", k - 1);
	is_int((int64_t)wrong, 0, "it is said");
	is_int((int64_t)leaks, 0, "nothing is left");
	is_int((int64_t)seen, 2 * (RANKS - 1) * BYTES, "with all of them: right");
}

static void test_monitoring(void)
{
	static const char lines[] = "# POINT TO POINT\n"
				    "E\t0\t1\t10 bytes\t1 msgs sent\t0\n"
				    "E\t1\t0\t20 bytes\t1 msgs sent\t0\n";
	size_t live, wrong = 0, leaks = 0, k = 0;

	for (bool failed = true; failed; k++) {
		struct pl_monitoring m = {.n = 0};
		struct pl_audit_pairs pairs = {.n = 0};
		struct pl_text text;
		struct pl_err err = {0};
		int rc;

		if (pl_text_copy(&text, "x.1.prof", lines, sizeof(lines) - 1, NULL))
			abort();
		failalloc_begin(k);
		rc = pl_monitoring_add(&m, &text, &err) || pl_monitoring_count(&m, &pairs, 2, &err);
		pl_monitoring_fini(&m);
		pl_pairs_fini(&pairs);
		failed = failalloc_end(&live);
		pl_text_fini(&text);
		wrong += failed != (rc != 0);
		leaks += live;
	}
	ok(k > 3 && !wrong && !leaks, "monitoring: %zu allocations", k - 1);
}

int main(void)
{
	test_captures();
	test_monitoring();
	return done_testing();
}
