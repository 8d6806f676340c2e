/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-two-level.c - all-reduce by masters of groups and a master of all */
/*
 *   a chunk:   m m m m     m m m m     m m m m
 *               \| |/       \| |/       \| |/       0: members to their group's
 *                LM          LM          LM            local master (LM)
 *                  \_________ | ________/           1: LMs to one of them, the
 *                            GM                        global master (GM)
 *               and back: 2: GM to LMs, 3: LMs to members
 *
 * 2LHA of the PLink thesis, sections 4.1.2 and 4.2.2: chunks of 64 KiB, each
 * with masters of its own. Groups are consecutive positions, as equal as they
 * can be, their number the radix, or by default the whole number next to
 * sqrt(N) (equation 4.2). "Each group (or node) has a number of GMs (or LMs)
 * proportional to its cardinality": a chunk's GM is in the group that has had
 * the fewest for its size, there and elsewhere the LM is the member that has
 * had the fewest. 2 (N - 1) S bytes in all, 4 rounds (table 4.1).
 *
 * The thesis gives no cost for an order. Read in the way of section 5.2.1: the
 * dearest hop within a group and the dearest between masters, each once, with
 * the bytes that it carries on the way up when the buffer has as many chunks as
 * there are ranks. A job aggregates buffer after buffer, and in the long run
 * every rank is a master; an order should not hang on who is first, so that
 * calls of few chunks have the same objective.
 *
 * A rank's program takes chunks in order, where AggEngine takes what comes
 * first.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/thesis/algorithms.h"
#include "costmodels/thesis/thesis-masters.h"

#include <stdbool.h>
#include <stdlib.h>

/* What a rank is to a chunk. */
struct role {
	size_t group, lm, gm; /* the rank's group, its LM, the GM */
	uint64_t bytes;
	bool is_lm, is_gm;
};

static struct role role_of(const struct pl_masters *p, size_t rank, size_t chunk)
{
	const size_t group = pl_masters_group_of(p, rank);
	struct role role = {.group = group,
			    .lm = pl_masters_lm(p, chunk, group),
			    .gm = pl_masters_gm(p, chunk),
			    .bytes = pl_masters_chunk_bytes(p, chunk)};

	role.is_lm = role.lm == rank;
	role.is_gm = role.gm == rank;
	return role;
}

/* Receives of one round, in the order in which they are waited for. */
struct queue {
	struct pl_request *request;
	size_t room, posted, waited;
};

/* A rank while its program is written. */
struct writer {
	struct pl_script *s;
	const struct pl_masters *p;
	size_t rank;
	struct queue queue[3]; /* from members, from LMs, from the GM */
	bool no_memory;
};

static void expect(struct writer *w, struct queue *q, size_t src, uint64_t bytes)
{
	void *array = q->request;

	if (pl_array_grow(&array, &q->room, q->posted, sizeof(*q->request))) {
		w->no_memory = true;
		return;
	}
	q->request = array;
	q->request[q->posted++] = pl_script_irecv(w->s, src, bytes);
}

static void take(struct writer *w, struct queue *q)
{
	if (!w->no_memory)
		pl_script_wait(w->s, q->request[q->waited++]);
}

/* The messages from now on are of chunk @c. */
static void of_chunk(struct writer *w, size_t c, enum pl_taking taking)
{
	pl_script_tag(w->s, (uint32_t)c);
	pl_script_data(w->s, w->p->chunk_bytes * c, taking);
}

static size_t n_members(const struct writer *w, const struct role *role)
{
	return pl_masters_group_first(w->p, role->group + 1) -
	       pl_masters_group_first(w->p, role->group);
}

static void post_receives(struct writer *w, uint32_t round, size_t c)
{
	const struct role role = role_of(w->p, w->rank, c);
	const size_t first = pl_masters_group_first(w->p, role.group);

	of_chunk(w, c, round < 2 ? PL_ADDS : PL_STORES);
	if (round == 0 && role.is_lm)
		for (size_t k = 0; k < n_members(w, &role); k++)
			if (first + k != w->rank)
				expect(w, &w->queue[0], first + k, role.bytes);
	if (round == 1 && role.is_gm)
		for (size_t g = 0; g < w->p->n_groups; g++)
			if (g != role.group)
				expect(w, &w->queue[1], pl_masters_lm(w->p, c, g), role.bytes);
	if (round == 2 && role.is_lm && !role.is_gm)
		expect(w, &w->queue[2], role.gm, role.bytes);
	if (round == 3 && !role.is_lm)
		pl_script_irecv(w->s, role.lm, role.bytes);
}

static void fan_out(struct writer *w, const struct role *role)
{
	const size_t first = pl_masters_group_first(w->p, role->group);

	pl_script_round(w->s, 3);
	for (size_t k = 0; k < n_members(w, role); k++)
		if (first + k != w->rank)
			pl_script_isend(w->s, first + k, role->bytes);
}

static void as_lm(struct writer *w, size_t c)
{
	const struct role role = role_of(w->p, w->rank, c);

	if (!role.is_lm)
		return;
	for (size_t k = 1; k < n_members(w, &role); k++) {
		take(w, &w->queue[0]);
		pl_script_reduce(w->s, role.bytes);
	}
	of_chunk(w, c, PL_ADDS);
	pl_script_round(w->s, 1);
	if (!role.is_gm)
		pl_script_isend(w->s, role.gm, role.bytes);
}

static void as_gm(struct writer *w, size_t c)
{
	const struct role role = role_of(w->p, w->rank, c);

	if (!role.is_gm)
		return;
	for (size_t k = 1; k < w->p->n_groups; k++) {
		take(w, &w->queue[1]);
		pl_script_reduce(w->s, role.bytes);
	}
	of_chunk(w, c, PL_STORES);
	pl_script_round(w->s, 2);
	for (size_t g = 0; g < w->p->n_groups; g++)
		if (g != role.group)
			pl_script_isend(w->s, pl_masters_lm(w->p, c, g), role.bytes);
	fan_out(w, &role);
}

static void as_lm_again(struct writer *w, size_t c)
{
	const struct role role = role_of(w->p, w->rank, c);

	if (!role.is_lm || role.is_gm)
		return;
	take(w, &w->queue[2]);
	of_chunk(w, c, PL_STORES);
	fan_out(w, &role);
}

/* A chunk's global part comes once all ranks have had their turn as LM, its
 * way back as much later: so chunks overlap, and nothing can lock. */
static void write_rank(struct writer *w)
{
	const size_t n_chunks = w->p->n_chunks, lag = w->p->n;

	for (uint32_t round = 0; round < 4; round++)
		for (size_t c = 0; c < n_chunks; c++)
			post_receives(w, round, c);
	for (size_t c = 0; c < n_chunks; c++) {
		const struct role role = role_of(w->p, w->rank, c);

		of_chunk(w, c, PL_ADDS);
		if (!role.is_lm)
			pl_script_isend(w->s, role.lm, role.bytes);
	}
	for (size_t c = 0; c < n_chunks + 2 * lag; c++) {
		if (c < n_chunks)
			as_lm(w, c);
		if (c >= lag && c - lag < n_chunks)
			as_gm(w, c - lag);
		if (c >= 2 * lag)
			as_lm_again(w, c - 2 * lag);
	}
}

int pl_thesis_two_level(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const uint64_t n_chunks = pl_masters_count_chunks(call);
	bool no_memory = false;
	struct pl_masters p;

	if (n_chunks > PL_PATTERN_MESSAGES_MAX / call->n_pos)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu chunks are too many for %zu ranks; "
				  "make the chunks larger",
				  (unsigned long long)n_chunks, call->n_pos);
	if (pl_masters_init(&p, call, (size_t)n_chunks, err))
		return -1;
	for (size_t rank = 0; rank < p.n && !no_memory; rank++) {
		struct writer w = {.s = s, .p = &p, .rank = rank};

		pl_script_rank(s, rank);
		write_rank(&w);
		no_memory = w.no_memory;
		for (size_t i = 0; i < 3; i++)
			free(w.queue[i].request);
	}
	pl_masters_fini(&p);
	return no_memory ? pl_err_nomem(err) : 0;
}

/* The hops of a group's members to each that is an LM: count[n] times. */
static int add_local(struct pl_shape *shape, const struct pl_masters *p, const size_t *count,
		     double bytes, struct pl_err *err)
{
	for (size_t lm = 0; lm < p->n; lm++) {
		const size_t g = pl_masters_group_of(p, lm);

		for (size_t r = pl_masters_group_first(p, g); r < pl_masters_group_first(p, g + 1);
		     r++)
			if (r != lm && count[lm] > 0 &&
			    pl_shape_add(shape,
					 (struct pl_hop){.src = (uint32_t)r,
							 .dst = (uint32_t)lm,
							 .group = 0,
							 .times = 1,
							 .bytes = bytes * (double)count[lm]},
					 err))
				return -1;
	}
	return 0;
}

static int add_global(struct pl_shape *shape, const struct pl_masters *p, size_t c, double bytes,
		      struct pl_err *err)
{
	const size_t gm = pl_masters_gm(p, c);

	for (size_t g = 0; g < p->n_groups; g++)
		if (g != p->gm[c] &&
		    pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)pl_masters_lm(p, c, g),
						 .dst = (uint32_t)gm,
						 .group = 1,
						 .times = 1,
						 .bytes = bytes},
				 err))
			return -1;
	return 0;
}

/* As many chunks as ranks make each the GM once: more would add no hop, and no
 * two chunks take the same one between masters. */
int pl_thesis_two_level_shape(struct pl_shape *shape, const struct pl_call *call,
			      struct pl_err *err)
{
	const size_t n = call->n_pos;
	const double bytes = (double)call->bytes / (double)n;
	size_t *count;
	struct pl_masters p;
	int rc = -1;

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = n};
	if (pl_masters_init(&p, call, n, err))
		return -1;
	count = pl_array_create(n, sizeof(*count));
	if (!count) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < p.n_chunks * p.n_groups; i++)
		count[p.lm[i]]++;
	if (add_local(shape, &p, count, bytes, err))
		goto out;
	for (size_t c = 0; c < p.n_chunks; c++)
		if (add_global(shape, &p, c, bytes, err))
			goto out;
	rc = 0;
out:
	free(count);
	pl_masters_fini(&p);
	return rc;
}
