/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-pattern.c - the messages of an all-reduce by a schedule */
#include "config.h"

#include "engine/schedule-pattern.h"

#include "base/mem.h"
#include "costmodels/script.h"
#include "engine/cut.h"
#include "engine/lane.h"
#include "engine/program.h"

#include <stdlib.h>

struct writer {
	struct pl_script script;
	const struct pl_schedule *schedule;
	uint64_t bytes, element_bytes;
	struct pl_program program;   /* of the rank that is being written */
	struct pl_request *received; /* room for those of a chunk */
};

/* A chunk of the rank: what comes for it is taken at any time, and used in its order. Bytes that
 * are being sent are not changed. */
static void write_chunk(struct writer *w, const struct pl_cut_chunk *c)
{
	const struct pl_program *p = &w->program;
	const struct pl_program_act *first = &p->act[p->first[c->slice]];
	const struct pl_program_act *end = &p->act[p->first[c->slice + 1]];
	const uint64_t bytes = c->n * w->element_bytes;
	const uint64_t at = c->at * w->element_bytes;
	struct pl_script *s = &w->script;
	size_t n = 0;

	for (const struct pl_program_act *a = first; a < end; a++) {
		if (a->action == PL_SEND_TO)
			continue;
		pl_script_data(s, at, a->action == PL_ADD_FROM ? PL_ADDS : PL_STORES);
		w->received[n++] = pl_script_irecv(s, a->peer, bytes);
	}
	n = 0;
	pl_script_data(s, at, PL_STORES);
	for (const struct pl_program_act *a = first; a < end; a++) {
		if (a->action == PL_SEND_TO) {
			pl_script_round(s, a->round);
			pl_script_isend(s, a->peer, bytes);
			continue;
		}
		pl_script_wait_sends(s);
		pl_script_wait(s, w->received[n++]);
		if (a->action == PL_ADD_FROM)
			pl_script_reduce(s, bytes);
		else
			pl_script_copy(s, bytes);
	}
}

static void write_rank(struct writer *w, uint32_t rank)
{
	const struct pl_program *p = &w->program;
	struct pl_cut cut = pl_cut_begin(p, w->bytes / w->element_bytes, w->element_bytes,
					 w->schedule->chunk_bytes);
	struct pl_cut_chunk c;

	pl_script_rank(&w->script, rank);
	for (uint32_t number = 0; pl_cut_next(&cut, &c) && !pl_script_is_over(&w->script);
	     number++) {
		const struct pl_program_act *first = &p->act[p->first[c.slice]];

		if (p->first[c.slice] == p->first[c.slice + 1])
			continue;
		pl_script_strand(&w->script, first->action == PL_SEND_TO);
		pl_script_tag(&w->script, number);
		write_chunk(w, &c);
	}
}

static int check_chunks(const struct writer *w, struct pl_err *err)
{
	const struct pl_cut cut = pl_cut_begin(&w->program, w->bytes / w->element_bytes,
					       w->element_bytes, w->schedule->chunk_bytes);
	const size_t n = pl_cut_count(&cut);

	if (n > PL_LANE_CHUNKS_MAX)
		return pl_err_set(err, PL_EUSAGE, "%zu chunks, more than %u: make them larger", n,
				  PL_LANE_CHUNKS_MAX);
	return 0;
}

static int add_rank(struct writer *w, uint32_t rank, struct pl_err *err)
{
	struct pl_program *p = &w->program;
	int rc = -1;

	if (pl_program_init(p, &w->schedule->slices, rank, err))
		return -1;
	w->received = pl_array_create(p->first[p->n_slices], sizeof(*w->received));
	if (!w->received)
		pl_err_nomem(err);
	else
		rc = check_chunks(w, err);
	if (rc == 0)
		write_rank(w, rank);
	free(w->received);
	pl_program_fini(p);
	return rc;
}

int pl_schedule_pattern_of(struct pl_pattern *p, const struct pl_schedule *s,
			   const struct pl_call *call, struct pl_err *err)
{
	struct writer w = {
		.schedule = s, .bytes = call->bytes, .element_bytes = call->element_bytes};
	int rc = 0;

	if (pl_script_init(&w.script, call->n_pos, err))
		return -1;
	pl_script_buffer(&w.script, call->bytes, false);
	pl_script_window(&w.script, s->window);
	for (uint32_t rank = 0; rc == 0 && rank < call->n_pos; rank++)
		rc = add_rank(&w, rank, err);
	if (rc == 0)
		rc = pl_script_finish(&w.script, p, err);
	pl_script_fini(&w.script);
	return rc;
}

int pl_schedule_pattern(struct pl_pattern *p, const struct pl_schedule *s, size_t n_ranks,
			uint64_t bytes, struct pl_err *err)
{
	const struct pl_call call = {
		.n_pos = n_ranks, .bytes = bytes, .element_bytes = bytes % 4 ? 1 : 4};

	return pl_schedule_pattern_of(p, s, &call, err);
}
