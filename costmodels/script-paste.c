/* SPDX-License-Identifier: BSD-3-Clause */
/* script-paste.c - what a rank does in one script, done again in another */
#include "config.h"

#include "costmodels/script.h"

#include "base/mem.h"

#include <assert.h>

size_t pl_script_messages(const struct pl_script *s)
{
	return s->n_sends;
}

/* The first of a list by position that is not before @pos. */
static size_t first_post(const struct pl_post *list, size_t n, size_t pos)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (list[mid].pos < pos)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static size_t first_work(const struct pl_script *part, size_t pos)
{
	size_t low = 0, high = part->n_work;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (part->work[mid].pos < pos)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Copies those of the list that are of the rank being written. */
static int copy_posts(struct pl_script *s, const struct pl_post *from, size_t n_from,
		      struct pl_paste add, bool sends)
{
	struct pl_post **list = sends ? &s->send : &s->recv;
	size_t *n = sends ? &s->n_sends : &s->n_recvs;
	size_t *room = sends ? &s->sends_room : &s->recvs_room;

	for (size_t i = first_post(from, n_from, s->pos); i < n_from && from[i].pos == s->pos;
	     i++) {
		struct pl_post *p;
		void *array = *list;

		if (pl_array_grow(&array, room, *n, sizeof(**list)))
			return -1;
		*list = array;
		p = &(*list)[(*n)++];
		*p = from[i];
		p->at += p->taking ? add.at : 0;
		p->round += add.round;
		p->tag += add.tag;
		p->step += s->step;
		p->end_step += s->step;
	}
	return 0;
}

/* The rank's step has no work yet, or only that of a part pasted before. */
static int copy_work(struct pl_script *s, const struct pl_script *part)
{
	for (size_t i = first_work(part, s->pos); i < part->n_work && part->work[i].pos == s->pos;
	     i++) {
		void *array = s->work;

		if (pl_array_grow(&array, &s->work_room, s->n_work, sizeof(*s->work)))
			return -1;
		s->work = array;
		s->work[s->n_work] = part->work[i];
		s->work[s->n_work++].step += s->step;
	}
	return 0;
}

void pl_script_paste(struct pl_script *s, const struct pl_script *part, struct pl_paste add)
{
	assert(s->n_pos == part->n_pos && s->pos != SIZE_MAX && !s->used);
	assert(part->pos == SIZE_MAX && !part->joined && part->n_strands == 0);
	s->no_memory |= part->no_memory;
	s->too_long |= part->too_long || s->n_sends > PL_PATTERN_MESSAGES_MAX - part->n_sends;
	if (pl_script_is_over(s))
		return;
	s->no_memory = copy_posts(s, part->send, part->n_sends, add, true) ||
		       copy_posts(s, part->recv, part->n_recvs, add, false) || copy_work(s, part);
	s->step += part->n_steps[s->pos];
}
