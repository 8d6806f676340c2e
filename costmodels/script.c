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
	s->apart = 1;
	s->n_steps = pl_array_create(n_pos, sizeof(*s->n_steps));
	return s->n_steps ? 0 : pl_err_nomem(err);
}

void pl_script_fini(struct pl_script *s)
{
	free(s->send.item);
	free(s->recv.item);
	free(s->work.item);
	free(s->strand.item);
	free(s->n_steps);
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
	s->first_send = s->send.n;
	s->first_recv = s->recv.n;
	s->step = s->round = s->tag = 0;
	s->taking = PL_TAKES_NOTHING;
	s->used = false;
}

bool pl_script_is_over(const struct pl_script *s)
{
	return s->too_long || s->no_memory;
}

bool pl_script_exceeds(struct pl_script *s, uint64_t times, uint64_t messages)
{
	s->too_long |= messages > 0 && times > PL_PATTERN_MESSAGES_MAX / messages;
	return pl_script_is_over(s);
}

static bool make_room(struct pl_script *s, struct pl_list *l, size_t size)
{
	if (l->n == PL_PATTERN_MESSAGES_MAX)
		s->too_long = true;
	else if (pl_array_grow(&l->item, &l->room, l->n, size))
		s->no_memory = true;
	if (l->room > PL_PATTERN_MESSAGES_MAX)
		l->room = PL_PATTERN_MESSAGES_MAX;
	return !pl_script_is_over(s);
}

/* One element more; NULL after a failure, when nothing is written any more. */
static inline void *one_more(struct pl_script *s, struct pl_list *l, size_t size)
{
	if (pl_script_is_over(s) || (l->n == l->room && !make_room(s, l, size)))
		return NULL;
	return (char *)l->item + l->n++ * size;
}

void pl_script_strand(struct pl_script *s, bool held)
{
	const struct pl_strand *last = s->strand.item;
	const bool another = s->strand.n > 0 && last[s->strand.n - 1].pos == s->pos;
	struct pl_strand *strand;

	assert(s->pos != SIZE_MAX && (another || s->step == 0));
	pl_script_wait_all(s);
	/* what a strand does after its last wait is a step, too */
	s->step += another;
	strand = one_more(s, &s->strand, sizeof(*strand));
	if (strand)
		*strand = (struct pl_strand){(uint32_t)s->pos, s->step, held};
}

void pl_script_view(struct pl_script *s, size_t first, size_t apart, size_t swapped)
{
	s->first = first;
	s->apart = apart;
	s->swapped = swapped;
}

static size_t position(const struct pl_script *s, size_t peer)
{
	if (s->swapped && (peer == 0 || peer == s->swapped))
		peer ^= s->swapped;
	return s->first + peer * s->apart;
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
	struct pl_list *list = is_send ? &s->send : &s->recv;
	struct pl_post *p = one_more(s, list, sizeof(*p));

	peer = position(s, peer);
	assert(s->pos != SIZE_MAX && peer < s->n_pos && peer != s->pos);
	if (!p)
		return (struct pl_request){is_send, SIZE_MAX};
	*p = (struct pl_post){
		.pos = (uint32_t)s->pos,
		.peer = (uint32_t)peer,
		.tag = s->tag,
		.round = s->round,
		.step = s->step,
		.end_step = NOT_WAITED,
		.bytes = bytes,
		.at = !s->taking ? 0
		      : is_send  ? s->send_at
				 : s->recv_at,
		.taking = s->taking,
	};
	s->used = true;
	return (struct pl_request){is_send, list->n - 1};
}

struct pl_request pl_script_next(const struct pl_script *s, bool is_send)
{
	return (struct pl_request){is_send, is_send ? s->send.n : s->recv.n};
}

struct pl_request pl_script_isend(struct pl_script *s, size_t dst, uint64_t bytes)
{
	return post(s, true, dst, bytes);
}

struct pl_request pl_script_irecv(struct pl_script *s, size_t src, uint64_t bytes)
{
	return post(s, false, src, bytes);
}

static struct pl_post *posted(const struct pl_script *s, struct pl_request request)
{
	struct pl_post *list = request.is_send ? s->send.item : s->recv.item;

	return &list[request.index];
}

struct pl_request pl_script_issend(struct pl_script *s, size_t dst, uint64_t bytes)
{
	const struct pl_request request = pl_script_isend(s, dst, bytes);

	if (request.index != SIZE_MAX)
		posted(s, request)->synchronous = true;
	return request;
}

static void wait_for(struct pl_script *s, struct pl_request request)
{
	struct pl_post *p = posted(s, request);

	if (p->end_step == NOT_WAITED) {
		p->end_step = s->step;
		s->used = true;
	}
}

void pl_script_wait(struct pl_script *s, struct pl_request request)
{
	if (pl_script_is_over(s)) /* it may not have been posted */
		return;
	wait_for(s, request);
	end_step(s);
}

/* For those of a list from @first on. */
static void wait_from(struct pl_script *s, const struct pl_list *l, size_t *first)
{
	for (struct pl_post *p = l->item; *first < l->n; ++*first)
		if (p[*first].end_step == NOT_WAITED) {
			p[*first].end_step = s->step;
			s->used = true;
		}
}

void pl_script_wait_sends(struct pl_script *s)
{
	wait_from(s, &s->send, &s->first_send);
	end_step(s);
}

void pl_script_wait_all(struct pl_script *s)
{
	wait_from(s, &s->recv, &s->first_recv);
	pl_script_wait_sends(s);
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

	if (pl_script_is_over(s))
		return;
	wait_for(s, in);
	pl_script_wait(s, out);
}

static struct pl_work *work(struct pl_script *s)
{
	struct pl_work *w = s->work.item;

	end_step(s);
	if (s->work.n > 0 && w[s->work.n - 1].pos == s->pos && w[s->work.n - 1].step == s->step)
		return &w[s->work.n - 1];
	w = one_more(s, &s->work, sizeof(*w));
	if (w)
		*w = (struct pl_work){.pos = (uint32_t)s->pos, .step = s->step};
	return w;
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

size_t pl_script_messages(const struct pl_script *s)
{
	return s->send.n;
}

/* ---- scripts put together */

/* Lists begin elements with their rank. */
static uint32_t rank_of(const struct pl_list *l, size_t i, size_t size)
{
	uint32_t pos;

	memcpy(&pos, (const char *)l->item + i * size, sizeof(pos));
	return pos;
}

/* @start[n_pos] is room to work in. */
static int sort_list(struct pl_list *l, size_t size, size_t *start, size_t n_pos)
{
	char *sorted = pl_array_create(l->n, size);
	size_t before = 0;

	if (!sorted)
		return -1;
	memset(start, 0, n_pos * sizeof(*start));
	for (size_t i = 0; i < l->n; i++)
		start[rank_of(l, i, size)]++;
	for (size_t pos = 0; pos < n_pos; pos++) {
		const size_t n = start[pos];

		start[pos] = before;
		before += n;
	}
	for (size_t i = 0; i < l->n; i++)
		memcpy(sorted + start[rank_of(l, i, size)]++ * size,
		       (const char *)l->item + i * size, size);
	free(l->item);
	l->item = sorted;
	l->room = l->n;
	return 0;
}

int pl_script_sort(struct pl_script *s)
{
	size_t *start = pl_array_create(s->n_pos, sizeof(*start));
	const bool sorted = start &&
			    !sort_list(&s->send, sizeof(struct pl_post), start, s->n_pos) &&
			    !sort_list(&s->recv, sizeof(struct pl_post), start, s->n_pos) &&
			    !sort_list(&s->work, sizeof(struct pl_work), start, s->n_pos);

	free(start);
	return sorted ? 0 : -1;
}

/* What of another script goes where. */
struct target {
	const uint32_t *rank; /* its ranks in this one; NULL: the same */
	size_t only;          /* what this rank does; SIZE_MAX: all */
	struct pl_paste add;
};

/* The elements of @l that are of @pos, or all: *first .. *end - 1. */
static void find_range(const struct pl_list *l, size_t size, size_t pos, size_t *first, size_t *end)
{
	size_t low = 0, high = l->n;

	while (pos != SIZE_MAX && low < high) {
		const size_t mid = low + (high - low) / 2;

		if (rank_of(l, mid, size) < pos)
			low = mid + 1;
		else
			high = mid;
	}
	*first = low;
	*end = pos == SIZE_MAX ? l->n : low;
	while (pos != SIZE_MAX && *end < l->n && rank_of(l, *end, size) == pos)
		++*end;
}

/* Behind what their ranks do already. */
static void copy_posts(struct pl_script *s, struct pl_list *to, const struct pl_list *from,
		       const struct target *t)
{
	const struct pl_post *list = from->item;
	size_t i, end;

	for (find_range(from, sizeof(*list), t->only, &i, &end); i < end; i++) {
		struct pl_post *p = one_more(s, to, sizeof(*p));

		if (!p)
			return;
		*p = list[i];
		p->pos = t->rank ? t->rank[p->pos] : p->pos;
		p->peer = t->rank ? t->rank[p->peer] : p->peer;
		p->at += p->taking ? t->add.at : 0;
		p->round += t->add.round;
		p->tag += t->add.tag;
		p->step += s->n_steps[p->pos];
		p->end_step += s->n_steps[p->pos];
	}
}

static void copy_script(struct pl_script *s, const struct pl_script *from, const struct target *t)
{
	const struct pl_work *list = from->work.item;
	size_t i, end;

	s->no_memory |= from->no_memory;
	s->too_long |= from->too_long || s->send.n + from->send.n > PL_PATTERN_MESSAGES_MAX;
	copy_posts(s, &s->send, &from->send, t);
	copy_posts(s, &s->recv, &from->recv, t);
	for (find_range(&from->work, sizeof(*list), t->only, &i, &end); i < end; i++) {
		struct pl_work *w = one_more(s, &s->work, sizeof(*w));

		if (!w)
			return;
		*w = list[i];
		w->pos = t->rank ? t->rank[w->pos] : w->pos;
		w->step += s->n_steps[w->pos];
	}
}

/* What a rank does last and what it does then are one piece of work. */
static void join_work(struct pl_list *l)
{
	struct pl_work *list = l->item;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (n > 0 && list[n - 1].pos == list[i].pos && list[n - 1].step == list[i].step) {
			list[n - 1].reduce_bytes += list[i].reduce_bytes;
			list[n - 1].copy_bytes += list[i].copy_bytes;
			list[n - 1].compute_s += list[i].compute_s;
		} else {
			list[n++] = list[i];
		}
	l->n = n;
}

void pl_script_append(struct pl_script *s, struct pl_script *next)
{
	const bool first = !s->send.n && !s->recv.n && !s->work.n;
	const struct pl_post *sent = s->send.item;
	struct target t = {.only = SIZE_MAX};

	assert(s->n_pos == next->n_pos);
	pl_script_end(s);
	pl_script_end(next);
	s->strand.n = 0; /* their steps are numbered through */
	for (size_t i = 0; i < s->send.n; i++)
		if (sent[i].round >= t.add.round)
			t.add.round = sent[i].round + 1;
	copy_script(s, next, &t);
	if (pl_script_is_over(s))
		return;
	s->no_memory = (!first || next->joined) && pl_script_sort(s);
	join_work(&s->work);
	for (size_t k = 0; k < s->n_pos; k++)
		s->n_steps[k] += next->n_steps[k];
	/* no rank is being written: pl_script_end must find nothing to end */
	s->pos = SIZE_MAX;
}

void pl_script_paste(struct pl_script *s, const struct pl_script *part, struct pl_paste add)
{
	const struct target t = {.only = s->pos, .add = add};

	assert(s->n_pos == part->n_pos && s->pos != SIZE_MAX && !s->used);
	assert(part->pos == SIZE_MAX && !part->joined && part->strand.n == 0);
	s->n_steps[s->pos] = s->step;
	copy_script(s, part, &t);
	if (!pl_script_is_over(s))
		s->step += part->n_steps[s->pos];
}

void pl_script_join(struct pl_script *s, struct pl_script *part, const uint32_t *rank)
{
	const struct target t = {.rank = rank, .only = SIZE_MAX};

	assert(s->strand.n == 0);
	pl_script_end(part);
	s->joined = true;
	copy_script(s, part, &t);
	for (size_t i = 0; i < part->n_pos; i++) {
		assert(s->n_steps[rank[i]] == 0);
		s->n_steps[rank[i]] = part->n_steps[i];
	}
}
