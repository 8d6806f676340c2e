/* SPDX-License-Identifier: BSD-3-Clause */
/* doubling.c - recursive doubling among any number of ranks */
/*
 *   0 <-> 1   2 <-> 3   4          distance 1; 4 has no peer
 *   0 <-----> 2                    distance 2; group 4.. is one rank short, and
 *       1 <-----> 3                its peer's data are beyond the last rank
 *   0 <-------------------> 4      distance 4: 0 alone has a peer
 *   0 --> 2, 0 --> 1, 2 --> 3      ... and passes on what came from there
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static size_t from_root(const struct pl_mpich_rank *r, size_t counted)
{
	return (counted + r->root) % r->n;
}

/* Of the group from @first on, of @mask ranks, the first @have have what the
 * rest lacks: @bytes. Is @me one that gets them? */
static bool pass_on(const struct pl_mpich_rank *r, size_t me, size_t mask, size_t have,
		    uint64_t bytes, uint32_t round)
{
	bool got = false;

	for (size_t half = mask / 2; half > 0; half /= 2) {
		const size_t peer = me ^ half;
		const size_t limit = me / (2 * half) * (2 * half) + have;

		pl_script_round(r->s, round++);
		if (peer > me && me < limit && peer >= limit) {
			pl_mpich_send(r, from_root(r, peer), bytes);
		} else if (peer < me && peer < limit && me >= limit) {
			pl_mpich_recv(r, from_root(r, peer), bytes);
			got = true;
		}
	}
	return got;
}

static void step(const struct pl_mpich_rank *r, const struct pl_mpich_doubling *d, size_t me,
		 size_t mask, uint32_t round)
{
	const size_t peer = me ^ mask;
	const size_t mine = me / mask * mask, other = peer / mask * mask;
	const struct pl_range in = d->data(r, other, mask);
	/* what is to be added is passed on as it came: no part of the buffer */
	const enum pl_taking taking = d->reduces ? PL_TAKES_NOTHING : PL_STORES;
	bool got = peer < r->n;

	pl_script_round(r->s, round);
	if (got)
		pl_mpich_exchange(r,
				  (struct pl_mpich_exchange){from_root(r, peer), from_root(r, peer),
							     d->data(r, mine, mask), in, taking});
	pl_script_data(r->s, in.at, taking);
	if (other + mask > r->n && other < r->n)
		got |= pass_on(r, me, mask, r->n - mine - mask, in.bytes, round + 1);
	if (d->reduces && got)
		pl_script_reduce(r->s, in.bytes);
}

void pl_mpich_double_up(const struct pl_mpich_rank *r, const struct pl_mpich_doubling *d)
{
	const size_t me = (r->rank + r->n - r->root) % r->n;
	uint32_t round = d->round;

	for (size_t mask = 1, log = 0; mask < r->n; mask *= 2, log++) {
		step(r, d, me, mask, round);
		round += pl_mpich_power_of_two(r->n) ? 1 : 1 + (uint32_t)log;
	}
}
