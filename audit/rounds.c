/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.c - was every message sent after what it depends on had arrived? */
#include "config.h"

#include "audit/rounds.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NO_TIME INT64_MIN

/* Where a message is in the bytes of its pair, in the first repetition and without what may stand
 * between. */
struct place {
	uint64_t begin, end;
};

struct check {
	const struct pl_audit_pairs *pairs;
	const struct pl_pattern *p;
	const struct pl_expectation *x;
	struct place *place; /* [n_messages] */
	uint64_t *passed;    /* [n_pos], of one source; zero between sources */
	uint32_t *by_step;   /* [n_messages]: as received, by received_step */
	uint64_t repetition;
	struct pl_rounds *rounds;
};

static const struct pl_audit_pair *pair_of(const struct check *c, const struct pl_message *m)
{
	return pl_pairs_find(c->pairs, c->x->job->node_of[m->src], c->x->job->node_of[m->dst]);
}

static void find_places(struct check *c)
{
	const struct pl_pattern *p = c->p;

	for (size_t pos = 0; pos < p->n_pos; pos++) {
		for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++) {
			const struct pl_message *m = &p->message[i];
			uint64_t *at = &c->passed[m->dst];

			c->place[i].begin = *at;
			*at += m->bytes + c->x->wire->overhead(m, c->x->eager_bytes).forward;
			c->place[i].end = *at;
		}
		for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++)
			c->passed[p->message[i].dst] = 0;
	}
}

/* When had so many bytes passed? NO_TIME: never. */
static int64_t time_of(const struct pl_line_of_time *line, uint64_t bytes)
{
	size_t low = 0, high = line->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (line->point[mid].bytes < bytes)
			low = mid + 1;
		else
			high = mid;
	}
	return low == line->n ? NO_TIME : line->point[low].ns;
}

/* What all repetitions before this one have put into the pair. */
static uint64_t before(const struct check *c, const struct pl_audit_pair *pair)
{
	const uint64_t once = (pair->payload_bytes + pair->header_bytes) / c->x->repeat;

	return pair->begin_bytes + once * c->repetition;
}

/* The latest that the message's first byte can have left. */
static int64_t sent(const struct check *c, const struct pl_audit_pair *pair, size_t message)
{
	return time_of(&pair->left,
		       before(c, pair) + c->place[message].begin + pair->control_bytes + 1);
}

/* The earliest that its last byte can have arrived. */
static int64_t arrived(const struct check *c, const struct pl_audit_pair *pair, size_t message)
{
	return time_of(&pair->arrived, before(c, pair) + c->place[message].end);
}

/* A message without a byte, not even of a header, leaves no trace. */
static bool is_silent(const struct check *c, size_t message)
{
	return c->place[message].begin == c->place[message].end;
}

static bool any_byte(const struct check *c)
{
	for (size_t i = 0; i < c->p->n_messages; i++)
		if (!is_silent(c, i))
			return true;
	return false;
}

static void found_early(struct pl_rounds *r, const struct pl_audit_early *early)
{
	if (!r->n_early++ || early->sent_ns < r->first.sent_ns)
		r->first = *early;
}

/* What a rank has waited for up to now. */
struct awaited {
	size_t message; /* the last to arrive */
	int64_t ns;
	size_t trace;
	bool any, blind; /* blind: the time of one is not known */
};

static void await(const struct check *c, struct awaited *a, size_t message)
{
	const struct pl_audit_pair *pair = pair_of(c, &c->p->message[message]);
	const int64_t ns = pair ? arrived(c, pair, message) : NO_TIME;

	if (is_silent(c, message))
		return;
	if (ns == NO_TIME || (a->any && pair->arrived.trace != a->trace)) {
		a->blind = true;
		return;
	}
	if (!a->any || ns > a->ns) {
		a->message = message;
		a->ns = ns;
	}
	a->trace = pair->arrived.trace;
	a->any = true;
}

static void check_one(const struct check *c, const struct awaited *a, size_t message)
{
	const struct pl_audit_pair *pair = pair_of(c, &c->p->message[message]);
	const int64_t ns = pair ? sent(c, pair, message) : NO_TIME;

	if (is_silent(c, message) || (!a->any && !a->blind))
		return; /* or it waits for nothing */
	if (ns == NO_TIME || a->blind || pair->left.trace != a->trace) {
		c->rounds->unchecked++;
		return;
	}
	c->rounds->checked++;
	if (ns < a->ns)
		found_early(c->rounds, &(struct pl_audit_early){.message = message,
								.awaited = a->message,
								.repetition = c->repetition,
								.sent_ns = ns,
								.awaited_ns = a->ns});
}

/* Sends in the order they are posted, against what had been waited for. */
static void check_rank(const struct check *c, size_t pos)
{
	const struct pl_pattern *p = c->p;
	struct awaited a = {.any = false};
	size_t next = p->into[pos];

	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++) {
		const uint32_t step = p->message[i].send_step;

		for (; next < p->into[pos + 1] && p->message[c->by_step[next]].received_step < step;
		     next++)
			await(c, &a, c->by_step[next]);
		check_one(c, &a, i);
	}
}

static int by_received_step(const void *a, const void *b, void *arg)
{
	const struct pl_message *message = arg;
	const uint32_t x = message[*(const uint32_t *)a].received_step;
	const uint32_t y = message[*(const uint32_t *)b].received_step;

	return x < y ? -1 : x > y;
}

int pl_rounds_check(struct pl_rounds *rounds, const struct pl_audit_pairs *pairs,
		    const struct pl_pattern *p, const struct pl_expectation *x, struct pl_err *err)
{
	struct check c = {.pairs = pairs, .p = p, .x = x, .rounds = rounds};
	int rc = -1;

	memset(rounds, 0, sizeof(*rounds));
	c.place = pl_array_create(p->n_messages, sizeof(*c.place));
	c.by_step = pl_array_create(p->n_messages, sizeof(*c.by_step));
	c.passed = pl_array_create(p->n_pos, sizeof(*c.passed));
	if (!c.place || !c.by_step || !c.passed) {
		pl_err_nomem(err);
		goto out;
	}
	find_places(&c);
	if (p->n_messages)
		memcpy(c.by_step, p->received, p->n_messages * sizeof(*c.by_step));
	for (size_t pos = 0; pos < p->n_pos; pos++)
		qsort_r(c.by_step + p->into[pos], p->into[pos + 1] - p->into[pos],
			sizeof(*c.by_step), by_received_step, p->message);
	/* without a byte, however often, there is nothing to see */
	for (; any_byte(&c) && c.repetition < x->repeat; c.repetition++)
		for (size_t pos = 0; pos < p->n_pos; pos++)
			check_rank(&c, pos);
	rc = 0;
out:
	free(c.place);
	free(c.by_step);
	free(c.passed);
	return rc;
}
