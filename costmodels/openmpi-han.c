/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi-han.c - Open MPI's collectives of two levels, as coll/han puts them together */
/*
 *   hosts 0 1 | 2 3 | 4 5     within: 1 -> 0, 3 -> 2, 5 -> 4
 *                             between: 0, 2 and 4, the leaders
 *
 * A call is a few collectives in a row, each within every host or between the leaders: the ranks
 * that are on their hosts what the root is on its own, or the first ones. Within hosts they are
 * what the fixed rules choose, between hosts those of coll/libnbc, which do not block. A large
 * buffer goes in segments: while the leaders reduce one they broadcast the one before, and the
 * ranks of a host go on with others. A task waits for all that it has begun, so that two segments
 * at a time are between hosts, whatever their number. Here a segment is a strand, and two of them
 * run beside each other. The simple ones have no segments, and the rules between hosts, too.
 *
 * Versions 4.1.0 to 4.1.5 broadcast the last segment of an all-reduce at full length if it is
 * shorter than the others, beyond the end of the buffer; that is not mirrored.
 */
#include "config.h"

#include "costmodels/openmpi.h"

#include <string.h>

#define SEGMENT_BYTES 65536 /* coll_han_X_segsize */
#define SEGMENTS_BETWEEN 2
#define FRAGMENT_BYTES 8192
#define PHASES_MAX 4

bool pl_openmpi_han_serves(enum pl_collective collective, const struct pl_call *call)
{
	const bool levels = call->slots > 1 && call->slots < call->n_pos;

	switch (collective) {
	case PL_ALLREDUCE:
	case PL_BARRIER:
		return levels;
	case PL_BROADCAST:
	case PL_REDUCE:
	case PL_ALLGATHER:
		return levels && call->n_pos % call->slots == 0;
	case PL_REDUCE_SCATTER:
	case PL_ALLTOALL:
		break;
	}
	return false;
}

static const struct pl_algorithm *tuned(enum pl_collective collective, const char *name)
{
	return pl_catalogue_named(collective, PL_OPENMPI, name);
}

/* ---- coll/libnbc
 *
 * Messages are those of coll/tuned, but where a tree or a chain has another root, it and rank 0
 * change places, and the other ranks stay where they are.
 */

/*   3 --> 2 --> 1 --> 0     fragments are received, added and sent one by one; all have equal
 *                           numbers of elements, the last one also what is left over */
static void reduce_chain(const struct pl_rank *r)
{
	const uint64_t count = r->bytes / r->element_bytes;
	const uint64_t n = (r->bytes + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES;
	const uint64_t each = count / n * r->element_bytes;
	const size_t before = r->n - 1 - r->rank;

	for (size_t i = 0; i < n; i++) {
		const uint64_t bytes = i + 1 < n ? each : r->bytes - i * each;

		pl_script_round(r->s, (uint32_t)(before + i));
		pl_script_data(r->s, i * each, PL_ADDS);
		if (before > 0) {
			pl_script_recv(r->s, r->rank + 1, bytes);
			pl_script_reduce(r->s, bytes);
		}
		if (r->rank > 0)
			pl_script_send(r->s, r->rank - 1, bytes);
	}
}

static struct pl_phase nbc(enum pl_collective collective, const struct pl_call *call,
			   uint64_t bytes, size_t root)
{
	static const struct pl_algorithm chain = {PL_REDUCE, PL_OPENMPI, .kernel = reduce_chain};
	const size_t n = pl_call_hosts(call);
	struct pl_phase p = {.level = PL_LEADERS, .bytes = bytes, .swapped = root};

	if (collective == PL_BROADCAST && n > 4)
		p.a = tuned(PL_BROADCAST, "binomial");
	else if (collective == PL_BROADCAST)
		p.a = tuned(PL_BROADCAST, "linear");
	else if (n > 2 && bytes / call->element_bytes >= pl_fold(n, PL_EVEN_STAYS).n)
		p.a = tuned(PL_REDUCE, "rabenseifner");
	else
		p.a = n > 4 || bytes < 65536 ? tuned(PL_REDUCE, "binomial") : &chain;
	if (!p.a->plant && p.a != &chain) {
		p.root = root;
		p.swapped = 0;
	}
	return p;
}

/* ---- the parts of a call */

static struct pl_phase within(const struct pl_algorithm *a, const struct pl_call *call,
			      uint64_t bytes)
{
	return (struct pl_phase){
		.a = a, .level = PL_HOSTS, .root = call->root % call->slots, .bytes = bytes};
}

static struct pl_phase between(const struct pl_algorithm *a, const struct pl_call *call,
			       uint64_t bytes)
{
	return (struct pl_phase){
		.a = a, .level = PL_LEADERS, .root = call->root / call->slots, .bytes = bytes};
}

static bool is_simple(const struct pl_algorithm *a)
{
	return strcmp(a->name, "han-simple") == 0;
}

/* Those of a segment of @bytes bytes, the first of the call or a later one. How many there are. */
static size_t phases_of(struct pl_phase *p, const struct pl_algorithm *a,
			const struct pl_call *call, uint64_t bytes, bool first)
{
	const struct pl_algorithm *reduce = tuned(PL_REDUCE, "default");
	const struct pl_algorithm *broadcast = tuned(PL_BROADCAST, "default");
	const struct pl_algorithm *own = tuned(a->collective, "default");
	const size_t root = call->root / call->slots;
	const bool simple = is_simple(a);
	size_t n = 0;

	switch (a->collective) {
	case PL_ALLREDUCE:
		p[n++] = within(reduce, call, bytes);
		p[n++] = simple ? between(own, call, bytes) : nbc(PL_REDUCE, call, bytes, 0);
		if (!simple)
			p[n++] = nbc(PL_BROADCAST, call, bytes, 0);
		p[n++] = within(broadcast, call, bytes);
		break;
	case PL_BROADCAST:
		p[n++] = simple || first ? between(own, call, bytes)
					 : nbc(PL_BROADCAST, call, bytes, root);
		p[n++] = within(own, call, bytes);
		break;
	case PL_REDUCE:
		p[n++] = within(own, call, bytes);
		p[n++] = simple ? between(own, call, bytes) : nbc(PL_REDUCE, call, bytes, root);
		break;
	case PL_ALLGATHER:
		p[n++] = within(&pl_openmpi_gather, call, bytes);
		p[n++] = between(own, call, bytes * call->slots);
		p[n++] = within(broadcast, call, bytes * call->n_pos);
		break;
	case PL_BARRIER:
		p[n++] = within(own, call, 0);
		p[n++] = between(own, call, 0);
		p[n++] = within(own, call, 0);
		break;
	case PL_REDUCE_SCATTER:
	case PL_ALLTOALL:
		break;
	}
	return n;
}

/* Without a root: 0 in all communicators. */
static struct pl_call rooted(const struct pl_algorithm *a, const struct pl_call *call)
{
	struct pl_call own = *call;

	if (!pl_collective_has_root(a->collective))
		own.root = 0;
	return own;
}

static int append_segment(struct pl_script *s, const struct pl_algorithm *a,
			  const struct pl_call *call, uint64_t bytes, bool first,
			  struct pl_err *err)
{
	const struct pl_call own = rooted(a, call);
	struct pl_phase phase[PHASES_MAX];
	const size_t n = phases_of(phase, a, &own, bytes, first);

	for (size_t i = 0; i < n; i++)
		phase[i].leader = own.root % own.slots;
	return pl_phases_append(s, &own, phase, n, err);
}

/* ---- segments */

/* Scripts of the first segment, of one like it, and of the last one. */
struct pipeline {
	struct pl_blocks segments;
	struct pl_script first, next, last;
};

static int pipeline_init(struct pipeline *p, const struct pl_algorithm *a,
			 const struct pl_call *call, struct pl_err *err)
{
	const struct pl_blocks *g = &p->segments;
	const uint64_t last = pl_block_bytes(g, g->n - 1);

	return pl_script_init(&p->first, call->n_pos, err) ||
			       pl_script_init(&p->next, call->n_pos, err) ||
			       pl_script_init(&p->last, call->n_pos, err) ||
			       append_segment(&p->first, a, call, g->step_bytes, true, err) ||
			       append_segment(&p->next, a, call, g->step_bytes, false, err) ||
			       append_segment(&p->last, a, call, last, false, err)
		       ? -1
		       : 0;
}

static int check_messages(const struct pipeline *p, struct pl_err *err)
{
	const size_t each = pl_script_messages(&p->next);

	if (p->segments.n <= PL_PATTERN_MESSAGES_MAX / (each + 1))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%zu segments of %zu messages each are more than %zu messages",
			  p->segments.n, each, PL_PATTERN_MESSAGES_MAX);
}

static void paste_segments(struct pl_script *s, const struct pipeline *p)
{
	for (size_t i = 0; i < p->segments.n; i++) {
		const struct pl_script *like = i == 0                  ? &p->first
					       : i + 1 < p->segments.n ? &p->next
								       : &p->last;
		const struct pl_paste add = {.at = pl_block_at(&p->segments, i),
					     .round = (uint32_t)i,
					     .tag = (uint32_t)i};

		pl_script_strand(s, true);
		pl_script_paste(s, like, add);
	}
}

static int write_pipeline(struct pl_script *s, struct pipeline *p, const struct pl_algorithm *a,
			  const struct pl_call *call, struct pl_err *err)
{
	if (pipeline_init(p, a, call, err) || check_messages(p, err))
		return -1;
	pl_script_window(s, SEGMENTS_BETWEEN);
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		paste_segments(s, p);
	}
	return 0;
}

/* Of a call that coll/han serves. */
static struct pl_blocks segments_of(const struct pl_algorithm *a, const struct pl_call *call)
{
	struct pl_call own = *call;

	if (!a->takes_segment)
		own.segment_bytes = 0;
	else if (!own.segment_bytes)
		own.segment_bytes = SEGMENT_BYTES;
	return pl_openmpi_segments(&own);
}

/* ---- the algorithms; what coll/han does not serve is run by coll/tuned */

int pl_openmpi_han(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	struct pipeline p = {.segments = segments_of(a, &c->call)};
	int rc;

	if (!pl_openmpi_han_serves(a->collective, &c->call))
		return pl_comm_write(c, tuned(a->collective, "default"), err);
	if (p.segments.n < 2)
		return append_segment(c->s, a, &c->call, c->call.bytes, true, err);
	rc = write_pipeline(c->s, &p, a, &c->call, err);
	pl_script_fini(&p.first);
	pl_script_fini(&p.next);
	pl_script_fini(&p.last);
	return rc;
}

/* The rounds of a segment, as often as there are segments: what a task begins it waits for. */
static int shape_of(struct pl_shape *shape, struct pl_script *s, const struct pl_blocks *segments,
		    struct pl_err *err)
{
	struct pl_pattern p;
	int rc;

	if (pl_script_finish(s, &p, err))
		return -1;
	rc = pl_shape_of_rounds(shape, &p, err);
	pl_pattern_fini(&p);
	if (rc)
		return -1;
	pl_shape_weigh(shape, PL_OPENMPI_EAGER_BYTES, PL_OPENMPI_TRIPS);
	for (size_t i = 0; segments->n > 1 && i < shape->n_hops; i++)
		shape->hop[i].times *= (double)segments->bytes / (double)segments->step_bytes;
	return 0;
}

int pl_openmpi_han_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			     const struct pl_call *call, struct pl_err *err)
{
	const struct pl_blocks g = segments_of(a, call);
	struct pl_script s;
	int rc = 0;

	if (!pl_openmpi_han_serves(a->collective, call))
		return pl_algorithm_shape(tuned(a->collective, "default"), call, shape, err);
	if (pl_script_init(&s, call->n_pos, err))
		return -1;
	if (call->bytes > 0 || a->collective == PL_BARRIER)
		rc = append_segment(&s, a, call, g.step_bytes, g.n < 2, err);
	if (rc == 0)
		rc = shape_of(shape, &s, &g, err);
	pl_script_fini(&s);
	return rc;
}
