/* SPDX-License-Identifier: BSD-3-Clause */
/* han.c - collectives of two levels, as coll/han puts them together */
/*
 *   hosts 0 1 | 2 3 | 4 5     within: 1 -> 0, 3 -> 2, 5 -> 4
 *                             between: 0, 2 and 4, the leaders
 *
 * The component turns a call into tasks: while the leaders reduce one segment
 * they broadcast the one before, and the ranks of a host go on with others. A
 * task waits for all that it has begun, so that two segments at a time are
 * between hosts, whatever their number. Here a segment is a strand, and two of
 * them run beside each other.
 */
#include "config.h"

#include "costmodels/openmpi/han.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/segments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* coll_han_X_segsize */
#define SEGMENT_BYTES 65536
#define SEGMENTS_BETWEEN 2

/* Consecutive ranks, or each as far from the next. */
struct group {
	size_t first, apart, n;
};

bool pl_openmpi_han_serves(enum pl_collective collective, const struct pl_call *call)
{
	switch (collective) {
	case PL_ALLREDUCE:
	case PL_BARRIER:
		return call->slots > 1 && call->slots < call->n_pos;
	case PL_BROADCAST:
	case PL_REDUCE:
	case PL_ALLGATHER:
		return call->slots > 1 && call->slots < call->n_pos &&
		       call->n_pos % call->slots == 0;
	case PL_REDUCE_SCATTER:
	case PL_ALLTOALL:
		break;
	}
	return false;
}

const struct pl_algorithm *pl_openmpi_han_or(enum pl_collective collective,
					     const struct pl_call *call, const char *name)
{
	const bool han = call->han && pl_openmpi_han_serves(collective, call);

	return pl_catalogue_named(collective, PL_OPENMPI, han ? "han" : name);
}

static const struct pl_algorithm *tuned(enum pl_collective collective)
{
	return pl_catalogue_named(collective, PL_OPENMPI, "default");
}

static int run_tuned(struct pl_script *s, enum pl_collective collective, const struct pl_call *call,
		     struct pl_err *err)
{
	struct pl_call decided;
	const struct pl_algorithm *a = pl_algorithm_decide(tuned(collective), call, &decided);

	assert(strcmp(a->name, "han") != 0);
	return a->generate(s, &decided, err);
}

static int run_group(struct pl_script *all, const struct pl_openmpi_han_part *part,
		     struct group group, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_call own = {
		.n_pos = group.n,
		.bytes = part->bytes,
		.element_bytes = call->element_bytes,
		.root = part->root,
		.slots = 1,
	};
	uint32_t *rank = pl_array_create(group.n, sizeof(*rank));
	struct pl_script s;
	int rc = -1;

	if (!rank)
		return pl_err_nomem(err);
	for (size_t i = 0; i < group.n; i++)
		rank[i] = (uint32_t)(group.first + i * group.apart);
	if (pl_script_init(&s, group.n, err) == 0) {
		rc = part->generate ? part->generate(&s, &own, err)
				    : run_tuned(&s, part->collective, &own, err);
		if (rc == 0)
			pl_script_join(all, &s, rank);
		pl_script_fini(&s);
	}
	free(rank);
	return rc;
}

static int run_hosts(struct pl_script *all, const struct pl_openmpi_han_part *part,
		     const struct pl_call *call, struct pl_err *err)
{
	const size_t slots = call->slots;

	for (size_t first = 0; first < call->n_pos; first += slots) {
		const size_t rest = call->n_pos - first;
		const struct group host = {first, 1, rest < slots ? rest : slots};

		if (run_group(all, part, host, call, err))
			return -1;
	}
	return 0;
}

static int run_part(struct pl_script *s, const struct pl_openmpi_han_part *part,
		    const struct pl_call *call, size_t leader, struct pl_err *err)
{
	const struct group leaders = {
		.first = leader,
		.apart = call->slots,
		.n = (call->n_pos - 1) / call->slots + 1,
	};
	struct pl_script all;
	int rc;

	if (pl_script_init(&all, call->n_pos, err))
		return -1;
	rc = part->between ? run_group(&all, part, leaders, call, err)
			   : run_hosts(&all, part, call, err);
	if (rc == 0)
		pl_script_append(s, &all);
	pl_script_fini(&all);
	return rc;
}

static int run_segment(struct pl_script *s, const struct pl_openmpi_han *han,
		       const struct pl_call *call, uint64_t bytes, bool first, struct pl_err *err)
{
	struct pl_openmpi_han_part part[PL_OPENMPI_HAN_PARTS] = {{0}};
	const size_t n = han->parts(part, call, bytes, first);
	const size_t leader =
		pl_collective_has_root(han->collective) ? call->root % call->slots : 0;

	for (size_t i = 0; i < n; i++)
		if (run_part(s, &part[i], call, leader, err))
			return -1;
	return 0;
}

/* Scripts of the first segment, of one like it, and of the last one. */
struct pipeline {
	struct pl_openmpi_segments segments;
	struct pl_script first, next, last;
};

static int pipeline_init(struct pipeline *p, const struct pl_openmpi_han *han,
			 const struct pl_call *call, struct pl_err *err)
{
	const struct pl_openmpi_segments *g = &p->segments;

	return pl_script_init(&p->first, call->n_pos, err) ||
			       pl_script_init(&p->next, call->n_pos, err) ||
			       pl_script_init(&p->last, call->n_pos, err) ||
			       run_segment(&p->first, han, call, g->segment_bytes, true, err) ||
			       run_segment(&p->next, han, call, g->segment_bytes, false, err) ||
			       run_segment(&p->last, han, call,
					   pl_openmpi_segment_bytes(g, g->n - 1), false, err)
		       ? -1
		       : 0;
}

static void pipeline_fini(struct pipeline *p)
{
	pl_script_fini(&p->first);
	pl_script_fini(&p->next);
	pl_script_fini(&p->last);
}

static int check_messages(const struct pipeline *p, struct pl_err *err)
{
	const size_t each = pl_script_messages(&p->next);

	if (p->segments.n <= PL_PATTERN_MESSAGES_MAX / (each + 1))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%zu segments of %zu messages each are more than "
			  "%zu messages",
			  p->segments.n, each, PL_PATTERN_MESSAGES_MAX);
}

static const struct pl_script *segment(const struct pipeline *p, size_t i)
{
	if (i == 0)
		return &p->first;
	return i + 1 < p->segments.n ? &p->next : &p->last;
}

static int run_pipeline(struct pl_script *s, struct pipeline *p, const struct pl_openmpi_han *han,
			const struct pl_call *call, struct pl_err *err)
{
	if (pipeline_init(p, han, call, err) || check_messages(p, err))
		return -1;
	pl_script_window(s, SEGMENTS_BETWEEN);
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		for (size_t i = 0; i < p->segments.n; i++) {
			const struct pl_paste add = {
				.at = pl_openmpi_segment_at(&p->segments, i),
				.round = (uint32_t)i,
				.tag = (uint32_t)i,
			};

			pl_script_strand(s, true);
			pl_script_paste(s, segment(p, i), add);
		}
	}
	return 0;
}

/* Of a call that coll/han serves. */
static struct pl_openmpi_segments segments_of(const struct pl_openmpi_han *han,
					      const struct pl_call *call)
{
	struct pl_call own = *call;

	if (!han->in_segments)
		own.segment_bytes = 0;
	else if (!own.segment_bytes)
		own.segment_bytes = SEGMENT_BYTES;
	return pl_openmpi_segments(&own);
}

/* Does it send nothing? */
static bool is_empty(const struct pl_openmpi_han *han, const struct pl_call *call)
{
	return call->bytes == 0 && han->collective != PL_BARRIER;
}

int pl_openmpi_han_script(struct pl_script *s, const struct pl_openmpi_han *han,
			  const struct pl_call *call, struct pl_err *err)
{
	struct pipeline p = {.segments = segments_of(han, call)};
	int rc;

	if (!pl_openmpi_han_serves(han->collective, call))
		return run_tuned(s, han->collective, call, err);
	if (pl_openmpi_check_segments(call, err))
		return -1;
	if (is_empty(han, call))
		return 0;
	if (p.segments.n < 2)
		return run_segment(s, han, call, call->bytes, true, err);
	rc = run_pipeline(s, &p, han, call, err);
	pipeline_fini(&p);
	return rc;
}

/* The rounds of a segment, as often as there are segments: what a task begins
 * it waits for. */
static int shape_of(struct pl_shape *shape, struct pl_script *s,
		    const struct pl_openmpi_segments *segments, struct pl_err *err)
{
	struct pl_pattern p;
	int rc;

	if (pl_script_finish(s, &p, err))
		return -1;
	rc = pl_shape_of_rounds(shape, &p, err);
	pl_pattern_fini(&p);
	if (rc)
		return -1;
	pl_openmpi_weigh(shape);
	for (size_t i = 0; segments->n > 1 && i < shape->n_hops; i++)
		shape->hop[i].times *= (double)segments->bytes / (double)segments->segment_bytes;
	return 0;
}

int pl_openmpi_han_shape(struct pl_shape *shape, const struct pl_openmpi_han *han,
			 const struct pl_call *call, struct pl_err *err)
{
	const struct pl_openmpi_segments g = segments_of(han, call);
	struct pl_script s;
	int rc = 0;

	if (!pl_openmpi_han_serves(han->collective, call))
		return pl_algorithm_shape(tuned(han->collective), call, shape, err);
	if (pl_openmpi_check_segments(call, err) || pl_script_init(&s, call->n_pos, err))
		return -1;
	if (!is_empty(han, call))
		rc = run_segment(&s, han, call, g.segment_bytes, g.n < 2, err);
	if (rc == 0)
		rc = shape_of(shape, &s, &g, err);
	pl_script_fini(&s);
	return rc;
}
