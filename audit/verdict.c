/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c - does what was sent match what was expected? */
#include "config.h"

#include "audit/verdict.h"

#include <string.h>

static const char *const names[PL_PAIR_STATES] = {"match",   "short", "over",
						  "missing", "extra", "unseen"};

const char *pl_pair_state_name(enum pl_pair_state state)
{
	return names[state];
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool is_within(const struct pl_audit_pair *pair, uint64_t expected,
		      const struct pl_audit_tolerance *t)
{
	const uint64_t off = distance(expected, pair->seen_bytes);
	uint64_t room;

	if (__builtin_mul_overflow(t->bytes, pair->messages, &room))
		room = UINT64_MAX;
	return off <= room || (double)off <= t->share * (double)expected;
}

enum pl_pair_state pl_pair_judge(const struct pl_audit_pair *pair,
				 const struct pl_audit_tolerance *t, bool counted)
{
	const uint64_t expected = pl_pair_expected(pair);

	if (pair->unseen)
		return PL_PAIR_UNSEEN;
	if (is_within(pair, expected, t) && (!counted || pair->seen_messages == pair->messages))
		return PL_PAIR_MATCH;
	if (pair->seen_bytes <= pair->begin_bytes && !pair->seen_messages)
		return PL_PAIR_MISSING;
	if (!pair->messages && !pair->control_bytes)
		return PL_PAIR_EXTRA;
	if (pair->seen_bytes == expected)
		return pair->seen_messages < pair->messages ? PL_PAIR_SHORT : PL_PAIR_OVER;
	return pair->seen_bytes < expected ? PL_PAIR_SHORT : PL_PAIR_OVER;
}

void pl_verdict_reach(struct pl_audit_verdict *v, const struct pl_audit_pairs *pairs,
		      const struct pl_audit_tolerance *t, bool counted)
{
	uint64_t most = 0;

	memset(v, 0, sizeof(*v));
	v->worst = pairs->n;
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pl_audit_pair *p = &pairs->v[i];
		const uint64_t off = distance(pl_pair_expected(p), p->seen_bytes);

		v->n[pl_pair_judge(p, t, counted)]++;
		v->n_expected += p->messages > 0;
		if (p->unseen)
			continue;
		pl_pair_add(&v->messages, p->messages);
		pl_pair_add(&v->payload_bytes, p->payload_bytes);
		pl_pair_add(&v->header_bytes, p->header_bytes);
		pl_pair_add(&v->header_bytes, p->control_bytes);
		pl_pair_add(&v->begin_bytes, p->begin_bytes);
		pl_pair_add(&v->expected_bytes, pl_pair_expected(p));
		pl_pair_add(&v->seen_bytes, p->seen_bytes);
		pl_pair_add(&v->seen_messages, p->seen_messages);
		if (off > most) {
			most = off;
			v->worst = i;
		}
	}
}
