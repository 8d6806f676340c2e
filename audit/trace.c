/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - the TCP streams of one capture */
#include "config.h"

#include "audit/trace.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_AT_FIRST 64

int pl_trace_init(struct pl_trace *t, const char *name, struct pl_err *err)
{
	memset(t, 0, sizeof(*t));
	t->owner = PL_NO_OWNER;
	t->name = pl_string_copy(name, strlen(name));
	t->slot = pl_array_create(SLOTS_AT_FIRST, sizeof(*t->slot));
	if (!t->name || !t->slot) {
		pl_trace_fini(t);
		return pl_err_nomem(err);
	}
	t->n_slots = SLOTS_AT_FIRST;
	return 0;
}

void pl_trace_fini(struct pl_trace *t)
{
	for (size_t i = 0; i < t->n_flows; i++)
		pl_stream_fini(&t->flow[i].stream);
	free(t->flow);
	free(t->slot);
	free(t->name);
	memset(t, 0, sizeof(*t));
}

static bool is_same(const struct pl_tcp_flow *f, const struct pl_segment *s)
{
	return f->src_port == s->src_port && f->dst_port == s->dst_port &&
	       memcmp(&f->src, &s->src, sizeof(s->src)) == 0 &&
	       memcmp(&f->dst, &s->dst, sizeof(s->dst)) == 0;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* Of what tells flows apart, in words of eight bytes. */
static size_t hash(const struct pl_ip *src, const struct pl_ip *dst, uint16_t src_port,
		   uint16_t dst_port)
{
	uint64_t word[4], h = (uint64_t)src_port << 16 | dst_port;

	memcpy(word, src->bytes, 16);
	memcpy(word + 2, dst->bytes, 16);
	for (size_t i = 0; i < 4; i++)
		h = mix(h, word[i]);
	return (size_t)h;
}

static int grow_slots(struct pl_trace *t)
{
	const size_t n = t->n_slots * 2;
	uint32_t *slot = pl_array_create(n, sizeof(*slot));

	if (!slot)
		return -1;
	for (size_t i = 0; i < t->n_slots; i++) {
		const struct pl_tcp_flow *f;
		size_t at;

		if (!t->slot[i])
			continue;
		f = &t->flow[t->slot[i] - 1];
		at = hash(&f->src, &f->dst, f->src_port, f->dst_port) & (n - 1);
		while (slot[at])
			at = (at + 1) & (n - 1);
		slot[at] = t->slot[i];
	}
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	return 0;
}

/* Where the segment's flow is, or would be put. */
static uint32_t *find_slot(struct pl_trace *t, const struct pl_segment *s)
{
	size_t at = hash(&s->src, &s->dst, s->src_port, s->dst_port);

	for (at &= t->n_slots - 1; t->slot[at]; at = (at + 1) & (t->n_slots - 1))
		if (is_same(&t->flow[t->slot[at] - 1], s))
			break;
	return &t->slot[at];
}

/* Does it begin a connection on addresses and ports that were used before? */
static bool is_reborn(const struct pl_tcp_flow *f, const struct pl_segment *s)
{
	return s->syn && f->stream.based && !(f->stream.has_syn && f->stream.base == s->seq + 1);
}

/* The segment's flow, made where there is none. NULL: out of memory. */
static struct pl_tcp_flow *find_flow(struct pl_trace *t, const struct pl_segment *s)
{
	uint32_t *slot;
	struct pl_tcp_flow *f;

	if (t->last < t->n_flows && is_same(&t->flow[t->last], s) && !s->syn)
		return &t->flow[t->last];
	if (t->n_flows + 1 > t->n_slots / 2 && grow_slots(t))
		return NULL;
	slot = find_slot(t, s);
	if (!*slot || is_reborn(&t->flow[*slot - 1], s)) {
		if (t->n_flows >= UINT32_MAX - 1 ||
		    pl_array_grow((void **)&t->flow, &t->flows_room, t->n_flows, sizeof(*t->flow)))
			return NULL;
		f = &t->flow[t->n_flows++];
		*f = (struct pl_tcp_flow){.src = s->src,
					  .dst = s->dst,
					  .src_port = s->src_port,
					  .dst_port = s->dst_port};
		*slot = (uint32_t)t->n_flows;
	}
	t->last = *slot - 1;
	return &t->flow[t->last];
}

static int add_segment(struct pl_trace *t, int64_t ns, const struct pl_segment *s)
{
	struct pl_tcp_flow *f = find_flow(t, s);

	if (!f)
		return -1;
	if (s->syn) {
		pl_stream_begin(&f->stream, s->seq);
		f->is_client |= !s->ack;
		f->is_server |= s->ack;
	}
	if (!s->payload_bytes)
		return 0;
	return pl_stream_add(&f->stream, (struct pl_stream_piece){.seq = s->seq + s->syn,
								  .bytes = s->payload_bytes,
								  .ns = ns});
}

int pl_trace_add(struct pl_trace *t, int64_t ns, struct pl_capture_frame frame,
		 enum pl_capture_link link)
{
	struct pl_segment s;

	t->n_packets++;
	switch (pl_frame_parse(frame, link, &s)) {
	case PL_FRAME_TCP:
		return add_segment(t, ns, &s);
	case PL_FRAME_OTHER:
		break;
	case PL_FRAME_CUT:
		t->n_cut++;
		break;
	case PL_FRAME_FRAGMENT:
		t->n_fragments++;
		break;
	}
	return 0;
}

int pl_trace_end(struct pl_trace *t)
{
	for (size_t i = 0; i < t->n_flows; i++)
		if (pl_stream_end(&t->flow[i].stream))
			return -1;
	return 0;
}
