/* SPDX-License-Identifier: BSD-3-Clause */
/* packets.c - parcels cross the network in packets, word of them comes back */
#include "config.h"

#include "predict/play.h"

#include "base/mem.h"

#include <math.h>

/* Into how many packets at most a parcel is cut, whatever TCP would do. Of 16 to 256 this was
 * nearest to the kept measurements (bench/data/predict): with fewer, large messages share a link
 * too coarsely; with more, 8 MiB behind uplinks came out up to 13 % low, for a reason not known. */
#define PACKETS_MAX 64

/* Of a window, so that acknowledgements come all the time, and at least. */
#define WINDOW_SHARE 8

/* Parcels of many windows are cut no finer, each packet then standing for several windows: 2^60
 * bytes have to come to an end, too. */
#define WINDOWED_MAX 4096

static int take_packet(struct pl_play *y, uint32_t *id)
{
	void *array = y->packet;

	if (y->free_packet != PL_NOBODY) {
		*id = y->free_packet;
		y->free_packet = y->packet[*id].next;
		return 0;
	}
	if (pl_array_grow(&array, &y->packets_room, y->n_packets, sizeof(*y->packet)))
		return -1;
	y->packet = array;
	*id = (uint32_t)y->n_packets++;
	return 0;
}

static void drop_packet(struct pl_play *y, uint32_t id)
{
	y->packet[id].next = y->free_packet;
	y->free_packet = id;
}

/* The last byte of a parcel is in. */
static int complete(struct pl_play *y, const struct pl_played_packet *packet, double at_s)
{
	const struct pl_parcel *parc = &y->parcel[packet->parcel];

	if (parc->kind == PL_HEAD)
		return 0;
	if (parc->kind == PL_DATA) {
		y->message[parc->message].bound = (uint8_t)packet->passage.bound;
		y->message[parc->message].end_s = at_s - packet->passage.route->latency_s;
	}
	return pl_play_later(y, at_s, PL_ARRIVAL, packet->parcel);
}

/* The sender has to hear of what arrived when word of the first is there. */
static int await_word(struct pl_play *y, uint32_t connection)
{
	struct pl_connection *c = &y->connection[connection];

	if (c->is_awaited || c->arrived == PL_NOBODY || !(c->blocked || c->n_tell > 0))
		return 0;
	c->is_awaited = true;
	return pl_play_later(y, y->packet[c->arrived].known_s, PL_WORD, connection);
}

/* An acknowledgement sets off. It is no packet: it takes as good as no room, and most of them
 * nobody waits for. */
static int acknowledge(struct pl_play *y, uint32_t id, double at_s)
{
	struct pl_played_packet *packet = &y->packet[id];
	struct pl_connection *c = &y->connection[packet->connection];

	packet->known_s = pl_links_word_s(&y->links, &c->back, at_s);
	packet->next = PL_NOBODY;
	if (c->arrived == PL_NOBODY) {
		c->arrived = id;
	} else {
		struct pl_played_packet *last = &y->packet[c->last_arrived];

		packet->known_s = fmax(packet->known_s, last->known_s);
		last->next = id;
	}
	c->last_arrived = id;
	c->n_tell += packet->tells;
	return await_word(y, packet->connection);
}

/* What the sender has heard of until now. */
static int take_word(struct pl_play *y, struct pl_connection *c, double now_s)
{
	while (c->arrived != PL_NOBODY && y->packet[c->arrived].known_s <= now_s) {
		const uint32_t id = c->arrived;
		const struct pl_played_packet *packet = &y->packet[id];

		c->arrived = packet->next;
		c->n_tell -= packet->tells;
		pl_tcp_acknowledged(y, packet);
		if (packet->tells && pl_play_head_gone(y, packet->parcel, now_s))
			return -1;
		drop_packet(y, id);
	}
	return 0;
}

int pl_play_word(struct pl_play *y, uint32_t connection, double now_s)
{
	y->connection[connection].is_awaited = false;
	if (pl_play_send(y, connection, now_s))
		return -1;
	return await_word(y, connection);
}

int pl_play_paced(struct pl_play *y, uint32_t connection, double now_s)
{
	y->connection[connection].is_paced = false;
	return pl_play_send(y, connection, now_s);
}

/* Is it too soon for the connection's next packet? Then it goes on later. */
static bool is_too_soon(const struct pl_play *y, uint32_t connection, double now_s)
{
	return y->bbr && y->bbr[connection].free_s > now_s;
}

static int wait_for_pace(struct pl_play *y, uint32_t connection)
{
	struct pl_connection *c = &y->connection[connection];

	if (c->is_paced)
		return 0;
	c->is_paced = true;
	return pl_play_later(y, y->bbr[connection].free_s, PL_PACED, connection);
}

/* All its bytes are there at @at_s. */
static int arrive(struct pl_play *y, uint32_t id, double at_s)
{
	struct pl_played_packet *packet = &y->packet[id];

	if (packet->ends && complete(y, packet, at_s))
		return -1;
	if (pl_tcp_has_window(y) || packet->tells)
		return acknowledge(y, id, at_s);
	drop_packet(y, id);
	return 0;
}

/* Up to the next line that it has to stand in, or to the end, whose time is known when the first
 * bit is through the last link. */
int pl_play_packet(struct pl_play *y, uint32_t id, double now_s)
{
	struct pl_passage *p = &y->packet[id].passage;

	while (p->next < p->route->end && p->head_s <= now_s)
		pl_links_pass(&y->links, p);
	if (p->next == p->route->end)
		return arrive(y, id, p->tail_s);
	return pl_play_later(y, p->head_s, PL_PACKET, id);
}

/* What of a parcel fits into the window, 0: it has to wait. */
static double fit(const struct pl_connection *c, const struct pl_parcel *parc, double bytes)
{
	const double window = c->window_bytes;
	const double room = window - c->under_way_bytes;
	const double least = parc->bytes / WINDOWED_MAX;

	if (least > window)
		return c->under_way_bytes > 0 ? 0 : fmin(bytes, least);
	if (room < fmin(parc->left_bytes, fmax(PL_TCP_SEGMENT_BYTES, least)))
		return 0;
	bytes = fmin(bytes, fmax(window / WINDOW_SHARE, fmax(PL_TCP_SEGMENT_BYTES, least)));
	return fmin(bytes, room);
}

/* How much of a parcel the next packet takes: 0 when it may not go yet. */
static double portion(const struct pl_play *y, const struct pl_connection *c,
		      const struct pl_parcel *parc)
{
	const double most = fmax(pl_tcp_burst(y, c), parc->bytes / PACKETS_MAX);
	const double body = parc->left_bytes - parc->end_mark_bytes;
	const double bytes = fmin(body > 0 ? body : parc->left_bytes, most);

	return pl_tcp_has_window(y) ? fit(c, parc, bytes) : bytes;
}

/* Through what the connection has of its own: the rate between its two hosts, which was measured as
 * bytes that arrive, without headers (plink-probe(1)); and of a packet that stands for several
 * windows, a round trip for each. */
static void pass_own(struct pl_play *y, struct pl_connection *c, struct pl_passage *p)
{
	if (c->own.s_per_byte > 0)
		pl_link_pass(&c->own, p);
	if (pl_tcp_has_window(y) && p->bytes > c->window_bytes) {
		struct pl_shared_link windows = {
			.s_per_byte = (c->there.latency_s + c->back.latency_s) / c->window_bytes,
			.free_s = c->own.free_s,
			.bound = PL_BY_TCP,
		};

		pl_link_pass(&windows, p);
		c->own.free_s = windows.free_s;
	}
}

/* A packet of the connection's first parcel enters the network. */
static int send_packet(struct pl_play *y, uint32_t connection, double bytes, double now_s)
{
	struct pl_connection *c = &y->connection[connection];
	struct pl_parcel *parc = &y->parcel[c->first];
	struct pl_played_packet *packet;
	uint32_t id;

	if (take_packet(y, &id))
		return -1;
	packet = &y->packet[id];
	packet->connection = connection;
	packet->parcel = c->first;
	packet->ends = packet->tells = false;
	packet->bytes = bytes;
	packet->sent_s = now_s;
	packet->passage = (struct pl_passage){
		.route = &c->there,
		.next = c->there.first,
		.bytes = bytes,
		.head_s = now_s,
		.tail_s = now_s,
		.bound = c->blocked ? PL_BY_TCP : PL_BY_LATENCY,
	};
	if (y->bbr)
		pl_bbr_send(&y->bbr[connection], bytes, c->under_way_bytes, now_s, &packet->bbr);
	c->under_way_bytes += bytes;
	parc->left_bytes -= bytes;
	if (parc->left_bytes <= 0) {
		packet->ends = true;
		packet->tells = parc->kind == PL_HEAD;
		c->first = parc->next;
	}
	pass_own(y, c, &packet->passage);
	return pl_play_packet(y, id, now_s);
}

int pl_play_send(struct pl_play *y, uint32_t connection, double now_s)
{
	struct pl_connection *c = &y->connection[connection];

	if (take_word(y, c, now_s))
		return -1;
	if (c->first != PL_NOBODY)
		pl_tcp_wake(y, connection, now_s);
	while (c->first != PL_NOBODY) {
		struct pl_parcel *parc = &y->parcel[c->first];
		struct pl_play_message *m = &y->message[parc->message];
		const bool is_data = parc->kind == PL_HEAD || parc->kind == PL_DATA;
		const double bytes = portion(y, c, parc);

		if (is_data && isnan(m->taken_s))
			m->taken_s = now_s;
		if (bytes <= 0 && parc->left_bytes > 0) {
			c->blocked = true;
			return await_word(y, connection);
		}
		if (is_too_soon(y, connection, now_s))
			return wait_for_pace(y, connection);
		if (is_data && isnan(m->begin_s))
			m->begin_s = now_s;
		if (send_packet(y, connection, bytes, now_s))
			return -1;
	}
	c->blocked = false;
	return 0;
}
