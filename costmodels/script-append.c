/* SPDX-License-Identifier: BSD-3-Clause */
/* script-append.c - one collective after the other, as its ranks run them */
#include "config.h"

#include "costmodels/script.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t rounds(const struct pl_script *s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s->n_sends; i++)
		if (s->send[i].round >= n)
			n = s->send[i].round + 1;
	return n;
}

/* Those of @next become those of ranks that have gone through @s. */
static void shift(const struct pl_script *s, struct pl_script *next)
{
	const uint32_t round = rounds(s);

	for (size_t i = 0; i < next->n_sends; i++) {
		struct pl_post *p = &next->send[i];

		p->round += round;
		p->step += s->n_steps[p->pos];
		p->end_step += s->n_steps[p->pos];
	}
	for (size_t i = 0; i < next->n_recvs; i++) {
		struct pl_post *p = &next->recv[i];

		p->round += round;
		p->step += s->n_steps[p->pos];
		p->end_step += s->n_steps[p->pos];
	}
	for (size_t i = 0; i < next->n_work; i++)
		next->work[i].step += s->n_steps[next->work[i].pos];
}

/* Both lists by position; of one position, first those of @a. */
static struct pl_post *merge_posts(const struct pl_post *a, size_t n_a, const struct pl_post *b,
				   size_t n_b)
{
	struct pl_post *out = pl_array_create(n_a + n_b, sizeof(*out));
	size_t i = 0, k = 0;

	while (out && i + k < n_a + n_b)
		if (k == n_b || (i < n_a && a[i].pos <= b[k].pos)) {
			out[i + k] = a[i];
			i++;
		} else {
			out[i + k] = b[k];
			k++;
		}
	return out;
}

/* As above. What @a does last and @b first is one piece of work. */
static struct pl_work *merge_work(const struct pl_work *a, size_t n_a, const struct pl_work *b,
				  size_t n_b, size_t *n_out)
{
	struct pl_work *out = pl_array_create(n_a + n_b, sizeof(*out));
	size_t i = 0, k = 0, n = 0;

	while (out && i + k < n_a + n_b) {
		const bool first = k == n_b || (i < n_a && a[i].pos <= b[k].pos);
		const struct pl_work w = first ? a[i++] : b[k++];

		if (n > 0 && out[n - 1].pos == w.pos && out[n - 1].step == w.step) {
			out[n - 1].reduce_bytes += w.reduce_bytes;
			out[n - 1].copy_bytes += w.copy_bytes;
			out[n - 1].compute_s += w.compute_s;
		} else {
			out[n++] = w;
		}
	}
	*n_out = n;
	return out;
}

static int take_posts(struct pl_post **list, size_t *n, size_t *room, const struct pl_post *more,
		      size_t n_more)
{
	struct pl_post *merged = merge_posts(*list, *n, more, n_more);

	if (!merged)
		return -1;
	free(*list);
	*list = merged;
	*n += n_more;
	*room = *n;
	return 0;
}

static int take_work(struct pl_script *s, const struct pl_script *next)
{
	size_t n;
	struct pl_work *merged = merge_work(s->work, s->n_work, next->work, next->n_work, &n);

	if (!merged)
		return -1;
	free(s->work);
	s->work = merged;
	s->n_work = n;
	s->work_room = n;
	return 0;
}

void pl_script_append(struct pl_script *s, struct pl_script *next)
{
	assert(s->n_pos == next->n_pos);
	pl_script_end(s);
	pl_script_end(next);
	s->n_strands = 0; /* their steps are numbered through */
	s->no_memory |= next->no_memory;
	s->too_long |= next->too_long || s->n_sends + next->n_sends > PL_PATTERN_MESSAGES_MAX;
	if (s->no_memory || s->too_long)
		return;
	if (next->joined && pl_script_sort(next)) {
		s->no_memory = true;
		return;
	}
	shift(s, next);
	if (take_posts(&s->send, &s->n_sends, &s->sends_room, next->send, next->n_sends) ||
	    take_posts(&s->recv, &s->n_recvs, &s->recvs_room, next->recv, next->n_recvs) ||
	    take_work(s, next)) {
		s->no_memory = true;
		return;
	}
	for (size_t k = 0; k < s->n_pos; k++)
		s->n_steps[k] += next->n_steps[k];
	/* no rank is being written: pl_script_end must find nothing to end */
	s->pos = SIZE_MAX;
}
