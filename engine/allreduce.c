/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - one rank's part in one all-reduce, chunk by chunk */
#include "config.h"

#include "engine/allreduce.h"

#include "base/mem.h"
#include "engine/cut.h"
#include "engine/deal.h"

#include <stdlib.h>
#include <string.h>

#define MERGED_MAX 64 /* bits of a chunk's `merged` */

struct pl_chunk {
	size_t at, n;                           /* elements */
	const struct pl_program_act *act, *end; /* the next, behind the last */
	const struct pl_program_act *sum;       /* before it: finish; NULL: never */
	uint64_t merged;                /* acts from `act` on that are done: bit 0 is the next
					 */
	struct pl_chunk_arrival *early; /* not yet to be used, as they came */
	uint32_t unsent;                /* sends that have not ended */
	uint8_t lane;
	bool own;   /* begins with a send */
	bool empty; /* what is added first becomes its content */
	bool begun, over;
	bool signal; /* has come, or is raised here */
};

size_t pl_allreduce_bytes(const struct pl_allreduce *r, uint32_t chunk)
{
	return chunk < r->n_chunks ? r->chunk[chunk].n * r->call.adder.element_bytes : 0;
}

static unsigned char *data_of(const struct pl_allreduce *r, const struct pl_chunk *c)
{
	return (unsigned char *)r->call.buffer + c->at * r->call.adder.element_bytes;
}

static bool is_merged(const struct pl_chunk *c, const struct pl_program_act *act)
{
	return act - c->act < MERGED_MAX && c->merged >> (act - c->act) & 1;
}

/* The act that takes what comes from the peer now: the next one or, in any order, an add of its
 * round. NULL: none as yet. */
static const struct pl_program_act *taker(const struct pl_allreduce *r, const struct pl_chunk *c,
					  uint32_t peer)
{
	const struct pl_program_act *act = c->act;

	if (c->unsent > 0)
		return NULL;
	for (; act < c->end && act - c->act < MERGED_MAX; act++) {
		if (act->action == PL_SEND_TO || act->round != c->act->round)
			return NULL;
		if (act->peer == peer && !is_merged(c, act))
			return act;
		if (!r->call.any_order)
			return NULL;
	}
	return NULL;
}

static void use(const struct pl_allreduce *r, struct pl_chunk *c, const struct pl_program_act *act,
		const struct pl_chunk_arrival *a)
{
	const struct pl_adder *adder = &r->call.adder;

	if (act->action == PL_ADD_FROM && !c->empty)
		adder->add(data_of(r, c), a->data, c->n, adder->with);
	else if (a->data != data_of(r, c))
		memcpy(data_of(r, c), a->data, c->n * adder->element_bytes);
	c->empty = false;
	c->signal |= a->signal;
	c->merged |= (uint64_t)1 << (act - c->act);
	for (; c->merged & 1; c->merged >>= 1)
		c->act++;
}

/* Uses an early arrival whose turn it is. false: there is none. */
static bool use_early(const struct pl_allreduce *r, struct pl_chunk *c)
{
	for (struct pl_chunk_arrival **at = &c->early; *at; at = &(*at)->next) {
		struct pl_chunk_arrival *a = *at;
		const struct pl_program_act *act = taker(r, c, a->peer);

		if (!act)
			continue;
		use(r, c, act, a);
		*at = a->next;
		pl_chunk_arrival_free(r->transport.spare, a);
		return true;
	}
	return false;
}

unsigned char *pl_allreduce_place(const struct pl_allreduce *r, uint32_t chunk, uint32_t peer)
{
	const struct pl_chunk *c = chunk < r->n_chunks ? &r->chunk[chunk] : NULL;

	const struct pl_program_act *act = c ? taker(r, c, peer) : NULL;
	/* in any order, several may come at once that could be the first */
	const bool is_first = c && c->empty && !r->call.any_order;

	return act && (act->action == PL_REPLACE_FROM || is_first) ? data_of(r, c) : NULL;
}

/* Is more of the chunk to come from the peer than has come early? */
static bool is_expected(const struct pl_chunk *c, uint32_t peer)
{
	size_t n = 0;

	for (const struct pl_program_act *act = c->act; act < c->end; act++)
		n += act->action != PL_SEND_TO && act->peer == peer && !is_merged(c, act);
	for (const struct pl_chunk_arrival *a = c->early; a; a = a->next)
		n -= a->peer == peer;
	return n > 0;
}

static int send_chunk(struct pl_allreduce *r, struct pl_chunk *c, struct pl_err *err)
{
	const uint32_t peer = c->act++->peer;
	const int rc =
		r->transport.send(r->transport.self, peer, (uint32_t)(c - r->chunk), data_of(r, c),
				  c->n * r->call.adder.element_bytes, c->signal, err);

	c->unsent += rc == 0;
	return rc < 0 ? -1 : 0;
}

/* Is the sum there? It is finished once. */
static void finish(const struct pl_allreduce *r, struct pl_chunk *c)
{
	if (c->act != c->sum)
		return;
	r->call.finish(r->call.finish_with, data_of(r, c), c->at, c->n);
	c->sum = NULL;
}

/* Everything that the chunk allows now. Bytes that are being sent are not changed. */
static int advance(struct pl_allreduce *r, struct pl_chunk *c, struct pl_err *err)
{
	for (finish(r, c); c->act < c->end; finish(r, c)) {
		if (c->act->action == PL_SEND_TO) {
			if (send_chunk(r, c, err))
				return -1;
			continue;
		}
		if (!use_early(r, c))
			return 0;
	}
	return 0;
}

/* After an event of the chunk. */
static int go_on(struct pl_allreduce *r, struct pl_chunk *c, struct pl_err *err)
{
	if (advance(r, c, err))
		return -1;
	if (c->act < c->end || c->unsent > 0 || c->over)
		return 0;
	c->over = true;
	r->n_over++;
	r->own_open -= c->own;
	return 0;
}

/* Begins the rank's own chunks, as many as the window allows. */
static int begin_own(struct pl_allreduce *r, struct pl_err *err)
{
	while (r->next_own < r->n_chunks && (r->call.window == 0 || r->own_open < r->call.window)) {
		struct pl_chunk *c = &r->chunk[r->next_own++];

		if (!c->own)
			continue;
		c->begun = true;
		r->own_open++;
		if (go_on(r, c, err))
			return -1;
	}
	return 0;
}

/* One that can be kept. NULL: out of memory. */
static struct pl_chunk_arrival *own_copy(const struct pl_allreduce *r,
					 const struct pl_chunk_arrival *lent, size_t bytes)
{
	struct pl_chunk_arrival *a = pl_chunk_arrival_create(r->transport.spare, bytes);

	if (a) {
		memcpy(a->data, lent->data, bytes);
		a->peer = lent->peer;
		a->signal = lent->signal;
	}
	return a;
}

static int keep_early(const struct pl_allreduce *r, struct pl_chunk *c, struct pl_chunk_arrival *a,
		      struct pl_err *err)
{
	struct pl_chunk_arrival **last;

	if (a->is_lent)
		a = own_copy(r, a, c->n * r->call.adder.element_bytes);
	if (!a)
		return pl_err_nomem(err);
	for (last = &c->early; *last; last = &(*last)->next)
		;
	*last = a;
	return 0;
}

int pl_allreduce_arrived(struct pl_allreduce *r, uint32_t chunk, struct pl_chunk_arrival *arrival,
			 struct pl_err *err)
{
	struct pl_chunk *c = chunk < r->n_chunks ? &r->chunk[chunk] : NULL;
	const struct pl_program_act *act = c ? taker(r, c, arrival->peer) : NULL;

	if (!c || !is_expected(c, arrival->peer)) {
		pl_err_set(
			err, PL_EINPUT,
			"rank %u sent chunk %u, which is not expected: the ranks' buffers differ",
			arrival->peer, chunk);
		pl_chunk_arrival_free(r->transport.spare, arrival);
		return -1;
	}
	if (act) {
		use(r, c, act, arrival);
		pl_chunk_arrival_free(r->transport.spare, arrival);
	} else if (keep_early(r, c, arrival, err)) {
		return -1;
	}
	if (c->own && !c->begun)
		return 0;
	return go_on(r, c, err) ? -1 : begin_own(r, err);
}

int pl_allreduce_sent(struct pl_allreduce *r, uint32_t chunk, struct pl_err *err)
{
	struct pl_chunk *c = &r->chunk[chunk];

	c->unsent--;
	return go_on(r, c, err) ? -1 : begin_own(r, err);
}

/* Leaves of the chunk's acts those of the call's half. */
static void halve(const struct pl_program *p, const struct pl_cut_chunk *cut,
		  const struct pl_allreduce_call *call, struct pl_chunk *c)
{
	const struct pl_program_act *stores = &p->act[p->stores[cut->slice]];

	if (call->half == PL_PUSH_HALF)
		c->end = stores;
	if (call->half == PL_PULL_HALF)
		c->act = stores;
	else if (call->finish && p->owns[cut->slice])
		c->sum = stores;
}

static struct pl_chunk new_chunk(const struct pl_program *p, const struct pl_cut_chunk *cut,
				 const struct pl_allreduce_call *call)
{
	struct pl_chunk c = {
		.at = cut->at,
		.n = cut->n,
		.act = &p->act[p->first[cut->slice]],
		.end = &p->act[p->first[cut->slice + 1]],
		.empty = p->begins_empty,
		.signal = call->signal,
	};

	if (call->half != PL_BOTH_HALVES || call->finish)
		halve(p, cut, call, &c);
	c.own = c.act < c.end && c.act->action == PL_SEND_TO;
	return c;
}

/* Of other threads, that is; they are over at once. */
static void leave(struct pl_allreduce *r)
{
	const struct pl_lane_share *share = &r->transport.share;

	for (size_t i = 0; share->n > 0 && i < r->n_chunks; i++) {
		struct pl_chunk *c = &r->chunk[i];

		if (c->lane % share->n == share->k)
			continue;
		c->act = c->end;
		c->sum = NULL;
		c->own = false;
	}
}

/* Finds the lane of each chunk. */
static int deal(struct pl_allreduce *r, struct pl_cut cut, struct pl_err *err)
{
	const uint32_t *target = r->program->target;
	struct pl_deal_item *item = pl_array_create(r->n_chunks, sizeof(*item));
	uint8_t *lane = pl_array_create(r->n_chunks, sizeof(*lane));
	struct pl_cut_chunk next;
	int rc = item && lane ? 0 : pl_err_nomem(err);

	for (uint32_t i = 0; rc == 0 && pl_cut_next(&cut, &next); i++)
		item[i] = (struct pl_deal_item){
			.group = target ? target[next.slice] : 0, .index = i, .size = next.n};
	if (rc == 0)
		pl_deal(item, r->n_chunks, r->transport.n_lanes, lane);
	for (size_t i = 0; rc == 0 && i < r->n_chunks; i++)
		r->chunk[i].lane = lane[i];
	free(item);
	free(lane);
	return rc;
}

static int make_chunks(struct pl_allreduce *r, struct pl_err *err)
{
	struct pl_cut cut = pl_cut_begin(r->program, r->call.count, r->call.adder.element_bytes,
					 r->call.chunk_bytes);
	const struct pl_cut begin = cut;
	const size_t n = pl_cut_count(&cut);
	struct pl_cut_chunk next;

	if (n > r->transport.chunks_max)
		return pl_err_set(err, PL_EUSAGE, "%zu chunks, more than %zu: make them larger", n,
				  r->transport.chunks_max);
	r->chunk = pl_array_create(n, sizeof(*r->chunk));
	if (!r->chunk)
		return pl_err_nomem(err);
	while (pl_cut_next(&cut, &next))
		r->chunk[r->n_chunks++] = new_chunk(r->program, &next, &r->call);
	if (r->transport.n_lanes > 1 && deal(r, begin, err))
		return -1;
	leave(r);
	return 0;
}

size_t pl_allreduce_lane(const struct pl_allreduce *r, uint32_t chunk)
{
	return r->chunk[chunk].lane;
}

bool pl_allreduce_expects(const struct pl_allreduce *r, uint32_t peer, size_t lane)
{
	for (size_t i = 0; i < r->n_chunks; i++)
		if (r->chunk[i].lane == lane && is_expected(&r->chunk[i], peer))
			return true;
	return false;
}

bool pl_allreduce_signalled(const struct pl_allreduce *r)
{
	bool signal = false;

	for (size_t i = 0; i < r->n_chunks; i++)
		signal |= r->chunk[i].signal;
	return signal;
}

uint32_t pl_allreduce_waits_for(struct pl_allreduce *r)
{
	while (r->n_past < r->n_chunks && r->chunk[r->n_past].over)
		r->n_past++;
	for (size_t i = r->n_past; i < r->n_chunks; i++)
		if (r->chunk[i].act < r->chunk[i].end && r->chunk[i].act->action != PL_SEND_TO)
			return r->chunk[i].act->peer;
	return r->program->rank;
}

void pl_allreduce_fini(struct pl_allreduce *r)
{
	for (size_t i = 0; i < r->n_chunks; i++)
		while (r->chunk[i].early) {
			struct pl_chunk_arrival *a = r->chunk[i].early;

			r->chunk[i].early = a->next;
			pl_chunk_arrival_free(r->transport.spare, a);
		}
	free(r->chunk);
	memset(r, 0, sizeof(*r));
}

int pl_allreduce_init(struct pl_allreduce *r, const struct pl_program *program,
		      struct pl_transport transport, const struct pl_allreduce_call *call,
		      struct pl_err *err)
{
	int rc;

	*r = (struct pl_allreduce){.program = program, .transport = transport, .call = *call};
	rc = make_chunks(r, err);
	for (size_t i = 0; rc == 0 && i < r->n_chunks; i++)
		if (r->chunk[i].act == r->chunk[i].end)
			rc = go_on(r, &r->chunk[i], err);
	if (rc == 0)
		rc = begin_own(r, err);
	if (rc)
		pl_allreduce_fini(r);
	return rc;
}
