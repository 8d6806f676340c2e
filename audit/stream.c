/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - how far one direction of a TCP connection had come, and when */
#include "config.h"

#include "audit/stream.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* No sender is further ahead of what was not acknowledged (RFC 7323, 2.3), so that a gap further
 * back was there, but not captured. */
#define WINDOW_MAX ((int64_t)1 << 30)

void pl_stream_begin(struct pl_tcp_stream *s, uint32_t seq)
{
	if (s->based)
		return;
	s->based = s->has_syn = true;
	s->base = seq + 1;
}

/* All up to @end is there since @ns. */
static int advance(struct pl_tcp_stream *s, uint64_t end, int64_t ns)
{
	s->next = end;
	/* stamps of one capture rise, but for clocks that are set back */
	if (s->n_points && s->point[s->n_points - 1].ns >= ns) {
		s->point[s->n_points - 1].bytes = end;
		return 0;
	}
	if (pl_array_grow((void **)&s->point, &s->points_room, s->n_points, sizeof(*s->point)))
		return -1;
	s->point[s->n_points++] = (struct pl_point){ns, end};
	return 0;
}

/* Of equals, the one that was there first. */
static bool before(const struct pl_piece *a, const struct pl_piece *b)
{
	if (a->begin != b->begin)
		return a->begin < b->begin;
	return a->ns != b->ns ? a->ns < b->ns : a->end < b->end;
}

/* Keeps a piece for later; nearly always it belongs at the end. */
static int keep(struct pl_tcp_stream *s, struct pl_piece piece)
{
	size_t at = s->n_ahead;

	if (pl_array_grow((void **)&s->ahead, &s->ahead_room, s->n_ahead, sizeof(*s->ahead)))
		return -1;
	for (s->n_ahead++; at > 0 && before(&piece, &s->ahead[(at - 1) / 2]); at = (at - 1) / 2)
		s->ahead[at] = s->ahead[(at - 1) / 2];
	s->ahead[at] = piece;
	return 0;
}

/* Takes out the piece that begins first; there is one. */
static struct pl_piece take_first(struct pl_tcp_stream *s)
{
	const struct pl_piece first = s->ahead[0];
	const struct pl_piece last = s->ahead[--s->n_ahead];
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < s->n_ahead; at = child) {
		if (child + 1 < s->n_ahead && before(&s->ahead[child + 1], &s->ahead[child]))
			child++;
		if (!before(&s->ahead[child], &last))
			break;
		s->ahead[at] = s->ahead[child];
	}
	s->ahead[at] = last;
	return first;
}

/* Takes what now follows without a gap. It is all there since @ns. */
static int take_ahead(struct pl_tcp_stream *s, int64_t ns)
{
	uint64_t end = s->next;

	while (s->n_ahead > 0 && s->ahead[0].begin <= end) {
		const struct pl_piece piece = take_first(s);

		if (piece.end <= end)
			s->again_bytes += piece.end - piece.begin;
		else
			end = piece.end;
	}
	return end > s->next ? advance(s, end, ns) : 0;
}

/* The first gap is given up: what follows it is there. */
static int settle(struct pl_tcp_stream *s)
{
	const struct pl_piece piece = take_first(s);

	if (piece.end <= s->next) {
		s->again_bytes += piece.end - piece.begin;
		return 0;
	}
	if (piece.begin > s->next)
		s->lost_bytes += piece.begin - s->next;
	return advance(s, piece.end, piece.ns);
}

int pl_stream_add(struct pl_tcp_stream *s, struct pl_stream_piece piece)
{
	int64_t begin, end;

	if (!s->based) {
		s->based = true;
		s->base = piece.seq;
	}
	/* sequence numbers wrap: the distance to the next is what counts */
	begin = (int64_t)s->next + (int32_t)(piece.seq - s->base - (uint32_t)s->next);
	end = begin + piece.bytes;
	while (begin > (int64_t)s->next + WINDOW_MAX && s->n_ahead > 0)
		if (settle(s))
			return -1;
	if (end <= (int64_t)s->next) {
		s->again_bytes += piece.bytes;
		return 0;
	}
	if (begin > (int64_t)s->next)
		return keep(s, (struct pl_piece){piece.ns, (uint64_t)begin, (uint64_t)end});
	if (advance(s, (uint64_t)end, piece.ns))
		return -1;
	return take_ahead(s, piece.ns);
}

int pl_stream_end(struct pl_tcp_stream *s)
{
	while (s->n_ahead > 0)
		if (settle(s))
			return -1;
	return 0;
}

void pl_stream_fini(struct pl_tcp_stream *s)
{
	free(s->point);
	free(s->ahead);
	memset(s, 0, sizeof(*s));
}
