/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi-trees.c - Open MPI's broadcasts and reduces in segments along a tree */
/*
 * Messages: one for each edge and segment. Round of the textbooks: the number of the segment plus
 * the depth of the sender (broadcast), or how much higher the receiver stands than the lowest rank
 * could (reduce), so depth + segments - 1 in all.
 */
#include "config.h"

#include "costmodels/openmpi.h"

#include <limits.h>

/* ---- segments */

struct pl_blocks pl_openmpi_segments(const struct pl_call *call)
{
	const uint64_t set = call->segment_bytes, element = call->element_bytes;
	const uint64_t elements = set / element + (set % element > element / 2);

	if (set < element || set >= call->bytes)
		return pl_blocks_in_steps(call->bytes, call->bytes);
	return pl_blocks_in_steps(call->bytes, elements * element);
}

int pl_openmpi_check_segments(const struct pl_call *call, struct pl_err *err)
{
	if (call->segment_bytes > INT_MAX)
		return pl_err_set(err, PL_EUSAGE,
				  "segments of %llu bytes: Open MPI takes at most %d",
				  (unsigned long long)call->segment_bytes, INT_MAX);
	return pl_check_count(call, err);
}

int pl_openmpi_check_knomial(const struct pl_call *call, struct pl_err *err)
{
	if (call->radix == 1)
		return pl_err_set(err, PL_EUSAGE,
				  "a k-nomial tree needs a radix of at least 2, not %zu",
				  call->radix);
	return pl_openmpi_check_segments(call, err);
}

/* No more messages than a pattern may have: before any is written. */
static int check_messages(const struct pl_blocks *s, size_t n_pos, struct pl_err *err)
{
	if (s->n <= PL_PATTERN_MESSAGES_MAX / (n_pos - 1))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%zu segments to each of %zu ranks take more than %zu messages", s->n,
			  n_pos - 1, PL_PATTERN_MESSAGES_MAX);
}

/* ---- broadcast and reduce */

int pl_openmpi_tree(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct pl_blocks s = pl_openmpi_segments(&c->call);

	if (check_messages(&s, c->call.n_pos, err))
		return -1;
	return pl_comm_write_ranks(c, a, err);
}

/* A rank has the receive of one more segment posted while it waits for the one it will send on,
 * never more than two; and it waits until a segment has gone to all children before it looks at the
 * next one. */
void pl_openmpi_tree_down(const struct pl_rank *r)
{
	const struct pl_blocks s = pl_openmpi_segments(&r->comm->call);
	const struct pl_span_tree *t = r->comm->tree;
	const size_t parent = t->parent[r->rank];
	struct pl_request next = {0};

	if (parent != PL_NO_RANK)
		next = pl_rank_irecv(r, parent, pl_block_range(&s, 0, 1), PL_STORES);
	for (size_t i = 0; i < s.n; i++) {
		const struct pl_range segment = pl_block_range(&s, i, 1);
		const struct pl_request now = next;

		if (parent != PL_NO_RANK && i + 1 < s.n)
			next = pl_rank_irecv(r, parent, pl_block_range(&s, i + 1, 1), PL_STORES);
		if (parent != PL_NO_RANK)
			pl_script_wait(r->s, now);
		pl_script_round(r->s, (uint32_t)i + t->depth[r->rank]);
		pl_script_data(r->s, segment.at, PL_STORES);
		for (size_t k = t->first[r->rank]; k < t->first[r->rank + 1]; k++)
			pl_script_isend(r->s, t->child[k], segment.bytes);
		pl_script_wait_sends(r->s);
	}
}

static void send_up(const struct pl_rank *r, const struct pl_blocks *s, size_t i)
{
	const struct pl_span_tree *t = r->comm->tree;

	if (t->parent[r->rank] == PL_NO_RANK)
		return;
	pl_script_round(r->s, (uint32_t)i + t->deepest - t->depth[r->rank]);
	pl_rank_send(r, t->parent[r->rank], pl_block_range(s, i, 1), PL_ADDS);
}

/* The in-order tree ends at the last rank, which sends the result to the root if that is another
 * one. */
static void deliver(const struct pl_rank *r, const struct pl_blocks *s)
{
	const struct pl_span_tree *t = r->comm->tree;

	if (t->root == r->root)
		return;
	pl_script_data(r->s, 0, PL_STORES);
	if (r->rank == r->root)
		pl_script_recv(r->s, t->root, r->bytes);
	if (r->rank == t->root) {
		pl_script_round(r->s, t->deepest + (uint32_t)s->n - 1);
		pl_script_send(r->s, r->root, r->bytes);
	}
}

/* A rank takes its children one after the other, and has the receive of one more message posted
 * while it waits for the one it will add; the blocking send to its parent comes between. Leaves
 * send their segments one after the other, without limit (coll_tuned_reduce_algorithm_max_requests
 * 0). */
void pl_openmpi_tree_up(const struct pl_rank *r)
{
	const struct pl_blocks s = pl_openmpi_segments(&r->comm->call);
	const struct pl_span_tree *t = r->comm->tree;
	const uint32_t *child = t->child + t->first[r->rank];
	const size_t n_children = pl_span_tree_n_children(t, r->rank), n = s.n * n_children;
	struct pl_request next = {0};

	/* numbered through: all children of a segment, then the next segment */
	if (n > 0)
		next = pl_rank_irecv(r, child[0], pl_block_range(&s, 0, 1), PL_ADDS);
	for (size_t i = 0; i < n; i++) {
		const struct pl_request now = next;

		if (i + 1 < n)
			next = pl_rank_irecv(r, child[(i + 1) % n_children],
					     pl_block_range(&s, (i + 1) / n_children, 1), PL_ADDS);
		pl_script_wait(r->s, now);
		pl_script_reduce(r->s, pl_block_bytes(&s, i / n_children));
		if (i % n_children == n_children - 1)
			send_up(r, &s, i / n_children);
	}
	for (size_t i = 0; n_children == 0 && i < s.n; i++)
		send_up(r, &s, i);
	deliver(r, &s);
}

/* ---- objectives */

/* The longest path; or, where segments are many and shake hands, the slowest hop; or, by levels, a
 * sum of maxima: a group for each level, whose sum is not less than the longest path, or one group
 * for the slowest hop. */
static void put_tree(struct pl_shape *shape, const struct pl_span_tree *t,
		     const struct pl_blocks *s, bool up, bool by_level)
{
	const bool slowest = s->step_bytes > PL_OPENMPI_EAGER_BYTES && s->n > t->deepest;
	const struct pl_hop hop = {.times = slowest ? (double)s->n : 1,
				   .bytes = (double)s->step_bytes};

	shape->kind = by_level ? PL_SUM_OF_MAXIMA : slowest ? PL_SLOWEST : PL_LONGEST_PATH;
	if (s->n > 0)
		pl_shape_put_tree(shape, t, hop, up, by_level && !slowest);
}

/* With the hop from the in-order tree's last rank to another root the paths are none of a
 * forest. */
int pl_openmpi_tree_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			      const struct pl_call *call, struct pl_err *err)
{
	const size_t radix = pl_algorithm_radix(a, call);
	const struct pl_blocks s = pl_openmpi_segments(call);
	struct pl_hop last = {.times = 1, .bytes = (double)call->bytes};
	struct pl_span_tree t;

	if (pl_span_tree_init(&t, a->plant, call->n_pos, call->root, radix, err))
		return -1;
	put_tree(shape, &t, &s, a->collective == PL_REDUCE, t.root != call->root);
	last.src = (uint32_t)t.root;
	last.dst = (uint32_t)call->root;
	last.group = (uint32_t)shape->n_groups;
	if (last.src != last.dst && call->bytes > 0)
		pl_shape_put(shape, last);
	pl_span_tree_fini(&t);
	return 0;
}

/* ---- split-binary
 *
 *            0
 *    left  /   \  right        1: the left half of the buffer goes down to the
 *         1     2                 odd ranks, the right half to the even ones,
 *        / \   / \                in segments
 *       3   5 4   6            2: ranks 1 and 2, 3 and 4, ... exchange halves;
 *                                 the last of an even number has its from 0
 *
 * (Ranks counted from the root.) Messages: N - 1 for each segment of a half, then N - 1 halves; 2
 * is one round. Cost: the levels of the tree and the dearest exchange. The left half has the odd
 * element. Sends are blocking here, left child first. A buffer of one element, or halves shorter
 * than a segment, go down a single chain instead.
 */

struct halves {
	struct pl_blocks half[2]; /* left, right */
};

/* Unlike in the other trees, a segment is never rounded up, and one shorter than an element is one
 * element. */
static struct pl_blocks cut(const struct pl_call *call, uint64_t at, uint64_t bytes)
{
	const uint64_t elements = call->segment_bytes / call->element_bytes;
	const uint64_t segment = (elements ? elements : 1) * call->element_bytes;
	struct pl_blocks s = pl_blocks_in_steps(bytes, call->segment_bytes ? segment : bytes);

	s.at = at;
	return s;
}

static struct halves halves_of(const struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t left = (count + 1) / 2 * call->element_bytes;

	return (struct halves){{cut(call, 0, left), cut(call, left, call->bytes - left)}};
}

/* Neither half would fill a segment, or there is only one. */
static bool too_short(const struct pl_call *call, const struct halves *h)
{
	return h->half[1].bytes == 0 || call->segment_bytes > h->half[1].bytes;
}

static void pass_halves(const struct pl_rank *r, const struct halves *h)
{
	const struct pl_blocks *half = &h->half[r->me % 2 == 0];
	const struct pl_span_tree *t = r->comm->tree;
	const uint32_t *child = t->child + t->first[r->rank];
	const size_t n_children = pl_span_tree_n_children(t, r->rank);
	const bool is_root = r->me == 0;
	struct pl_request next = {0};

	for (size_t i = 0; i < h->half[is_root ? 0 : r->me % 2 == 0].n; i++) {
		struct pl_request now = next;

		if (!is_root && (i == 0 || n_children == 0))
			now = pl_rank_irecv(r, t->parent[r->rank], pl_block_range(half, i, 1),
					    PL_STORES);
		if (!is_root && n_children > 0 && i + 1 < half->n)
			next = pl_rank_irecv(r, t->parent[r->rank], pl_block_range(half, i + 1, 1),
					     PL_STORES);
		if (!is_root)
			pl_script_wait(r->s, now);
		pl_script_round(r->s, (uint32_t)i + t->depth[r->rank]);
		for (size_t k = 0; k < n_children; k++)
			if (!is_root || i < h->half[k].n)
				pl_rank_send(r, child[k],
					     pl_block_range(is_root ? &h->half[k] : half, i, 1),
					     PL_STORES);
	}
}

/* Whom a rank exchanges halves with; itself: with none. */
static size_t partner(size_t n, size_t rank, size_t me)
{
	if (me == 0 && n % 2)
		return rank;
	return (rank + (me % 2 ? 1 : n - 1)) % n;
}

void pl_openmpi_split_binary(const struct pl_rank *r)
{
	const struct halves h = halves_of(&r->comm->call);
	const size_t pair = partner(r->n, r->rank, r->me), left = r->me % 2;
	const struct pl_blocks *out = &h.half[!left], *in = &h.half[left];

	pass_halves(r, &h);
	pl_script_round(r->s, (uint32_t)h.half[0].n + r->comm->tree->deepest - 1);
	if (pair == r->rank)
		return;
	pl_script_data(r->s, h.half[1].at, PL_STORES);
	if (r->me == 0)
		pl_script_send(r->s, pair, h.half[1].bytes);
	else if (r->me == r->n - 1 && left)
		pl_script_recv(r->s, pair, h.half[1].bytes);
	else
		pl_rank_trade(r, pair, (struct pl_range){out->at, out->bytes},
			      (struct pl_range){in->at, in->bytes}, PL_STORES);
}

int pl_openmpi_split(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct halves h = halves_of(&c->call);

	if (too_short(&c->call, &h))
		return pl_comm_write(c, pl_catalogue_named(PL_BROADCAST, PL_OPENMPI, "pipeline"),
				     err);
	if (check_messages(&h.half[0], c->call.n_pos, err))
		return -1;
	return pl_comm_write_ranks(c, a, err);
}

int pl_openmpi_split_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			       const struct pl_call *call, struct pl_err *err)
{
	const struct pl_algorithm *pipeline =
		pl_catalogue_named(PL_BROADCAST, PL_OPENMPI, "pipeline");
	const struct halves h = halves_of(call);
	const size_t n = call->n_pos;
	struct pl_span_tree t;
	struct pl_hop hop = {.times = 1};

	if (too_short(call, &h))
		return pl_openmpi_tree_objective(shape, pipeline, call, err);
	if (pl_span_tree_init(&t, a->plant, n, call->root, 0, err))
		return -1;
	put_tree(shape, &t, &h.half[0], false, true);
	pl_span_tree_fini(&t);
	hop.group = (uint32_t)shape->n_groups;
	for (size_t me = 0; me < n; me++) {
		const size_t rank = (me + call->root) % n, pair = partner(n, rank, me);

		hop.src = (uint32_t)rank;
		hop.dst = (uint32_t)pair;
		hop.bytes = (double)h.half[me % 2 == 0].bytes;
		/* the last of an even number only receives */
		if (pair != rank && (me % 2 == 0 || me != n - 1))
			pl_shape_put(shape, hop);
	}
	return 0;
}
