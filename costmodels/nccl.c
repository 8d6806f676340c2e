/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - NCCL: its algorithms, rings, chains and trees of nodes */
#include "config.h"

#include "costmodels/nccl.h"

#include <assert.h>

uint64_t pl_nccl_elements(const struct pl_call *call, uint64_t bytes)
{
	const uint64_t n =
		(call->segment_bytes ? call->segment_bytes : bytes) / call->element_bytes;

	return n ? n : 1;
}

struct pl_blocks pl_nccl_chunks(const struct pl_call *call, uint64_t bytes, uint64_t chunk)
{
	return pl_blocks_in_steps(bytes, pl_nccl_elements(call, chunk) * call->element_bytes);
}

void pl_nccl_send(const struct pl_rank *r, struct pl_nccl_link *link, uint64_t bytes)
{
	struct pl_request *b = &link->buffer[link->posted % PL_NCCL_STEPS];

	if (link->posted++ >= PL_NCCL_STEPS)
		pl_script_wait(r->s, *b);
	pl_script_tag(r->s, link->tag);
	*b = pl_script_isend(r->s, link->peer, bytes);
}

void pl_nccl_expect(const struct pl_rank *r, struct pl_nccl_link *link, uint64_t bytes)
{
	assert(link->posted - link->taken < PL_NCCL_STEPS);
	pl_script_tag(r->s, link->tag);
	link->buffer[link->posted++ % PL_NCCL_STEPS] = pl_script_irecv(r->s, link->peer, bytes);
}

void pl_nccl_take(const struct pl_rank *r, struct pl_nccl_link *link)
{
	assert(link->taken < link->posted);
	pl_script_wait(r->s, link->buffer[link->taken++ % PL_NCCL_STEPS]);
}

/* ---- nodes */

static int check_nodes(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos % call->slots == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%zu ranks do not fill nodes of %zu slots", call->n_pos,
			  call->slots);
}

/* The number of all ranks, whether positions are ranks or hosts. */
static uint64_t n_ranks(const struct pl_call *call)
{
	return call->n_ranks ? call->n_ranks : call->n_pos;
}

/* The first rank of each node stands for it. With several ranks to a node, which bytes of whose
 * buffer an all-reduce's messages carry is not known; what they send to those of another node in an
 * all-to-all is one message. */
static int write_nodes(const struct pl_comm_call *c, const struct pl_algorithm *a,
		       struct pl_err *err)
{
	const size_t slots = c->call.slots;
	struct pl_comm_call nodes = *c;

	nodes.call.n_pos = c->call.n_pos / slots;
	nodes.apart = slots;
	if (a->collective == PL_ALLTOALL)
		nodes.call.bytes *= slots * slots;
	if (slots > 1)
		pl_script_buffer(c->s, 0, false);
	return nodes.call.n_pos > 1 ? pl_comm_write_ranks(&nodes, a, err) : 0;
}

/* Hops between nodes become those between their first ranks. */
static int spread(struct pl_shape *shape, size_t slots)
{
	for (size_t i = 0; i < shape->n_hops; i++) {
		shape->hop[i].src *= (uint32_t)slots;
		shape->hop[i].dst *= (uint32_t)slots;
	}
	return 0;
}

/* ---- rings */

static int check_blocks(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t n = n_ranks(call), count = call->bytes / call->element_bytes;

	if (check_nodes(call, err))
		return -1;
	if (count % n == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%llu elements do not make equal blocks for %llu ranks",
			  (unsigned long long)count, (unsigned long long)n);
}

/* The sum of the hops between nodes, each with one step's bytes. Senders run up to 8 steps ahead
 * and shake no hands, so a step takes all hops' mean and not the slowest; only where a link's
 * bandwidth is the limit is it the slowest, which the predictor knows. */
static int ring_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			  const struct pl_call *call, struct pl_err *err)
{
	const struct pl_hop hop = {.times = 1,
				   .bytes = (double)call->bytes /
					    (a->whole_blocks ? 1 : (double)n_ranks(call))};

	shape->kind = PL_SUM;
	if (pl_shape_add_ring(shape, call->n_pos / call->slots, 1, hop, err))
		return -1;
	return spread(shape, call->slots);
}

/* ---- broadcast and reduce: along the ring, cut open at the root
 *
 *   broadcast, root in node 1:   1 --> 2 --> 3 --> 0
 *   reduce, root in node 1:      2 --> 3 --> 0 --> 1
 *
 * In chunks of 512 KiB (one buffer step; the call's segment, if given), each passed on as soon as
 * it is there. The library's chain goes through ranks, and through the root's node where the root
 * stands in it: a broadcast from a rank that is not its node's first comes back to that node, to
 * reach the ranks before the root, and a reduce to a rank that is not the last begins there. That
 * is one hop more, which textbooks do not have.
 */
struct chain {
	bool reduces;
	size_t n_nodes, first, n_hops; /* from node first on, round the ring */
	struct pl_blocks chunks;
};

static struct chain chain_of(const struct pl_algorithm *a, const struct pl_call *call,
			     size_t n_nodes)
{
	const size_t slots = call->slots, node = call->root / slots;
	struct chain c = {.reduces = a->collective == PL_REDUCE, .n_nodes = n_nodes};
	const size_t straight = c.reduces ? slots - 1 : 0;

	if (n_nodes > 1)
		c.n_hops = n_nodes - (call->root % slots == straight);
	c.first = c.reduces ? (node + n_nodes - c.n_hops) % n_nodes : node;
	c.chunks = pl_nccl_chunks(call, call->bytes, PL_NCCL_STEP_BYTES);
	return c;
}

static int refuse_chain(const char *what, struct pl_err *err)
{
	return pl_err_set(err, PL_EUSAGE,
			  "hosts have different numbers of slots: the host where the chain %s "
			  "depends on the order found; only a broadcast from rank 0 does not",
			  what);
}

static int check_broadcast(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_ranks && call->root > 0)
		return refuse_chain("begins", err);
	return check_nodes(call, err);
}

static int check_reduce(const struct pl_call *call, struct pl_err *err)
{
	return call->n_ranks ? refuse_chain("ends", err) : check_nodes(call, err);
}

/* A node that is at both ends (n_hops = n_nodes) takes a chunk so many chunks after it has sent it
 * that the chain is full meanwhile. */
static void chain(const struct pl_rank *r)
{
	const struct chain c = chain_of(r->a, &r->comm->call, r->n);
	const size_t place = (r->rank + r->n - c.first) % r->n;
	const bool both = place == 0 && c.n_hops == r->n, takes = place > 0 || both;
	const uint64_t lag = both ? c.n_hops : 0;
	struct pl_nccl_link in = {.peer = (r->rank + r->n - 1) % r->n};
	struct pl_nccl_link out = {.peer = (r->rank + 1) % r->n};

	if (pl_script_exceeds(r->s, c.chunks.n, c.n_hops))
		return;
	for (uint64_t k = 0; k < c.chunks.n + lag; k++) {
		while (takes && in.posted < c.chunks.n && in.posted - in.taken < PL_NCCL_STEPS)
			pl_nccl_expect(r, &in, pl_block_bytes(&c.chunks, in.posted));
		if (takes && k >= lag) {
			pl_nccl_take(r, &in);
			if (c.reduces)
				pl_script_reduce(r->s, pl_block_bytes(&c.chunks, k - lag));
		}
		pl_script_round(r->s, (uint32_t)(place + k));
		if (place < c.n_hops && k < c.chunks.n)
			pl_nccl_send(r, &out, pl_block_bytes(&c.chunks, k));
	}
}

/* The sum of the hops while there are no more chunks than hops; of a longer pipeline the slowest
 * hop, which all chunks wait for. */
static int chain_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			   const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos / call->slots;
	const struct chain c = chain_of(a, call, n);

	(void)err;
	shape->kind = c.chunks.n > c.n_hops ? PL_SLOWEST : PL_SUM;
	for (size_t place = 0; place < c.n_hops; place++) {
		const struct pl_hop hop = {.src = (uint32_t)((c.first + place) % n),
					   .dst = (uint32_t)((c.first + place + 1) % n),
					   .times = 1,
					   .bytes = (double)call->bytes};

		pl_shape_put(shape, hop);
	}
	return spread(shape, call->slots);
}

/* ---- the double binary tree
 *
 *   tree 0 of 8 nodes:   0            tree 1:             7
 *                        |            (8 is even:         |
 *                        4             the mirror)        3
 *                      /   \                            /   \
 *                     2     6                          5     1
 *                    / \   / \                        / \   / \
 *                   1   3 5   7                      6   4 2   0
 *
 * The parent of node r > 0 in tree 0: b being the lowest bit of r, it is r with that bit moved one
 * up (r - b, bit 2b set), or, where that is no node, r - b. Tree 1 is tree 0 mirrored (r for n - 1
 * - r) for even n, else shifted by one (r for r - 1 mod n). The root has one child; no node is
 * inner in both trees when n is even.
 *
 * Half the data goes up and down each tree, in chunks of 512 KiB (one buffer step; or the call's
 * segment): 2 (n - 1) messages a chunk. Up and down run at the same time, as do the trees; a node's
 * program here takes things in the order in which they would come if all hops took alike long:
 * chunk k leaves depth d for the root at tick k + D - d and for the leaves at tick k + D + d, D
 * being the deepest. Inside a node the library has a chain, which no order of nodes changes.
 */
static size_t parent_of(size_t n, size_t r)
{
	const size_t bit = r & -r, up = (r ^ bit) | bit << 1;

	if (r == 0)
		return PL_NO_RANK;
	return up < n ? up : r ^ bit;
}

static void plant_trees(struct pl_span_tree *t)
{
	const size_t n = t->n;
	const bool mirrored = t->radix && n % 2 == 0, shifted = t->radix && n % 2;

	t->root = 0;
	for (size_t v = 0; v < n; v++) {
		const size_t up = parent_of(n, mirrored ? n - 1 - v : (v + n - shifted) % n);

		if (up == PL_NO_RANK)
			pl_span_tree_plant(t, v, up);
		else
			pl_span_tree_plant(t, v, mirrored ? n - 1 - up : (up + shifted) % n);
	}
	t->root = mirrored ? n - 1 : shifted;
}

/* A node's connections in a tree; at the root there are none up. */
struct lanes {
	const struct pl_span_tree *t;
	size_t n_children, depth;
	struct pl_blocks chunks; /* of this half of the buffer */
	struct pl_nccl_link from_child[2], to_child[2], from_parent, to_parent;
};

static struct lanes lanes_of(const struct pl_rank *r, size_t tree)
{
	const struct pl_blocks halves = pl_blocks_even(&r->comm->call, 2);
	const struct pl_span_tree *t = &r->comm->tree[tree];
	const uint32_t up = (uint32_t)(2 * tree), down = up + 1;
	struct lanes l = {
		.t = t,
		.n_children = pl_span_tree_n_children(t, r->rank),
		.depth = t->depth[r->rank],
		.chunks = pl_nccl_chunks(&r->comm->call, pl_block_bytes(&halves, tree),
					 PL_NCCL_STEP_BYTES),
		.from_parent = {.peer = t->parent[r->rank], .tag = down},
		.to_parent = {.peer = t->parent[r->rank], .tag = up},
	};

	l.chunks.at = pl_block_at(&halves, tree);
	for (size_t i = 0; i < l.n_children; i++) {
		const size_t child = t->child[t->first[r->rank] + i];

		l.from_child[i] = (struct pl_nccl_link){.peer = child, .tag = up};
		l.to_child[i] = (struct pl_nccl_link){.peer = child, .tag = down};
	}
	return l;
}

/* The next messages are of chunk @k; its bytes. */
static uint64_t of_chunk(const struct pl_rank *r, const struct lanes *l, uint64_t k,
			 enum pl_taking taking)
{
	const struct pl_range chunk = pl_block_range(&l->chunks, k, 1);

	pl_script_data(r->s, chunk.at, taking);
	return chunk.bytes;
}

/* Posts receives as far as there are buffers. */
static void post(const struct pl_rank *r, struct lanes *l, struct pl_nccl_link *link)
{
	const enum pl_taking taking = link == &l->from_parent ? PL_STORES : PL_ADDS;

	while (link->posted < l->chunks.n && link->posted - link->taken < PL_NCCL_STEPS)
		pl_nccl_expect(r, link, of_chunk(r, l, link->posted, taking));
}

static void take(const struct pl_rank *r, struct lanes *l, struct pl_nccl_link *link)
{
	pl_nccl_take(r, link);
	post(r, l, link);
}

static void down(const struct pl_rank *r, struct lanes *l, uint64_t k)
{
	if (l->depth > 0)
		take(r, l, &l->from_parent);
	pl_script_round(r->s, (uint32_t)(k + l->t->deepest + l->depth));
	for (size_t i = 0; i < l->n_children; i++)
		pl_nccl_send(r, &l->to_child[i], of_chunk(r, l, k, PL_STORES));
}

static void up(const struct pl_rank *r, struct lanes *l, uint64_t k)
{
	for (size_t i = 0; i < l->n_children; i++) {
		take(r, l, &l->from_child[i]);
		pl_script_reduce(r->s, pl_block_bytes(&l->chunks, k));
	}
	pl_script_round(r->s, (uint32_t)(k + l->t->deepest - l->depth));
	if (l->depth == 0)
		down(r, l, k);
	else
		pl_nccl_send(r, &l->to_parent, of_chunk(r, l, k, PL_ADDS));
}

/* Does chunk @tick - @late exist? */
static bool due(const struct lanes *l, uint64_t tick, uint64_t late)
{
	return tick >= late && tick - late < l->chunks.n;
}

static void double_tree(const struct pl_rank *r)
{
	struct lanes lanes[2] = {lanes_of(r, 0), lanes_of(r, 1)};
	const uint64_t deepest = lanes[0].t->deepest; /* the trees are alike */

	if (pl_script_exceeds(r->s, lanes[0].chunks.n, 2 * (r->n - 1)))
		return;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < lanes[k].n_children; i++)
			post(r, &lanes[k], &lanes[k].from_child[i]);
		if (lanes[k].depth > 0)
			post(r, &lanes[k], &lanes[k].from_parent);
	}
	for (uint64_t tick = 0; tick < lanes[0].chunks.n + 2 * deepest; tick++)
		for (size_t k = 0; k < 2; k++) {
			struct lanes *l = &lanes[k];

			if (due(l, tick, deepest - l->depth))
				up(r, l, tick - (deepest - l->depth));
			if (l->depth > 0 && due(l, tick, deepest + l->depth))
				down(r, l, tick - (deepest + l->depth));
		}
}

/* There and back. */
static int tree_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			  const struct pl_call *call, struct pl_err *err)
{
	struct pl_call nodes = *call;

	nodes.n_pos /= call->slots;
	if (pl_trees_objective(shape, a, &nodes, err))
		return -1;
	return spread(shape, call->slots);
}

/* ---- all-to-all
 *
 * ncclAlltoAll(), like the sends and receives of a group that PyTorch makes of an all-to-all,
 * becomes a task for each peer. Every channel runs 8 tasks at once, those of peers at the distances
 * 0, 1, 3, 6, 10, ..., and goes on to the next tasks when these are done. Here all run at once.
 */
static int check_alltoall(const struct pl_call *call, struct pl_err *err)
{
	if (check_nodes(call, err))
		return -1;
	if (call->bytes > INT64_MAX / call->n_pos / call->slots)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu bytes from each of %zu ranks to each are too many",
				  (unsigned long long)call->bytes, call->n_pos);
	return pl_shape_check_pairs(call->n_pos / call->slots, err);
}

/* The dearest hop, with all that a node sends to the others. Hosts with different numbers of ranks
 * count as if they had the mean. */
static int alltoall_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			      const struct pl_call *call, struct pl_err *err)
{
	const double g = (double)n_ranks(call) / (double)call->n_pos * (double)call->slots;
	const size_t n = call->n_pos / call->slots;
	const struct pl_hop hop = {.times = 1,
				   .bytes = (double)(n - 1) * g * g * (double)call->bytes};

	(void)a;
	if (pl_shape_of_pairs(shape, call->bytes ? n : 0, hop, err))
		return -1;
	return spread(shape, call->slots);
}

/* ---- rows */

#define RING                                                                                       \
	.kernel = pl_nccl_ring, .whole = write_nodes, .objective = ring_objective,                 \
	.takes_segment = true
#define CHAIN                                                                                      \
	.kernel = chain, .whole = write_nodes, .objective = chain_objective, .takes_segment = true
#define PAT                                                                                        \
	.kernel = pl_nccl_pat, .whole = pl_nccl_write_pat, .objective = pl_nccl_pat_objective,     \
	.takes_segment = true

const struct pl_algorithm pl_nccl_algorithms[] = {
	{PL_ALLREDUCE, PL_NCCL, "ring",
	 "chunks round the ring of nodes, to be reduced and gathered", RING, .check = check_nodes},
	{PL_ALLREDUCE, PL_NCCL, "double-binary-tree",
	 "up and down two binary trees of nodes, half the data each", .kernel = double_tree,
	 .whole = write_nodes, .check = check_nodes, .objective = tree_objective,
	 .plant = plant_trees, .two_trees = true, .laps = 2, .takes_segment = true},
	{PL_BROADCAST, PL_NCCL, "ring", "chunks along the ring from the root's node", CHAIN,
	 .check = check_broadcast},
	{PL_REDUCE, PL_NCCL, "ring", "chunks along the ring to the root's node", CHAIN,
	 .check = check_reduce},
	{PL_ALLGATHER, PL_NCCL, "ring", "blocks once round the ring of nodes", RING,
	 .check = check_nodes, .whole_blocks = true},
	{PL_ALLGATHER, PL_NCCL, "pat", "a binomial tree for each block, one rank a node", PAT,
	 .check = pl_nccl_check_pat},
	{PL_REDUCE_SCATTER, PL_NCCL, "ring", "blocks once round the ring of nodes", RING,
	 .check = check_blocks},
	{PL_REDUCE_SCATTER, PL_NCCL, "pat", "a binomial tree for each block, one rank a node", PAT,
	 .check = pl_nccl_check_pat_blocks},
	{PL_ALLTOALL, PL_NCCL, "p2p", "all pairs of nodes at once", .kernel = pl_kernel_all_at_once,
	 .how = PL_UPWARDS | PL_OWN_STAYS, .whole = write_nodes, .check = check_alltoall,
	 .objective = alltoall_objective},
	{.name = NULL},
};
