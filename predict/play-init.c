/* SPDX-License-Identifier: BSD-3-Clause */
/* play-init.c - a pattern made ready to be played: steps, connections */
#include "config.h"

#include "predict/play.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_steps(struct pl_play *y)
{
	const struct pl_pattern *p = y->p;

	y->step_from = pl_array_create(p->n_pos + 1, sizeof(*y->step_from));
	y->strand_from = pl_array_create(p->n_pos + 1, sizeof(*y->strand_from));
	if (!y->step_from || !y->strand_from)
		return -1;
	for (size_t pos = 0; pos < p->n_pos; pos++)
		y->step_from[pos + 1] = y->step_from[pos] + p->n_steps[pos] + 1;
	y->n_steps = y->step_from[p->n_pos];
	return 0;
}

/* Those of the pattern; a position without any becomes one. */
static void list_strands(struct pl_play *y)
{
	const struct pl_pattern *p = y->p;
	size_t n = 0, k = 0;

	for (uint32_t pos = 0; pos < p->n_pos; pos++) {
		const size_t first = n;

		for (; k < p->n_strands && p->strand[k].pos == pos; k++)
			y->strand[n++] =
				(struct pl_play_strand){.pos = pos,
							.first_step = p->strand[k].first_step,
							.held = p->strand[k].held};
		if (n == first)
			y->strand[n++] = (struct pl_play_strand){.pos = pos};
		for (size_t i = first; i < n; i++)
			y->strand[i].end_step =
				i + 1 < n ? y->strand[i + 1].first_step - 1 : p->n_steps[pos];
		y->strand_from[pos + 1] = n;
	}
}

/* Where the sends, receives and work of each strand of a position begin. */
static void find_first(struct pl_play *y, size_t pos, size_t *work)
{
	const struct pl_pattern *p = y->p;
	size_t send = p->from[pos], recv = p->into[pos];

	for (size_t i = y->strand_from[pos]; i < y->strand_from[pos + 1]; i++) {
		struct pl_play_strand *s = &y->strand[i];

		s->first_send = send;
		s->first_recv = recv;
		s->first_work = *work;
		while (send < p->from[pos + 1] && p->message[send].send_step <= s->end_step)
			send++;
		while (recv < p->into[pos + 1] &&
		       p->message[p->received[recv]].recv_step <= s->end_step)
			recv++;
		while (*work < p->n_work && p->work[*work].pos == pos &&
		       p->work[*work].step <= s->end_step)
			++*work;
		for (uint32_t k = s->first_step; k <= s->end_step; k++)
			y->strand_of[y->step_from[pos] + k] = (uint32_t)i;
	}
}

static int make_strands(struct pl_play *y)
{
	const struct pl_pattern *p = y->p;
	size_t work = 0;

	y->strand = pl_array_create(p->n_strands + p->n_pos, sizeof(*y->strand));
	y->strand_of = pl_array_create(y->n_steps, sizeof(*y->strand_of));
	if (!y->strand || !y->strand_of)
		return -1;
	list_strands(y);
	for (size_t pos = 0; pos < p->n_pos; pos++)
		find_first(y, pos, &work);
	return 0;
}

/* What is to be waited for, and that all has been posted. */
static int fill_steps(struct pl_play *y)
{
	const size_t n = y->n_calls * y->n_steps;

	y->open = pl_array_create(n, sizeof(*y->open));
	y->cause = pl_array_create(n, sizeof(*y->cause));
	if (!y->open || !y->cause)
		return -1;
	for (size_t i = 0; i < n; i++) {
		y->open[i] = 1;
		y->cause[i] = PL_NOBODY;
	}
	for (uint32_t call = 0; call < y->n_calls; call++)
		for (size_t i = 0; i < y->p->n_messages; i++) {
			const struct pl_message *m = &y->p->message[i];

			y->open[pl_play_step(y, call, m->src, m->sent_step)]++;
			y->open[pl_play_step(y, call, m->dst, m->received_step)]++;
		}
	return 0;
}

static size_t connections_of(const struct pl_play *y)
{
	return y->protocol->connections ? y->protocol->connections : 1;
}

/* The connection to @peer for messages of @tag, made where there is none;
 * room[n_pos * connections] knows those of this position. NULL: out of
 * memory. */
static uint32_t *connect_to(struct pl_play *y, uint32_t *room, uint32_t pos, uint32_t peer,
			    uint32_t tag, size_t *limit)
{
	const size_t n = connections_of(y);
	uint32_t *found = &room[peer * n + tag % n];
	void *array = y->connection;

	if (*found != PL_NOBODY)
		return found;
	if (pl_array_grow(&array, limit, y->n_connections, sizeof(*y->connection)))
		return NULL;
	y->connection = array;
	*found = (uint32_t)y->n_connections;
	y->connection[y->n_connections++] = (struct pl_connection){
		.src = pos,
		.dst = peer,
		.first = PL_NOBODY,
		.last = PL_NOBODY,
		.arrived = PL_NOBODY,
		.quiet_s = -INFINITY,
	};
	return found;
}

/* Both ways between all that exchange messages. */
static int connect_all(struct pl_play *y, uint32_t *room)
{
	const struct pl_pattern *p = y->p;
	size_t limit = 0;

	for (uint32_t pos = 0; pos < p->n_pos; pos++) {
		for (size_t i = 0; i < p->n_pos * connections_of(y); i++)
			room[i] = PL_NOBODY;
		for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++) {
			const struct pl_message *m = &p->message[i];
			const uint32_t *found = connect_to(y, room, pos, m->dst, m->tag, &limit);

			if (!found)
				return -1;
			y->there[i] = *found;
		}
		for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++) {
			const uint32_t m = p->received[i];
			const uint32_t *found = connect_to(y, room, pos, p->message[m].src,
							   p->message[m].tag, &limit);

			if (!found)
				return -1;
			y->back[m] = *found;
		}
	}
	return 0;
}

static int make_connections(struct pl_play *y)
{
	uint32_t *room = pl_array_create(y->p->n_pos * connections_of(y), sizeof(*room));
	int rc = -1;

	y->there = pl_array_create(y->p->n_messages, sizeof(*y->there));
	y->back = pl_array_create(y->p->n_messages, sizeof(*y->back));
	if (room && y->there && y->back)
		rc = connect_all(y, room);
	free(room);
	return rc;
}

/* The ways of a connection, there and back. */
static int route_one(struct pl_play *y, struct pl_connection *c)
{
	const size_t src = y->host_at[c->src], dst = y->host_at[c->dst];

	if (src == dst)
		return 0;
	if (y->net->bytes_per_s)
		c->own = (struct pl_shared_link){
			.s_per_byte = 1 / y->net->bytes_per_s[src * y->net->n + dst],
			.bound = PL_BY_PAIR,
		};
	return pl_links_route(&y->links, src, dst, &c->there) ||
	       pl_links_route(&y->links, dst, src, &c->back);
}

static int route_all(struct pl_play *y)
{
	int rc = pl_links_init(&y->links, y->net, y->protocol->rate_share);

	for (size_t i = 0; rc == 0 && i < y->n_connections; i++)
		rc = route_one(y, &y->connection[i]);
	return rc ? -1 : 0;
}

static int make_messages(struct pl_play *y)
{
	const size_t n = y->n_calls * y->p->n_messages;

	y->message = pl_array_create(n, sizeof(*y->message));
	for (size_t i = 0; y->message && i < n; i++)
		y->message[i] = (struct pl_play_message){
			.posted_s = NAN,
			.recv_s = NAN,
			.asked_s = NAN,
			.taken_s = NAN,
			.begin_s = NAN,
			.end_s = NAN,
			.arrived_s = NAN,
			.done_s = NAN,
		};
	return y->message ? 0 : -1;
}

/* What messages cost a rank that shares the host's cores with others. With a share of a processor,
 * work takes that much longer: others have their turns meanwhile, which is when by chance. A rank
 * that polls gives its turn away where ranks are more than cores, and has to be woken up, too. */
static void set_costs(struct pl_play_rank *r, const struct pl_message_cost *c, double n_ranks,
		      enum pl_waiting waits)
{
	const double turns = c->cores > 0 ? fmax(n_ranks / c->cores, 1) : 1;

	if (waits == PL_COSTS_NOTHING)
		return;
	r->send_s = c->send_s;
	r->recv_s = c->recv_s;
	r->wait_s = waits == PL_SLEEPS || turns > 1 ? c->wake_s : 0;
	r->chance_s = (r->wait_s > 0 ? c->spread_s : 0) +
		      (r->send_s + r->recv_s + r->wait_s) * (turns / c->share - 1);
}

static int find_costs(struct pl_play *y)
{
	const struct pl_message_cost usual = PL_MESSAGE_COST_DEFAULT;
	size_t *n_ranks = pl_array_create(y->net->n, sizeof(*n_ranks));

	if (!n_ranks)
		return -1;
	for (size_t pos = 0; pos < y->p->n_pos; pos++)
		n_ranks[y->host_at[pos]]++;
	for (size_t pos = 0; pos < y->p->n_pos; pos++) {
		const size_t host = y->host_at[pos];
		struct pl_play_rank *r = &y->rank[pos];

		set_costs(r, y->net->cost ? &y->net->cost[host] : &usual, (double)n_ranks[host],
			  y->protocol->waits);
		y->varies |= r->chance_s > 0;
		y->shared |= r->chance_s > r->send_s + r->recv_s;
	}
	free(n_ranks);
	return 0;
}

int pl_play_init(struct pl_play *y, const struct pl_pattern *p, const size_t *host_at,
		 const struct pl_network *net, const struct pl_protocol *protocol, uint32_t n_calls)
{
	memset(y, 0, sizeof(*y));
	y->p = p;
	y->host_at = host_at;
	y->net = net;
	y->protocol = protocol;
	y->n_calls = n_calls;
	y->n_running = p->n_pos;
	y->free_parcel = y->free_packet = PL_NOBODY;
	y->rank = pl_array_create(p->n_pos, sizeof(*y->rank));
	y->ended_s = pl_array_create(n_calls * p->n_pos, sizeof(*y->ended_s));
	if (!y->rank || !y->ended_s || count_steps(y) || make_strands(y) || fill_steps(y) ||
	    find_costs(y) || make_connections(y) || route_all(y) || pl_tcp_init(y))
		return -1;
	return make_messages(y);
}

void pl_play_fini(struct pl_play *y)
{
	pl_events_fini(&y->events);
	pl_links_fini(&y->links);
	free(y->message);
	free(y->rank);
	free(y->strand);
	free(y->strand_from);
	free(y->strand_of);
	free(y->step_from);
	free(y->open);
	free(y->cause);
	free(y->ended_s);
	free(y->connection);
	free(y->bbr);
	free(y->there);
	free(y->back);
	free(y->parcel);
	free(y->packet);
	memset(y, 0, sizeof(*y));
}
