/* SPDX-License-Identifier: BSD-3-Clause */
/* connections.c - parcels queue in connections */
#include "config.h"

#include "predict/play.h"

#include "base/mem.h"

static int take_parcel(struct pl_play *y, uint32_t *id)
{
	void *array = y->parcel;

	if (y->free_parcel != PL_NOBODY) {
		*id = y->free_parcel;
		y->free_parcel = y->parcel[*id].next;
		return 0;
	}
	if (pl_array_grow(&array, &y->parcels_room, y->n_parcels, sizeof(*y->parcel)))
		return -1;
	y->parcel = array;
	*id = (uint32_t)y->n_parcels++;
	return 0;
}

void pl_play_drop(struct pl_play *y, uint32_t parcel)
{
	y->parcel[parcel].next = y->free_parcel;
	y->free_parcel = parcel;
}

/* Within a host nothing is shared and nothing queues. */
static int pass_within(struct pl_play *y, uint32_t parcel, double now_s)
{
	const struct pl_parcel *parc = &y->parcel[parcel];
	struct pl_play_message *m = &y->message[parc->message];
	const double took = y->protocol->local_s + y->protocol->local_s_per_byte * parc->bytes;

	if (parc->kind == PL_DATA) {
		m->taken_s = m->begin_s = now_s;
		m->end_s = now_s + took;
		m->bound = PL_BY_LATENCY;
	}
	return pl_play_later(y, now_s + took, PL_ARRIVAL, parcel);
}

/* Which way a parcel goes. */
static uint32_t connection_of(const struct pl_play *y, enum pl_parcel_kind kind, uint32_t message)
{
	const size_t m = message % y->p->n_messages;

	return kind == PL_READY || kind == PL_RECEIPT ? y->back[m] : y->there[m];
}

/* Bytes into a connection. */
static int put(struct pl_play *y, const struct pl_parcel *parc, double now_s)
{
	struct pl_connection *c = &y->connection[parc->connection];
	uint32_t id;

	if (take_parcel(y, &id))
		return -1;
	y->parcel[id] = *parc;
	y->parcel[id].left_bytes = parc->bytes;
	if (y->host_at[c->src] == y->host_at[c->dst])
		return pass_within(y, id, now_s);
	if (c->first == PL_NOBODY && y->bbr)
		pl_bbr_given(&y->bbr[parc->connection], c->under_way_bytes);
	if (c->first == PL_NOBODY)
		c->first = id;
	else
		y->parcel[c->last].next = id;
	c->last = id;
	return pl_play_send(y, parc->connection, now_s);
}

int pl_play_put(struct pl_play *y, enum pl_parcel_kind kind, uint32_t message, double now_s)
{
	struct pl_parcel parc = {.kind = kind,
				 .message = message,
				 .connection = connection_of(y, kind, message),
				 .next = PL_NOBODY,
				 .bytes = (double)y->protocol->control_bytes};

	return put(y, &parc, now_s);
}

int pl_play_put_data(struct pl_play *y, uint32_t message, bool *sent, double now_s)
{
	const struct pl_message *m = &y->p->message[message % y->p->n_messages];
	const size_t src = y->host_at[m->src], dst = y->host_at[m->dst];
	struct pl_parcel parc = {.kind = PL_HEAD,
				 .message = message,
				 .connection = connection_of(y, PL_DATA, message),
				 .next = PL_NOBODY,
				 .bytes = (double)m->bytes - (double)y->protocol->buffer_bytes};

	y->message[message].asked_s = now_s;
	*sent = src == dst || parc.bytes <= 0;
	if (!*sent && put(y, &parc, now_s))
		return -1;
	parc.kind = PL_DATA;
	if (y->protocol->handshake == PL_RENDEZVOUS && pl_play_has_handshake(y, message))
		parc.end_mark_bytes = (double)y->protocol->header_bytes;
	parc.bytes =
		(double)m->bytes + (double)y->protocol->header_bytes - (*sent ? 0 : parc.bytes);
	return put(y, &parc, now_s);
}

int pl_play_head_gone(struct pl_play *y, uint32_t parcel, double now_s)
{
	const uint32_t message = y->parcel[parcel].message;

	pl_play_drop(y, parcel);
	return pl_play_later(y, now_s, PL_SENT, message);
}
