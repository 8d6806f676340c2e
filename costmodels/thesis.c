/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis.c - the all-reduces of the PLink thesis, sections 4.1 and 5.2.1 */
#include "config.h"

#include "costmodels/kernels.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- ring */

static void ring(const struct pl_rank *r)
{
	struct pl_lap lap = {.blocks = pl_rank_blocks(r),
			     .block = r->rank,
			     .n_steps = r->n - 1,
			     .taking = PL_ADDS};

	lap.round = pl_ring_lap(r, lap);
	lap.block = (r->rank + 1) % r->n;
	lap.taking = PL_STORES;
	pl_ring_lap(r, lap);
}

/* ---- halving-doubling
 *
 * The print lets j run from 0 to N/2 - 1; taken at its word that pairs 1 with both 0 and 2 in round
 * 0 and leaves 7 out. Read here: the N/2 pairs (j, j XOR 2^i) that talk in that round. Each counts
 * once, as in the print, though the gathering takes all rounds a second time.
 *
 * The thesis assumes N a power of two. Otherwise, P being the largest one below N, rank P + k hands
 * its buffer to rank k before the first round and gets the result after the last; in the objective
 * that is one more round.
 */
static int halving_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			     const struct pl_call *call, struct pl_err *err)
{
	const struct pl_fold f = pl_fold(call->n_pos, PL_FIRST_STAY);
	const unsigned n_rounds = pl_log2(f.n);

	(void)a;
	(void)err;
	shape->kind = PL_SUM_OF_MAXIMA;
	for (unsigned i = 0; i <= n_rounds; i++) {
		const bool last = i == n_rounds;
		const size_t distance = (size_t)1 << i;

		for (size_t rank = 0; rank < (last ? f.extra : f.n); rank++) {
			const struct pl_hop hop = {
				.src = (uint32_t)(last ? f.n + rank : rank),
				.dst = (uint32_t)(last ? rank : rank + distance),
				.group = i,
				.times = 1,
				.bytes = last ? (double)call->bytes
					      : (double)call->bytes / (double)(2 * distance),
			};

			if (last || !(rank & distance))
				pl_shape_put(shape, hop);
		}
	}
	return 0;
}

/* ---- double-binary-tree
 *
 * Cost: of the dearer tree T(0, N - 1, S), where
 *   T(i, j) = max(c(m, a)(S/2) + T(i, m - 1), c(m, b)(S/2) + T(m + 1, j))
 * for i < j, m the middle floor((i + j) / 2), a and b the roots of the two parts.
 *
 * The print gives a = (3i + j)/2 - 1 and b = (i + 3j)/2 + 1, which leave the range: T(0, 6) would
 * have the children 2 and 10. Over 4 and not 2 they are the middles of the parts, about (3i + j)/4
 * - 1/2 and (i + 3j)/4 + 1/2, and that is the reading taken: a = floor((i + m - 1) / 2), b =
 * floor((m + 1 + j) / 2). Of two ranks the first is the root and has no part to its left: no hop
 * there.
 *
 * The mirrored tree is "built by decrementing each node's rank": rank r stands where r + 1 mod N
 * stands in the first tree, which makes most inner ranks leaves. Any N goes. The cost counts a hop
 * once, though the data goes up and then down.
 */

/* Ranks first .. end - 1, their middle on top. */
static void plant_middle(struct pl_span_tree *t, size_t first, size_t end, size_t parent)
{
	const size_t middle = (first + end - 1) / 2;

	if (first >= end)
		return;
	pl_span_tree_plant(t, middle, parent);
	plant_middle(t, first, middle, middle);
	plant_middle(t, middle + 1, end, middle);
}

static void plant_middles(struct pl_span_tree *t)
{
	const size_t root = (t->n - 1) / 2;

	t->root = t->radix ? t->n - 1 : 0; /* rank 0 stands where all are counted from */
	plant_middle(t, 0, t->n, PL_NO_RANK);
	t->root = (t->root + root) % t->n;
}

static void send_down(const struct pl_rank *r, const struct pl_span_tree *t, uint64_t bytes)
{
	pl_script_round(r->s, t->deepest + t->depth[r->rank]);
	for (size_t k = t->first[r->rank]; k < t->first[r->rank + 1]; k++)
		pl_script_isend(r->s, t->child[k], bytes);
}

static void go_up(const struct pl_rank *r, const struct pl_span_tree *t, uint64_t bytes)
{
	for (size_t k = t->first[r->rank]; k < t->first[r->rank + 1]; k++) {
		pl_script_recv(r->s, t->child[k], bytes);
		pl_script_reduce(r->s, bytes);
	}
	pl_script_round(r->s, t->deepest - t->depth[r->rank]);
	if (r->rank == t->root)
		send_down(r, t, bytes);
	else
		pl_script_isend(r->s, t->parent[r->rank], bytes);
}

/*
 * Where a rank is a leaf it is first on the way up and last on the way down, so that nobody waits
 * for it longer than for the tree; where it is inner in both trees, tree 0 goes first. So what
 * passes through tree 0 never waits for tree 1, and nothing can lock.
 */
static void double_tree(const struct pl_rank *r)
{
	const struct pl_blocks halves = pl_blocks_even(&r->comm->call, 2);
	const struct pl_span_tree *tree = r->comm->tree;
	const size_t up_first = !pl_span_tree_n_children(&tree[1], r->rank);
	const size_t down_first = !pl_span_tree_n_children(&tree[0], r->rank);

	for (size_t i = 0; i < 4; i++) {
		const bool up = i < 2;
		const size_t k = (up ? up_first : down_first) ^ (i & 1);
		const uint64_t bytes = pl_block_bytes(&halves, k);

		if (!up && r->rank == tree[k].root)
			continue;
		pl_script_tag(r->s, (uint32_t)k);
		pl_script_data(r->s, pl_block_at(&halves, k), up ? PL_ADDS : PL_STORES);
		if (up) {
			go_up(r, &tree[k], bytes);
			continue;
		}
		pl_script_recv(r->s, tree[k].parent[r->rank], bytes);
		send_down(r, &tree[k], bytes);
	}
}

/* ---- bcube
 *
 * Cost: the sum over the rounds i of the dearest c(j, j + k B^i)(S / B^(i+1)). The print lets j run
 * to N/B - 1 and k to B; taken at its word that is one rank of each group, and k = B leaves the
 * group. Read here, after "each node communicates with B - 1 peers": every pair of ranks of a
 * group. Each pair counts once, as in the print, though the gathering takes all rounds a second
 * time.
 *
 * N that is no power of B: rounds of B as long as B divides what is left of N, then one round with
 * groups of all the rest, as Gloo does (N = 12, B = 2: groups of 2, 2 and 3). A prime N > B is one
 * round in which everybody talks to everybody.
 */
#define BCUBE_BASE 4

/* Refuses what no pattern can hold: a large prime, all to all. */
static int check_bcube(const struct pl_call *call, struct pl_err *err)
{
	const size_t base = call->radix ? call->radix : BCUBE_BASE;
	size_t group[64], n_peers = 0;

	if (base == 1)
		return pl_err_set(err, PL_EUSAGE, "BCube needs groups of at least two ranks");
	for (unsigned n = pl_bcube_groups(group, call->n_pos, base); n-- > 0;)
		n_peers += group[n] - 1;
	if (2 * n_peers <= PL_PATTERN_MESSAGES_MAX / call->n_pos)
		return 0;
	return pl_err_set(
		err, PL_EUSAGE,
		"BCube of %zu ranks has too many messages: each rank exchanges with %zu others",
		call->n_pos, n_peers);
}

static int bcube_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			   const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	size_t group[64], apart = 1;
	const unsigned n_rounds = pl_bcube_groups(group, n, pl_algorithm_radix(a, call));

	(void)err;
	shape->kind = PL_SUM_OF_MAXIMA;
	for (unsigned i = 0; i < n_rounds; apart *= group[i++])
		for (size_t k = 0; k < n * group[i]; k++) {
			const size_t rank = k / group[i], digit = rank / apart % group[i];
			const size_t other = k % group[i];
			const struct pl_hop hop = {
				.src = (uint32_t)rank,
				.dst = (uint32_t)(rank + (other - digit) * apart),
				.group = i,
				.times = 1,
				.bytes = (double)call->bytes / (double)(apart * group[i]),
			};

			if (other > digit)
				pl_shape_put(shape, hop);
		}
	return 0;
}

/* ---- two-level: by masters of groups and a master of all
 *
 *   a chunk:   m m m m     m m m m     m m m m
 *               \| |/       \| |/       \| |/       0: members to their group's
 *                LM          LM          LM            local master (LM)
 *                  \_________ | ________/           1: LMs to one of them, the
 *                            GM                        global master (GM)
 *               and back: 2: GM to LMs, 3: LMs to members
 *
 * 2LHA, sections 4.1.2 and 4.2.2: chunks of 64 KiB, each with masters of its own. Groups are
 * consecutive positions, as equal as they can be, their number the radix, or by default the whole
 * number next to sqrt(N) (equation 4.2). "Each group (or node) has a number of GMs (or LMs)
 * proportional to its cardinality": a chunk's GM is in the group that has had the fewest for its
 * size, there and elsewhere the LM is the member that has had the fewest.
 *
 * The thesis gives no cost for an order. Read in the way of section 5.2.1: the dearest hop within a
 * group and the dearest between masters, each once, with the bytes that it carries on the way up
 * when the buffer has as many chunks as there are ranks. A job aggregates buffer after buffer, and
 * in the long run every rank is a master; an order should not hang on who is first, so that calls
 * of few chunks have the same objective.
 *
 * A rank's program takes chunks in order, where AggEngine takes what comes first.
 */
#define CHUNK_BYTES ((uint64_t)64 << 10)

struct masters {
	size_t n, n_groups, n_chunks;
	struct pl_blocks groups; /* of ranks */
	uint32_t *lm;            /* [n_chunks * n_groups], ranks */
	uint32_t *gm;            /* [n_chunks], the group whose LM is the GM */
};

/* Group g has the ranks first(g) .. first(g + 1) - 1. */
static size_t group_first(const struct masters *m, size_t g)
{
	return pl_block_at(&m->groups, g);
}

static size_t group_of(const struct masters *m, size_t rank)
{
	size_t g = rank / (m->n / m->n_groups + 1);

	while (group_first(m, g + 1) <= rank)
		g++;
	return g;
}

/* The group with the fewest GMs for its size. */
static size_t next_group(const struct masters *m, const size_t *had)
{
	size_t best = 0;

	for (size_t g = 1; g < m->n_groups; g++)
		if (had[g] * pl_block_bytes(&m->groups, best) <
		    had[best] * pl_block_bytes(&m->groups, g))
			best = g;
	return best;
}

/* The member that has been LM least often; of these, to be the GM, the one that has been it least
 * often, and otherwise the one that has been it most. */
static size_t next_member(const struct masters *m, size_t group, bool as_gm, const size_t *gms,
			  const size_t *lms)
{
	size_t best = group_first(m, group);

	for (size_t r = best + 1; r < group_first(m, group + 1); r++)
		if (lms[r] < lms[best] ||
		    (lms[r] == lms[best] && (as_gm ? gms[r] < gms[best] : gms[r] > gms[best])))
			best = r;
	return best;
}

/* Zeroed counts: of GMs by group, of GMs and LMs by rank. */
static void appoint(struct masters *m, size_t *group_gms, size_t *gms, size_t *lms)
{
	for (size_t c = 0; c < m->n_chunks; c++) {
		const size_t top = next_group(m, group_gms);

		m->gm[c] = (uint32_t)top;
		group_gms[top]++;
		for (size_t g = 0; g < m->n_groups; g++) {
			const size_t lm = next_member(m, g, g == top, gms, lms);

			m->lm[c * m->n_groups + g] = (uint32_t)lm;
			lms[lm]++;
			gms[lm] += g == top;
		}
	}
}

static void masters_fini(struct masters *m)
{
	free(m->lm);
	free(m->gm);
}

static size_t n_groups_of(const struct pl_call *call)
{
	size_t k = 1;

	while (k * k + k < call->n_pos)
		k++;
	return call->radix ? call->radix : k;
}

static int check_two_level(const struct pl_call *call, struct pl_err *err)
{
	if (n_groups_of(call) <= call->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%zu groups are more than the %zu ranks",
			  n_groups_of(call), call->n_pos);
}

static int masters_init(struct masters *m, const struct pl_call *call, size_t n_chunks,
			struct pl_err *err)
{
	const size_t n = call->n_pos, n_groups = n_groups_of(call);
	const struct pl_call ranks = {.bytes = n, .element_bytes = 1};
	size_t *had = pl_array_create(n_groups + 2 * n, sizeof(*had));

	*m = (struct masters){.n = n,
			      .n_groups = n_groups,
			      .n_chunks = n_chunks,
			      .groups = pl_blocks_even(&ranks, n_groups)};
	m->lm = pl_array_create(n_chunks, n_groups * sizeof(*m->lm));
	m->gm = pl_array_create(n_chunks, sizeof(*m->gm));
	if (m->lm && m->gm && had) {
		appoint(m, had, had + n_groups, had + n_groups + n);
		free(had);
		return 0;
	}
	free(had);
	masters_fini(m);
	return pl_err_nomem(err);
}

/* Chunks of the buffer, at least one. */
static struct pl_blocks chunks_of(const struct pl_call *call)
{
	const uint64_t set = call->segment_bytes ? call->segment_bytes : CHUNK_BYTES;
	const uint64_t elements = set < call->element_bytes ? 1 : set / call->element_bytes;
	struct pl_blocks chunks = pl_blocks_in_steps(call->bytes, elements * call->element_bytes);

	chunks.n = chunks.n ? chunks.n : 1;
	return chunks;
}

/* A rank while its program is written. */
struct writer {
	const struct pl_rank *r;
	const struct masters *m;
	struct pl_blocks chunks;
	size_t group, first, end; /* its ranks */
	/* receives from members, from LMs, from the GM, and, in the end, from the LM: waited for in
	 * the order they are posted */
	struct pl_request queue[4];
	size_t waited[3];
};

static void take(struct writer *w, size_t from)
{
	pl_rank_wait_nth(w->r, w->queue[from], w->waited[from]++);
}

static size_t lm_of(const struct writer *w, size_t c, size_t group)
{
	return w->m->lm[c * w->m->n_groups + group];
}

static bool is_lm(const struct writer *w, size_t c)
{
	return lm_of(w, c, w->group) == w->r->rank;
}

static bool is_gm(const struct writer *w, size_t c)
{
	return lm_of(w, c, w->m->gm[c]) == w->r->rank;
}

/* The messages from now on are of chunk @c. Gives its bytes. */
static uint64_t of_chunk(const struct writer *w, size_t c, enum pl_taking taking)
{
	pl_script_tag(w->r->s, (uint32_t)c);
	pl_script_data(w->r->s, pl_block_at(&w->chunks, c), taking);
	return pl_block_bytes(&w->chunks, c);
}

static void post_receives(struct writer *w, uint32_t round, size_t c)
{
	const uint64_t bytes = of_chunk(w, c, round < 2 ? PL_ADDS : PL_STORES);

	for (size_t k = w->first; round == 0 && is_lm(w, c) && k < w->end; k++)
		if (k != w->r->rank)
			pl_script_irecv(w->r->s, k, bytes);
	for (size_t g = 0; round == 1 && is_gm(w, c) && g < w->m->n_groups; g++)
		if (g != w->group)
			pl_script_irecv(w->r->s, lm_of(w, c, g), bytes);
	if (round == 2 && is_lm(w, c) && !is_gm(w, c))
		pl_script_irecv(w->r->s, lm_of(w, c, w->m->gm[c]), bytes);
	if (round == 3 && !is_lm(w, c))
		pl_script_irecv(w->r->s, lm_of(w, c, w->group), bytes);
}

static void fan_out(const struct writer *w, uint64_t bytes)
{
	pl_script_round(w->r->s, 3);
	for (size_t k = w->first; k < w->end; k++)
		if (k != w->r->rank)
			pl_script_isend(w->r->s, k, bytes);
}

static void as_lm(struct writer *w, size_t c)
{
	const uint64_t bytes = of_chunk(w, c, PL_ADDS);

	for (size_t k = w->first + 1; k < w->end; k++) {
		take(w, 0);
		pl_script_reduce(w->r->s, bytes);
	}
	pl_script_round(w->r->s, 1);
	if (!is_gm(w, c))
		pl_script_isend(w->r->s, lm_of(w, c, w->m->gm[c]), bytes);
}

static void as_gm(struct writer *w, size_t c)
{
	const uint64_t bytes = of_chunk(w, c, PL_STORES);

	for (size_t k = 1; k < w->m->n_groups; k++) {
		take(w, 1);
		pl_script_reduce(w->r->s, bytes);
	}
	pl_script_round(w->r->s, 2);
	for (size_t g = 0; g < w->m->n_groups; g++)
		if (g != w->group)
			pl_script_isend(w->r->s, lm_of(w, c, g), bytes);
	fan_out(w, bytes);
}

static void as_lm_again(struct writer *w, size_t c)
{
	take(w, 2);
	fan_out(w, of_chunk(w, c, PL_STORES));
}

/* A chunk's global part comes once all ranks have had their turn as LM, its way back as much later:
 * so chunks overlap, and nothing can lock. */
static void two_level(const struct pl_rank *r)
{
	const struct masters *m = r->comm->own;
	const size_t n = m->n_chunks, lag = r->n;
	struct writer w = {
		.r = r, .m = m, .chunks = chunks_of(&r->comm->call), .group = group_of(m, r->rank)};

	w.first = group_first(m, w.group);
	w.end = group_first(m, w.group + 1);
	for (uint32_t round = 0; round < 4; round++) {
		w.queue[round] = pl_script_next(r->s, false);
		for (size_t c = 0; c < n; c++)
			post_receives(&w, round, c);
	}
	for (size_t c = 0; c < n; c++) {
		const uint64_t bytes = of_chunk(&w, c, PL_ADDS);

		if (!is_lm(&w, c))
			pl_script_isend(r->s, lm_of(&w, c, w.group), bytes);
	}
	for (size_t c = 0; c < n + 2 * lag; c++) {
		if (c < n && is_lm(&w, c))
			as_lm(&w, c);
		if (c >= lag && c - lag < n && is_gm(&w, c - lag))
			as_gm(&w, c - lag);
		if (c >= 2 * lag && is_lm(&w, c - 2 * lag) && !is_gm(&w, c - 2 * lag))
			as_lm_again(&w, c - 2 * lag);
	}
}

static int write_two_level(const struct pl_comm_call *c, const struct pl_algorithm *a,
			   struct pl_err *err)
{
	const size_t n_chunks = chunks_of(&c->call).n;
	struct pl_comm_call own = *c;
	struct masters m;
	int rc;

	if (n_chunks > PL_PATTERN_MESSAGES_MAX / c->call.n_pos)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu chunks are too many for %zu ranks; make the chunks larger",
				  n_chunks, c->call.n_pos);
	if (masters_init(&m, &c->call, n_chunks, err))
		return -1;
	own.own = &m;
	rc = pl_comm_write_ranks(&own, a, err);
	masters_fini(&m);
	return rc;
}

/* As many chunks as ranks make each the GM once: more would add no hop, and no two chunks take the
 * same one between masters. */
static int two_level_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			       const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	struct pl_hop hop = {.times = 1};
	struct masters m;

	(void)a;
	shape->kind = PL_SUM_OF_MAXIMA;
	if (masters_init(&m, call, n, err))
		return -1;
	for (size_t lm = 0; lm < n; lm++) {
		const size_t g = group_of(&m, lm);
		size_t times = 0;

		for (size_t c = 0; c < n; c++)
			times += m.lm[c * m.n_groups + g] == lm;
		hop.dst = (uint32_t)lm;
		hop.bytes = (double)call->bytes / (double)n * (double)times;
		for (size_t r = group_first(&m, g); times > 0 && r < group_first(&m, g + 1); r++) {
			hop.src = (uint32_t)r;
			if (r != lm)
				pl_shape_put(shape, hop);
		}
	}
	hop.group = 1;
	hop.bytes = (double)call->bytes / (double)n;
	for (size_t i = 0; i < n * m.n_groups; i++) {
		const size_t c = i / m.n_groups;

		hop.src = m.lm[i];
		hop.dst = m.lm[c * m.n_groups + m.gm[c]];
		if (hop.src != hop.dst)
			pl_shape_put(shape, hop);
	}
	masters_fini(&m);
	return 0;
}

/* ---- rows */

const struct pl_algorithm pl_thesis_algorithms[] = {
	{PL_ALLREDUCE, PL_THESIS, "ring", "blocks once round to be reduced, once to be gathered",
	 .kernel = ring, .how = PL_SENDS_EMPTY, .objective = pl_ring_objective, .laps = 1},
	{PL_ALLREDUCE, PL_THESIS, "halving-doubling",
	 "halves to the rank 1 away, quarters to that 2 away, ...",
	 .kernel = pl_kernel_rabenseifner, .how = PL_SENDS_EMPTY | PL_IN_PLACE,
	 .folding = PL_FIRST_STAY, .objective = halving_objective},
	{PL_ALLREDUCE, PL_THESIS, "double-binary-tree",
	 "up and down two binary trees, half the data each", .kernel = double_tree,
	 .how = PL_SENDS_EMPTY, .plant = plant_middles, .two_trees = true,
	 .objective = pl_trees_objective, .laps = 1},
	{PL_ALLREDUCE, PL_THESIS, "bcube", "halving-doubling in groups of B",
	 .kernel = pl_kernel_bcube, .how = PL_SENDS_EMPTY, .check = check_bcube,
	 .objective = bcube_objective, .radix = BCUBE_BASE, .takes_radix = true},
	{PL_ALLREDUCE, PL_THESIS, "two-level", "through masters of N groups and a master of all",
	 .kernel = two_level, .how = PL_SENDS_EMPTY, .whole = write_two_level,
	 .check = check_two_level, .objective = two_level_objective, .takes_radix = true,
	 .takes_segment = true},
	{.name = NULL},
};
