/* SPDX-License-Identifier: BSD-3-Clause */
/* script.c - what the ranks of a collective call, written down */
#include "config.h"

#include "costmodels/script.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOT_WAITED UINT32_MAX

int pl_script_init(struct pl_script *s, size_t n_pos, struct pl_err *err)
{
	memset(s, 0, sizeof(*s));
	if (n_pos > PL_PATTERN_MESSAGES_MAX)
		return pl_err_set(err, PL_EUSAGE, "more than %zu ranks", PL_PATTERN_MESSAGES_MAX);
	s->n_pos = n_pos;
	s->pos = SIZE_MAX;
	s->n_steps = pl_array_create(n_pos, sizeof(*s->n_steps));
	return s->n_steps ? 0 : pl_err_nomem(err);
}

void pl_script_fini(struct pl_script *s)
{
	free(s->send);
	free(s->recv);
	free(s->work);
	free(s->n_steps);
	free(s->strand);
	memset(s, 0, sizeof(*s));
}

static void end_step(struct pl_script *s)
{
	if (s->used)
		s->step++;
	s->used = false;
}

void pl_script_end(struct pl_script *s)
{
	if (s->pos == SIZE_MAX)
		return;
	pl_script_wait_all(s);
	s->n_steps[s->pos] = s->step;
}

void pl_script_rank(struct pl_script *s, size_t pos)
{
	assert(pos < s->n_pos && (s->pos == SIZE_MAX || pos > s->pos));
	pl_script_end(s);
	s->pos = pos;
	s->first_send = s->n_sends;
	s->first_recv = s->n_recvs;
	s->step = s->round = s->tag = 0;
	s->taking = PL_TAKES_NOTHING;
	s->used = false;
}

bool pl_script_is_over(const struct pl_script *s)
{
	return s->too_long || s->no_memory;
}

/* One element more; after a failure nothing is written any more. */
static bool has_room(struct pl_script *s, void **array, size_t *room, size_t used, size_t size)
{
	if (pl_script_is_over(s))
		return false;
	s->too_long = used == PL_PATTERN_MESSAGES_MAX;
	s->no_memory = !s->too_long && pl_array_grow(array, room, used, size);
	return !pl_script_is_over(s);
}

static bool has_strand(const struct pl_script *s)
{
	return s->n_strands > 0 && s->strand[s->n_strands - 1].pos == s->pos;
}

void pl_script_strand(struct pl_script *s, bool held)
{
	void *array = s->strand;

	assert(s->pos != SIZE_MAX && (has_strand(s) || s->step == 0));
	pl_script_wait_all(s);
	if (!has_room(s, &array, &s->strands_room, s->n_strands, sizeof(*s->strand)))
		return;
	s->strand = array;
	/* what a strand does after its last wait is a step, too */
	s->step += has_strand(s);
	s->strand[s->n_strands++] =
		(struct pl_strand){.pos = (uint32_t)s->pos, .first_step = s->step, .held = held};
}

void pl_script_window(struct pl_script *s, size_t window)
{
	s->window = window;
}

void pl_script_round(struct pl_script *s, uint32_t round)
{
	s->round = round;
}

void pl_script_tag(struct pl_script *s, uint32_t tag)
{
	s->tag = tag;
}

void pl_script_buffer(struct pl_script *s, uint64_t bytes, bool gathered)
{
	s->buffer_bytes = gathered ? bytes * s->n_pos : bytes;
	s->gathered = gathered;
}

void pl_script_data(struct pl_script *s, uint64_t at, enum pl_taking taking)
{
	s->send_at = s->recv_at = at;
	s->taking = taking;
}

void pl_script_send_at(struct pl_script *s, uint64_t at)
{
	s->send_at = at;
}

static struct pl_request post(struct pl_script *s, bool is_send, size_t peer, uint64_t bytes)
{
	struct pl_post **list = is_send ? &s->send : &s->recv;
	size_t *n = is_send ? &s->n_sends : &s->n_recvs;
	size_t *room = is_send ? &s->sends_room : &s->recvs_room;
	const uint64_t at = is_send ? s->send_at : s->recv_at;
	void *array = *list;

	assert(s->pos != SIZE_MAX && peer < s->n_pos && peer != s->pos);
	if (!has_room(s, &array, room, *n, sizeof(**list)))
		return (struct pl_request){is_send, SIZE_MAX};
	*list = array;
	(*list)[*n] = (struct pl_post){
		.bytes = bytes,
		.at = s->taking ? at : 0,
		.taking = s->taking,
		.pos = (uint32_t)s->pos,
		.peer = (uint32_t)peer,
		.tag = s->tag,
		.round = s->round,
		.step = s->step,
		.end_step = NOT_WAITED,
	};
	s->used = true;
	return (struct pl_request){is_send, (*n)++};
}

struct pl_request pl_script_isend(struct pl_script *s, size_t dst, uint64_t bytes)
{
	return post(s, true, dst, bytes);
}

struct pl_request pl_script_irecv(struct pl_script *s, size_t src, uint64_t bytes)
{
	return post(s, false, src, bytes);
}

struct pl_request pl_script_issend(struct pl_script *s, size_t dst, uint64_t bytes)
{
	const struct pl_request request = pl_script_isend(s, dst, bytes);

	if (request.index != SIZE_MAX)
		s->send[request.index].synchronous = true;
	return request;
}

static void wait_for(struct pl_script *s, struct pl_post *p)
{
	if (p->end_step == NOT_WAITED) {
		p->end_step = s->step;
		s->used = true;
	}
}

void pl_script_wait(struct pl_script *s, struct pl_request request)
{
	if (request.index == SIZE_MAX) /* could not be posted */
		return;
	wait_for(s, request.is_send ? &s->send[request.index] : &s->recv[request.index]);
	end_step(s);
}

void pl_script_wait_sends(struct pl_script *s)
{
	for (size_t i = s->first_send; i < s->n_sends; i++)
		wait_for(s, &s->send[i]);
	s->first_send = s->n_sends;
	end_step(s);
}

void pl_script_wait_all(struct pl_script *s)
{
	for (size_t i = s->first_send; i < s->n_sends; i++)
		wait_for(s, &s->send[i]);
	for (size_t i = s->first_recv; i < s->n_recvs; i++)
		wait_for(s, &s->recv[i]);
	s->first_send = s->n_sends;
	s->first_recv = s->n_recvs;
	end_step(s);
}

void pl_script_send(struct pl_script *s, size_t dst, uint64_t bytes)
{
	pl_script_wait(s, pl_script_isend(s, dst, bytes));
}

void pl_script_recv(struct pl_script *s, size_t src, uint64_t bytes)
{
	pl_script_wait(s, pl_script_irecv(s, src, bytes));
}

void pl_script_sendrecv(struct pl_script *s, struct pl_exchange x)
{
	const struct pl_request in = pl_script_irecv(s, x.src, x.recv_bytes);
	const struct pl_request out = pl_script_isend(s, x.dst, x.send_bytes);

	if (in.index == SIZE_MAX || out.index == SIZE_MAX)
		return;
	wait_for(s, &s->recv[in.index]);
	pl_script_wait(s, out);
}

static struct pl_work *work(struct pl_script *s)
{
	void *array = s->work;

	end_step(s);
	if (s->n_work > 0 && s->work[s->n_work - 1].pos == s->pos &&
	    s->work[s->n_work - 1].step == s->step)
		return &s->work[s->n_work - 1];
	if (!has_room(s, &array, &s->work_room, s->n_work, sizeof(*s->work)))
		return NULL;
	s->work = array;
	s->work[s->n_work] = (struct pl_work){.pos = (uint32_t)s->pos, .step = s->step};
	return &s->work[s->n_work++];
}

void pl_script_reduce(struct pl_script *s, uint64_t bytes)
{
	struct pl_work *w = work(s);

	if (w)
		w->reduce_bytes += bytes;
}

void pl_script_copy(struct pl_script *s, uint64_t bytes)
{
	struct pl_work *w = work(s);

	if (w)
		w->copy_bytes += bytes;
}

void pl_script_compute(struct pl_script *s, double seconds)
{
	struct pl_work *w = work(s);

	if (w)
		w->compute_s += seconds;
}
