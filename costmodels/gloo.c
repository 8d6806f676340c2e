/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.c - Gloo: its algorithms, and those of its functions */
#include "config.h"

#include "costmodels/gloo.h"

#include <string.h>

/* The largest segment if the call does not set a length. */
#define SEGMENT_BYTES_MAX ((uint64_t)1 << 20)

int pl_gloo_add_paced_ring(struct pl_shape *shape, size_t n, bool down, double rounds, double bytes,
			   struct pl_err *err)
{
	return pl_shape_add_ring(shape, n, down ? n - 1 : 1,
				 (struct pl_hop){.times = 2 * rounds, .bytes = bytes / 2}, err);
}

/* As often as a block is sent (pl_algorithm.laps). */
static int paced_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			   const struct pl_call *call, struct pl_err *err)
{
	shape->kind = PL_SLOWEST;
	return pl_gloo_add_paced_ring(shape, call->n_pos, false,
				      (double)(a->laps * call->n_pos - a->less),
				      (double)call->bytes, err);
}

bool pl_gloo_is_function(const struct pl_algorithm *a, size_t radix)
{
	static const char *const functions[] = {"default", "segmented-ring", "binomial",
						"ring-v",  "dissemination",  "linear"};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(a->name, functions[i]) == 0)
			return true;
	/* the function has groups of two; of others there is a class */
	return strcmp(a->name, "bcube") == 0 && radix == 0;
}

/* ---- segments that go round a ring downwards, two under way
 *
 *   0 <== 1 <== 2 <== 3 <== 0      segments: to the rank before
 *
 * The buffer is cut into N blocks of at least two segments each, a segment being at most 1 MiB.
 * Segments are rounded up, so that the last blocks may be short or empty, and nothing is sent for
 * what is empty. A rank posts the receive of a segment only when the one before the last has come
 * in and has been reduced, without which its neighbour does not send (unbound buffers): a pair of
 * segments costs 2 c + its bytes / bw at the slowest link.
 */

struct segments {
	size_t n_pos;
	uint64_t total_bytes, segment_bytes;
	uint64_t per_rank, n; /* n = per_rank * n_pos */
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* Of an all-reduce the number comes first, of a reduce the size. */
static struct segments segments_of(const struct pl_call *call, bool reduce)
{
	const uint64_t e = call->element_bytes, n = call->n_pos;
	const uint64_t set = call->segment_bytes ? call->segment_bytes : SEGMENT_BYTES_MAX;
	const uint64_t most = set < e ? e : set / e * e;
	struct segments g = {.n_pos = n, .total_bytes = call->bytes};

	g.n = divide_up(call->bytes, most);
	if (reduce) {
		g.segment_bytes = divide_up(call->bytes, 2 * n);
		if (g.segment_bytes > most)
			g.segment_bytes = most;
		g.segment_bytes = divide_up(g.segment_bytes, e) * e;
		g.n = call->bytes ? divide_up(call->bytes, g.segment_bytes) : 0;
	}
	if (g.n < 2 * n)
		g.n = 2 * n;
	g.per_rank = divide_up(g.n, n);
	g.n = g.per_rank * n;
	if (!reduce)
		g.segment_bytes = divide_up(divide_up(call->bytes, g.n), e) * e;
	return g;
}

/* The segments @first .. @first + @count - 1, with @first counted modulo n; not beyond the last. */
static struct pl_range range(const struct segments *g, uint64_t first, uint64_t count)
{
	const uint64_t at = first % g->n * g->segment_bytes, most = count * g->segment_bytes;
	const uint64_t left = at < g->total_bytes ? g->total_bytes - at : 0;

	return (struct pl_range){at, left < most ? left : most};
}

static int check_reduce(const struct pl_call *call, struct pl_err *err)
{
	if (!call->segment_bytes || call->segment_bytes >= call->element_bytes)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "Gloo divides by zero if a segment (%llu bytes) is smaller than an "
			  "element (%llu bytes)",
			  (unsigned long long)call->segment_bytes,
			  (unsigned long long)call->element_bytes);
}

/* With two segments to a rank, most of a small buffer's are empty. */
static bool has_too_many(const struct pl_rank *r, const struct segments *g)
{
	return g->per_rank > 2 && pl_script_exceeds(r->s, g->n, g->n_pos);
}

/* @count segments to the rank before, from @first on, and as many from the rank behind. */
static void pass(const struct pl_rank *r, const struct segments *g, uint64_t first, uint64_t count,
		 uint32_t round, enum pl_taking taking)
{
	const size_t next = (r->rank + 1) % r->n, prev = (r->rank + r->n - 1) % r->n;
	struct pl_request in[2] = {{0}}, out[2] = {{0}};

	for (uint64_t i = 0; i < count + 2; i++) {
		const struct pl_range old_out = range(g, first + i - 2 + g->n, 1);
		const struct pl_range old_in = range(g, first + i - 2 + g->n + g->per_rank, 1);
		const struct pl_range new_out = range(g, first + i, 1);
		const struct pl_range new_in = range(g, first + i + g->per_rank, 1);

		if (i >= 2 && old_in.bytes) {
			pl_script_wait(r->s, in[i & 1]);
			if (taking == PL_ADDS)
				pl_script_reduce(r->s, old_in.bytes);
		}
		if (i >= 2 && old_out.bytes)
			pl_script_wait(r->s, out[i & 1]);
		if (i >= count)
			continue;
		pl_script_round(r->s, round + (uint32_t)(i / g->per_rank));
		pl_script_data(r->s, new_in.at, taking);
		pl_script_send_at(r->s, new_out.at);
		if (new_in.bytes)
			in[i & 1] = pl_script_irecv(r->s, next, new_in.bytes);
		if (new_out.bytes)
			out[i & 1] = pl_script_isend(r->s, prev, new_out.bytes);
	}
}

/* gloo::allreduce(): each block once round to be reduced and once to be gathered, 2 (N - 1) rounds.
 * This is what PyTorch calls, in place: no copies. */
static void allreduce_segments(const struct pl_rank *r)
{
	const struct segments g = segments_of(&r->comm->call, false);
	const uint64_t own = r->rank * g.per_rank, count = g.n - g.per_rank;

	if (has_too_many(r, &g))
		return;
	pass(r, &g, own + g.per_rank, count, 0, PL_ADDS);
	pass(r, &g, own, count, (uint32_t)r->n - 1, PL_STORES);
}

/*
 * gloo::reduce(): the first half of the above, then all blocks to the root, in one message each.
 * The ring goes on until but two segments of all have been sent, not until N - 1 blocks have: with
 * k > 2 segments to a block (buffers of more than 2 N MiB) every rank sends k - 2 segments too
 * many, of its own finished block, which the receiver adds up and never uses.
 */
static void reduce_segments(const struct pl_rank *r)
{
	const struct segments g = segments_of(&r->comm->call, true);

	if (has_too_many(r, &g))
		return;
	pass(r, &g, (r->rank + 1) * g.per_rank, g.n - 2, 0, PL_ADDS);
	pl_script_round(r->s, (uint32_t)r->n);
	for (size_t peer = 0; peer < r->n; peer++) {
		const size_t of = r->rank == r->root ? peer : r->rank;
		const struct pl_range block = range(&g, of * g.per_rank, g.per_rank);

		if (peer == r->rank || !block.bytes)
			continue;
		pl_script_data(r->s, block.at, PL_STORES);
		if (r->rank == r->root)
			pl_script_irecv(r->s, peer, block.bytes);
		else if (peer == r->root)
			pl_script_send(r->s, peer, block.bytes);
	}
	if (r->rank == r->root)
		pl_script_wait_all(r->s);
}

/*
 * Pairs of segments at the slowest link: per_rank / 2 of them in each of 2 (N - 1) rounds. Of a
 * buffer of fewer elements than segments only the first blocks hold anything, one element a
 * segment, and a rank waits for nothing in front of them. With m blocks of N, few of them, a call
 * costs about one time round the ring, since the next one may follow it, and m times to and fro at
 * the slowest link: calls in a row as the predictor has them, and as measured. From N / 2 blocks on
 * the slowest link sets the pace again, twice to and fro for each; the ring counts up to N / 4.
 */
static int allreduce_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			       const struct pl_call *call, struct pl_err *err)
{
	const struct segments g = segments_of(call, false);
	const size_t n = call->n_pos;
	const uint64_t full =
		call->bytes ? divide_up(call->bytes, g.per_rank * g.segment_bytes) : n;
	struct pl_hop hop = {.times = 1, .bytes = (double)g.segment_bytes};

	(void)a;
	shape->kind = full <= n / 4 ? PL_SUM_OF_MAXIMA : PL_SLOWEST;
	if (full > n / 4)
		return pl_gloo_add_paced_ring(
			shape, n, true, (double)(full < n ? full : n - 1) * (double)g.per_rank,
			2 * (double)g.segment_bytes, err);
	for (size_t pos = 0; pos < n; pos++) {
		hop.src = (uint32_t)pos;
		hop.dst = (uint32_t)((pos + n - 1) % n);
		hop.group = (uint32_t)pos;
		pl_shape_put(shape, hop);
	}
	hop.group = (uint32_t)n;
	hop.times = 2 * (double)full;
	return pl_shape_add_ring(shape, n, n - 1, hop, err);
}

/* The slowest link of the ring, and the slowest way to the root. */
static int reduce_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			    const struct pl_call *call, struct pl_err *err)
{
	const struct segments g = segments_of(call, true);

	(void)a;
	shape->kind = PL_SUM_OF_MAXIMA;
	if (pl_gloo_add_paced_ring(shape, g.n_pos, true, (double)(g.n / 2 - 1),
				   2 * (double)g.segment_bytes, err))
		return -1;
	for (size_t rank = 0; rank < g.n_pos; rank++) {
		const struct pl_hop hop = {
			.src = (uint32_t)rank,
			.dst = (uint32_t)call->root,
			.group = 1,
			.times = 1,
			.bytes = (double)range(&g, rank * g.per_rank, g.per_rank).bytes,
		};

		if (rank != call->root && hop.bytes > 0)
			pl_shape_put(shape, hop);
	}
	return 0;
}

/* ---- the other functions */

/* gloo::allreduce() by BCUBE: the base is 2 and nothing else, and what remains of N without its
 * twos is one single group in which all send to all. "bcube:B" is the class AllreduceBcube of base
 * B, another algorithm. */
static int check_bcube(const struct pl_call *call, struct pl_err *err)
{
	if (call->radix == 1)
		return pl_err_set(err, PL_EUSAGE, "BCube needs groups of at least two ranks");
	return call->radix ? pl_gloo_check_int(call, err) : 0;
}

static void bcube(const struct pl_rank *r)
{
	if (r->comm->call.radix)
		pl_gloo_bcube_class(r);
	else
		pl_kernel_bcube(r);
}

/* gloo::broadcast(): in round i all who have it send it 2^i ranks on, the near ones first; they
 * wait for their sends when they have begun all. */
static void broadcast_binomial(const struct pl_rank *r)
{
	uint32_t round = 0;

	for (size_t bit = 1; bit < r->n; bit *= 2) {
		pl_script_round(r->s, round++);
		if (r->me & bit && r->me < 2 * bit)
			pl_script_recv(r->s, pl_rank_behind(r, r->me ^ bit), r->bytes);
		else if (r->me < bit && (r->me ^ bit) < r->n)
			pl_script_isend(r->s, pl_rank_behind(r, r->me ^ bit), r->bytes);
	}
}

static int check_halves(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos == 1 || call->bytes > 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "gloo::allgather() divides by zero if the ranks give no bytes");
}

/* gloo::allgather() sends each block in two halves (of bytes: with one byte the first is empty, and
 * sent), of which two are under way; gloo::allgatherv() sends whole blocks, one after the other. */
static void gather_parts(const struct pl_rank *r, size_t n_parts)
{
	const uint64_t first = r->bytes / n_parts;
	const uint64_t part[2] = {first, r->bytes - first};
	const size_t above = (r->rank + 1) % r->n, below = (r->rank + r->n - 1) % r->n;
	struct pl_request out[2], in[2];

	for (size_t i = 0; i < n_parts * (r->n - 1); i++) {
		const size_t k = i % n_parts;

		if (i >= n_parts) {
			pl_script_wait(r->s, out[k]);
			pl_script_wait(r->s, in[k]);
		}
		pl_script_round(r->s, (uint32_t)(i / n_parts));
		out[k] = pl_script_isend(r->s, above, part[k]);
		in[k] = pl_script_irecv(r->s, below, part[k]);
	}
	if (n_parts == 1) {
		pl_script_wait(r->s, out[0]);
		pl_script_wait(r->s, in[0]);
	}
}

static void allgather(const struct pl_rank *r)
{
	gather_parts(r, 2);
}

static void allgatherv(const struct pl_rank *r)
{
	gather_parts(r, 1);
}

/* The dearest hop, there and back, because the data wait for the word of the receiver; with the
 * blocks that a rank sends. */
static int alltoall_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			      const struct pl_call *call, struct pl_err *err)
{
	const double blocks = (double)(call->n_pos - 1);
	const struct pl_hop hop = {.times = 2, .bytes = blocks * (double)call->bytes / 2};

	(void)a;
	return pl_shape_of_pairs(shape, call->n_pos, hop, err);
}

/* The functions know no sizes: of each collective there is one, the entry behind the rule. */
static const struct pl_algorithm *the_next(const struct pl_algorithm *rule, struct pl_call *call)
{
	(void)call;
	return rule + 1;
}

const struct pl_algorithm pl_gloo_algorithms[] = {
	{PL_ALLREDUCE, PL_GLOO, "default", "gloo::allreduce() without an algorithm: segmented-ring",
	 .takes_segment = true, .decide = the_next},
	{PL_ALLREDUCE, PL_GLOO, "segmented-ring",
	 "gloo::allreduce(): a ring downwards, two segments under way", 1, allreduce_segments,
	 .objective = allreduce_objective, .takes_segment = true},
	{PL_ALLREDUCE, PL_GLOO, "bcube", "gloo::allreduce() by BCUBE; :N: class AllreduceBcube", 2,
	 bcube, PL_ROUNDS_UP | PL_FROM_FIRST, .check = check_bcube, .radix = 2,
	 .takes_radix = true},
	{PL_ALLREDUCE, PL_GLOO, "ring", "the class AllreduceRing: the whole buffer, N - 1 times",
	 .kernel = pl_gloo_ring, .check = pl_gloo_check_int, .how = PL_GATHERS_BUFFERS,
	 .objective = paced_objective, .laps = 1, .less = 1},
	{PL_ALLREDUCE, PL_GLOO, "ring-chunked",
	 "the class AllreduceRingChunked: 2 N chunks, two inboxes", .kernel = pl_gloo_ring_chunked,
	 .check = pl_gloo_check_int, .objective = pl_gloo_ring_chunked_objective},
	{PL_ALLREDUCE, PL_GLOO, "halving-doubling",
	 "the class AllreduceHalvingDoubling, in binary blocks", .kernel = pl_gloo_halving_doubling,
	 .check = pl_gloo_check_int},
	{PL_BROADCAST, PL_GLOO, "default", "gloo::broadcast(): binomial", .decide = the_next},
	{PL_BROADCAST, PL_GLOO, "binomial", "gloo::broadcast(): a tree, near hops first",
	 .kernel = broadcast_binomial, .how = PL_SENDS_EMPTY, .objective = pl_tree_objective},
	{PL_BROADCAST, PL_GLOO, "one-to-all", "the class BroadcastOneToAll: from the root to each",
	 .kernel = pl_gloo_one_to_all, .how = PL_SENDS_EMPTY},
	{PL_REDUCE, PL_GLOO, "default", "gloo::reduce(): segmented-ring", .takes_segment = true,
	 .decide = the_next},
	{PL_REDUCE, PL_GLOO, "segmented-ring",
	 "gloo::reduce(): a ring downwards, then all to the root", .kernel = reduce_segments,
	 .check = check_reduce, .objective = reduce_objective, .takes_segment = true},
	{PL_ALLGATHER, PL_GLOO, "default", "gloo::allgather(): segmented-ring", .decide = the_next},
	{PL_ALLGATHER, PL_GLOO, "segmented-ring", "gloo::allgather(): a ring, each block in halves",
	 .kernel = allgather, .check = check_halves, .objective = paced_objective, .laps = 1,
	 .less = 1},
	{PL_ALLGATHER, PL_GLOO, "ring-v", "gloo::allgatherv(): a ring of whole blocks",
	 .kernel = allgatherv, .how = PL_SENDS_EMPTY, .objective = paced_objective, .laps = 1,
	 .less = 1},
	{PL_ALLGATHER, PL_GLOO, "ring", "the class AllgatherRing: whole blocks, each acknowledged",
	 .kernel = pl_gloo_gather_ring, .how = PL_SENDS_EMPTY, .check = pl_gloo_check_gathered,
	 .objective = paced_objective, .laps = 1, .less = 1},
	{PL_REDUCE_SCATTER, PL_GLOO, "halving", "the class ReduceScatterHalvingDoubling",
	 .kernel = pl_gloo_reduce_scatter, .how = PL_SENDS_EMPTY, .check = pl_gloo_check_int},
	{PL_BARRIER, PL_GLOO, "default", "gloo::barrier(): dissemination", .decide = the_next},
	{PL_BARRIER, PL_GLOO, "dissemination", "gloo::barrier(): 1, 2, 4, ... ranks on",
	 .kernel = pl_kernel_dissemination},
	{PL_BARRIER, PL_GLOO, "all-to-all", "the class BarrierAllToAll: each tells all others",
	 .kernel = pl_gloo_all_to_all},
	{PL_BARRIER, PL_GLOO, "all-to-one", "the class BarrierAllToOne: all to rank 0 and back",
	 .kernel = pl_gloo_all_to_one},
	{PL_ALLTOALL, PL_GLOO, "default", "gloo::alltoall(): linear", .decide = the_next},
	{PL_ALLTOALL, PL_GLOO, "linear", "gloo::alltoall() and alltoallv(): all pairs at once",
	 .kernel = pl_kernel_all_at_once, .how = PL_SENDS_EMPTY | PL_UPWARDS | PL_IN_TURN,
	 .objective = alltoall_objective},
	{.name = NULL},
};
