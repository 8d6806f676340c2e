/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-bcube.c - all-reduce by exchanges within groups of B, then across
 * them */
/*
 *   B = 3    round 0   {0 1 2}  {3 4 5}  {6 7 8}     S/3 to each of B - 1 peers
 *            round 1   {0 3 6}  {1 4 7}  {2 5 8}     S/9; then back: S/9, S/3
 *
 * Cost (thesis, section 5.2.1): the sum over the rounds i of the dearest
 * c(j, j + k B^i)(S / B^(i+1)). The print lets j run to N/B - 1 and k to B;
 * taken at its word that is one rank of each group, and k = B leaves the group.
 * Read here, after "each node communicates with B - 1 peers": every pair of
 * ranks of a group. Each pair counts once, as in the print, though the
 * gathering takes all rounds a second time.
 *
 * N that is no power of B: rounds of B as long as B divides what is left of N,
 * then one round with groups of all the rest, as Gloo does (N = 12, B = 2:
 * groups of 2, 2 and 3). A prime N > B is one round in which everybody talks to
 * everybody. Without a number, B = 4.
 */
#include "config.h"

#include "costmodels/blocks.h"
#include "costmodels/thesis/algorithms.h"

#define B_DEFAULT 4

struct round {
	size_t peers;  /* of a group, the rank among them */
	size_t stride; /* from one of them to the next */
	size_t left;   /* blocks that a rank still has after it */
};

/* At most one round a bit of a size_t. */
struct plan {
	struct pl_blocks blocks; /* N */
	struct round round[64];
	uint32_t n_rounds;
};

/* Refuses what no pattern can hold: a large prime, all to all. */
static int plan_init(struct plan *p, const struct pl_call *call, struct pl_err *err)
{
	const size_t b = call->radix ? call->radix : B_DEFAULT;
	size_t stride = 1, left = call->n_pos, n_peers = 0;

	if (b == 1)
		return pl_err_set(err, PL_EUSAGE, "BCube needs groups of at least two ranks");
	*p = (struct plan){.blocks = {call->bytes, call->element_bytes, left}};
	while (left > 1) {
		const size_t peers = left % b == 0 ? b : left;

		left /= peers;
		p->round[p->n_rounds++] = (struct round){peers, stride, left};
		stride *= peers;
		n_peers += peers - 1;
	}
	if (2 * n_peers <= PL_PATTERN_MESSAGES_MAX / p->blocks.n)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "BCube of %zu ranks has too many messages: each rank "
			  "exchanges with %zu others",
			  p->blocks.n, n_peers);
}

static size_t digit(const struct round *r, size_t rank)
{
	return rank / r->stride % r->peers;
}

static size_t peer(const struct round *r, size_t rank, size_t other)
{
	return rank + other * r->stride - digit(r, rank) * r->stride;
}

/* The first block of those that the rank still has before round @i. */
static size_t first_block(const struct plan *p, size_t rank, uint32_t i)
{
	size_t first = 0;

	for (uint32_t k = 0; k < i; k++)
		first += digit(&p->round[k], rank) * p->round[k].left;
	return first;
}

struct part {
	uint64_t at, bytes;
};

/* The part that the peer of that digit owns after round @i. */
static struct part part(const struct plan *p, size_t rank, uint32_t i, size_t owner)
{
	const size_t left = p->round[i].left;
	const size_t first = first_block(p, rank, i) + owner * left;

	return (struct part){pl_block_at(&p->blocks, first),
			     pl_block_range_bytes(&p->blocks, first, left)};
}

/* To every peer its own part, from every peer ours; or, @gather, the
 * reverse. */
static void exchange(struct pl_script *s, const struct plan *p, size_t rank, uint32_t i,
		     uint32_t gather)
{
	const struct round *r = &p->round[i];
	const size_t me = digit(r, rank);

	for (size_t k = 1; k < r->peers; k++) {
		const size_t from = (me + k) % r->peers;
		const struct part in = part(p, rank, i, gather ? from : me);

		pl_script_data(s, in.at, gather ? PL_STORES : PL_ADDS);
		pl_script_irecv(s, peer(r, rank, from), in.bytes);
	}
	for (size_t k = 1; k < r->peers; k++) {
		const size_t to = (me + k) % r->peers;
		const struct part out = part(p, rank, i, gather ? me : to);

		pl_script_send_at(s, out.at);
		pl_script_isend(s, peer(r, rank, to), out.bytes);
	}
	pl_script_wait_all(s);
}

int pl_thesis_bcube(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct plan p;

	if (plan_init(&p, call, err))
		return -1;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		for (uint32_t i = 0; i < p.n_rounds; i++) {
			const uint64_t mine = part(&p, rank, i, digit(&p.round[i], rank)).bytes;

			pl_script_round(s, i);
			exchange(s, &p, rank, i, 0);
			for (size_t k = 1; k < p.round[i].peers; k++)
				pl_script_reduce(s, mine);
		}
		for (uint32_t i = p.n_rounds; i-- > 0;) {
			pl_script_round(s, 2 * p.n_rounds - 1 - i);
			exchange(s, &p, rank, i, 1);
		}
	}
	return 0;
}

/* The hops of round @i from @rank to the peers behind it. */
static int add_hops(struct pl_shape *shape, const struct plan *p, size_t rank, uint32_t i,
		    struct pl_err *err)
{
	const struct round *r = &p->round[i];
	const double parts = (double)p->blocks.n / (double)r->left;

	for (size_t k = digit(r, rank) + 1; k < r->peers; k++)
		if (pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)rank,
						 .dst = (uint32_t)peer(r, rank, k),
						 .group = i,
						 .times = 1,
						 .bytes = (double)p->blocks.bytes / parts},
				 err))
			return -1;
	return 0;
}

int pl_thesis_bcube_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	struct plan p;

	if (plan_init(&p, call, err))
		return -1;
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	for (uint32_t i = 0; i < p.n_rounds; i++)
		for (size_t rank = 0; rank < call->n_pos; rank++)
			if (add_hops(shape, &p, rank, i, err))
				return -1;
	return 0;
}
