/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-script-join.c - groups that run at the same time: each sends what it sends alone */
#include "config.h"

#include "costmodels/catalogue.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { RANKS = 9, SIZE = 4 };

/* Rank 6 is in no group. */
static const uint32_t group[2][SIZE] = {{5, 0, 8, 3}, {1, 7, 2, 4}};

static const struct pl_call call = {.n_pos = SIZE, .bytes = 4096};

static const struct pl_algorithm *ring(void)
{
	return pl_catalogue_named(PL_ALLREDUCE, PL_OPENMPI, "ring");
}

static void join(struct pl_script *all)
{
	struct pl_err err = {0};

	if (pl_script_init(all, RANKS, &err))
		abort();
	for (size_t g = 0; g < 2; g++) {
		struct pl_script one;

		if (pl_algorithm_script(ring(), &call, &one, &err))
			abort();
		pl_script_join(all, &one, group[g]);
		pl_script_fini(&one);
	}
}

static struct pl_pattern finish(struct pl_script *s)
{
	struct pl_pattern p;
	struct pl_err err = {0};

	if (pl_script_finish(s, &p, &err))
		abort();
	pl_script_fini(s);
	return p;
}

/* Is message @m of @joined the one of @alone, between the ranks of the group, with its steps moved
 * on by @steps[] of its ranks? */
static bool is_same(const struct pl_message *joined, const struct pl_message *alone,
		    const uint32_t *rank, const uint32_t *steps)
{
	const uint32_t src = rank[alone->src], dst = rank[alone->dst];

	return joined->src == src && joined->dst == dst && joined->bytes == alone->bytes &&
	       joined->send_step == alone->send_step + steps[src] &&
	       joined->sent_step == alone->sent_step + steps[src] &&
	       joined->recv_step == alone->recv_step + steps[dst] &&
	       joined->received_step == alone->received_step + steps[dst];
}

/* All messages of the group are there, from the number first[] on of those of each rank. */
static bool has_group(const struct pl_pattern *joined, const struct pl_pattern *alone,
		      const uint32_t *rank, bool again)
{
	uint32_t steps[RANKS] = {0};

	for (size_t i = 0; again && i < SIZE; i++)
		steps[rank[i]] = alone->n_steps[i];
	for (size_t pos = 0; pos < SIZE; pos++) {
		const size_t n = alone->from[pos + 1] - alone->from[pos];
		const size_t first = joined->from[rank[pos]] + (again ? n : 0);

		if (joined->from[rank[pos] + 1] < first + n)
			return false;
		for (size_t i = 0; i < n; i++)
			if (!is_same(&joined->message[first + i],
				     &alone->message[alone->from[pos] + i], rank, steps))
				return false;
	}
	return true;
}

static size_t steps_of(const struct pl_pattern *p)
{
	size_t n = 0;

	for (size_t pos = 0; pos < p->n_pos; pos++)
		n += p->n_steps[pos];
	return n;
}

int main(void)
{
	struct pl_script all, twice, more;
	struct pl_pattern alone, joined;
	struct pl_err err = {0};

	if (pl_algorithm_pattern(ring(), &call, &alone, &err))
		abort();
	join(&all);
	joined = finish(&all);
	is_int((int64_t)joined.n_messages, 2 * (int64_t)alone.n_messages,
	       "twice the messages of a group");
	ok(has_group(&joined, &alone, group[0], false) &&
		   has_group(&joined, &alone, group[1], false),
	   "each group sends what it sends alone");
	is_int((int64_t)joined.n_work, 2 * (int64_t)alone.n_work, "and adds up as much");
	is_int(joined.n_steps[6], 0, "a rank without a group does nothing");
	pl_pattern_fini(&joined);

	if (pl_script_init(&twice, RANKS, &err))
		abort();
	for (int i = 0; i < 2; i++) {
		join(&more);
		pl_script_append(&twice, &more);
		pl_script_fini(&more);
	}
	joined = finish(&twice);
	ok(has_group(&joined, &alone, group[0], false) &&
		   has_group(&joined, &alone, group[1], true),
	   "a second call follows the first");
	is_int((int64_t)steps_of(&joined), 4 * (int64_t)steps_of(&alone), "with the steps of both");
	pl_pattern_fini(&joined);
	pl_pattern_fini(&alone);
	return done_testing();
}
