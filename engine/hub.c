/* SPDX-License-Identifier: BSD-3-Clause */
/* hub.c - what ranks and hubs tell one another beside the chunks */
#include "config.h"

#include "engine/hub.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define TEXT 200

enum kind { IS_CALL = 1, IS_WHY };

/* In network order; numbers of 64 bits with the upper half first. */
struct message {
	uint32_t kind;
	uint32_t number[2], count[2], patience_ns[2];
	uint32_t schedule, type, op;
	uint32_t what, key, rule, nesterov;
	uint32_t of_rule[8][2]; /* doubles */
	uint32_t staleness, step;
	char text[TEXT]; /* zero at its end */
};

static void put64(uint32_t to[2], uint64_t x)
{
	to[0] = htonl((uint32_t)(x >> 32));
	to[1] = htonl((uint32_t)x);
}

static uint64_t get64(const uint32_t from[2])
{
	return (uint64_t)ntohl(from[0]) << 32 | ntohl(from[1]);
}

static struct message encode(const struct pl_hub_call *call)
{
	const struct pl_update *u = &call->update;
	const double of_rule[] = {u->scale,     u->rate,  u->weight_decay, u->momentum,
				  u->dampening, u->beta1, u->beta2,        u->epsilon};
	struct message m = {.kind = htonl(IS_CALL),
			    .schedule = htonl(call->schedule),
			    .type = htonl(call->type),
			    .op = htonl(call->op),
			    .what = htonl((uint32_t)call->what),
			    .key = htonl(call->key),
			    .rule = htonl((uint32_t)u->rule),
			    .nesterov = htonl(u->nesterov),
			    .staleness = htonl(call->staleness),
			    .step = htonl(call->step)};

	put64(m.number, call->number);
	put64(m.count, call->count);
	put64(m.patience_ns, call->patience_ns);
	for (int i = 0; i < 8; i++) {
		uint64_t bits;

		memcpy(&bits, &of_rule[i], sizeof(bits));
		put64(m.of_rule[i], bits);
	}
	return m;
}

static struct pl_hub_call decode(const struct message *m)
{
	double of_rule[8];

	for (int i = 0; i < 8; i++) {
		const uint64_t bits = get64(m->of_rule[i]);

		memcpy(&of_rule[i], &bits, sizeof(bits));
	}
	return (struct pl_hub_call){.what = (enum pl_hub_what)ntohl(m->what),
				    .number = get64(m->number),
				    .count = get64(m->count),
				    .patience_ns = get64(m->patience_ns),
				    .schedule = ntohl(m->schedule),
				    .type = ntohl(m->type),
				    .op = ntohl(m->op),
				    .key = ntohl(m->key),
				    .staleness = ntohl(m->staleness),
				    .step = ntohl(m->step),
				    .update = {.rule = (enum pl_update_rule)ntohl(m->rule),
					       .nesterov = ntohl(m->nesterov) != 0,
					       .scale = of_rule[0],
					       .rate = of_rule[1],
					       .weight_decay = of_rule[2],
					       .momentum = of_rule[3],
					       .dampening = of_rule[4],
					       .beta1 = of_rule[5],
					       .beta2 = of_rule[6],
					       .epsilon = of_rule[7]}};
}

static bool is_sent(int fd, const struct message *m)
{
	return send(fd, m, sizeof(*m), MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(*m);
}

/* 1: a message is there, and stays; 0: none as yet; -1: the peer has ended, or errno is set. */
static int peek(int fd, struct message *m)
{
	const ssize_t n = recv(fd, m, sizeof(*m), MSG_PEEK | MSG_DONTWAIT);

	errno = n == 0 ? 0 : errno;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		return -1;
	m->text[TEXT - 1] = '\0';
	return n == (ssize_t)sizeof(*m);
}

/* As peek(), and takes it. */
static int receive(int fd, struct message *m)
{
	const int rc = peek(fd, m);

	if (rc > 0 && recv(fd, m, sizeof(*m), MSG_DONTWAIT) != (ssize_t)sizeof(*m))
		return 0;
	m->text[TEXT - 1] = '\0';
	return rc;
}

static bool is_hub(const struct pl_mesh *m, size_t peer)
{
	return m->options.hub && peer >= m->options.first_hub;
}

/* Does the rank exchange chunks with the peer in that schedule? */
static bool meets(const struct pl_program *p, uint32_t peer)
{
	for (size_t k = 0; k < p->first[p->n_slices]; k++)
		if (p->act[k].peer == peer)
			return true;
	return false;
}

int pl_hub_tell(const struct pl_mesh *m, const struct pl_rank_part *part,
		const struct pl_hub_call *call, struct pl_err *err)
{
	const struct message msg = encode(call);
	char name[PL_PEER_CHARS];

	for (uint32_t p = m->options.first_hub; p < m->options.n_ranks; p++)
		if (is_hub(m, p) &&
		    (call->what == PL_HUB_ASYNC ? m->watch[p] >= 0
						: meets(&part->program[call->schedule], p)) &&
		    !is_sent(m->watch[p], &msg))
			return pl_err_set(err, PL_ESYSTEM, "%s has closed its connection",
					  pl_mesh_peer(&m->options, p, name));
	return 0;
}

void pl_hub_tell_why(const struct pl_mesh *m, const char *why)
{
	struct message msg = {.kind = htonl(IS_WHY)};
	const bool to_all = is_hub(m, m->options.rank);

	snprintf(msg.text, sizeof(msg.text), "%s", why);
	for (size_t p = 0; m->watch && p < m->options.n_ranks; p++)
		if (m->watch[p] >= 0 && (to_all || is_hub(m, p)))
			is_sent(m->watch[p], &msg);
}

/* The reason of the peer, after calls that nobody has heard. */
static bool find_why(int fd, struct message *msg)
{
	while (receive(fd, msg) > 0)
		if (msg->kind == htonl(IS_WHY))
			return true;
	return false;
}

void pl_hub_take_why(const struct pl_mesh *m, struct pl_err *err)
{
	char name[PL_PEER_CHARS];
	struct message msg;

	for (uint32_t p = 0; m->watch && p < m->options.n_ranks; p++) {
		if (m->watch[p] < 0 || !find_why(m->watch[p], &msg))
			continue;
		pl_err_set(err, PL_ESYSTEM, "%s: %s", pl_mesh_peer(&m->options, p, name), msg.text);
		return;
	}
}

int pl_hub_ears_init(struct pl_hub_ears *e, const struct pl_mesh *m, struct pl_err *err)
{
	*e = (struct pl_hub_ears){.mesh = m};
	e->ended = pl_array_create(m->options.n_ranks, sizeof(*e->ended));
	return e->ended ? 0 : pl_err_nomem(err);
}

void pl_hub_ears_fini(struct pl_hub_ears *e)
{
	free(e->ended);
	memset(e, 0, sizeof(*e));
}

static bool same_call(const struct pl_hub_call *a, const struct pl_hub_call *b)
{
	struct message x = encode(a), y = encode(b);

	put64(x.patience_ns, 0);
	put64(y.patience_ns, 0);
	return memcmp(&x, &y, sizeof(x)) == 0;
}

/* Compares what a rank says with what others have said of the same call. 1: it is the next one; 0:
 * it is the present one, or was one before. */
static int take(const struct pl_hub_ears *e, uint32_t rank, const struct message *msg,
		struct pl_hub_call *next, struct pl_err *err)
{
	const struct pl_hub_call call = decode(msg);
	const struct pl_hub_call *known = call.number > e->last.number
						  ? next
						  : &e->seen[call.number % (2 * PL_HUB_AHEAD_MAX)];

	if (msg->kind == htonl(IS_WHY))
		return pl_err_set(err, PL_ESYSTEM, "rank %u: %s", rank, msg->text);
	if (msg->kind == htonl(IS_CALL) && known != next && known->number != call.number)
		return 0; /* too long ago to compare */
	if (msg->kind != htonl(IS_CALL) ||
	    ((known != next || known->number > 0) && !same_call(&call, known)))
		return pl_err_set(err, PL_EINPUT, "rank %u calls something else than others", rank);
	if (known == next)
		*next = call;
	return known == next;
}

/* Reads what the rank has said, as far as a call that is not over; @events: as poll(2) says. */
static int hear_rank(struct pl_hub_ears *e, uint32_t rank, short events, struct pl_hub_call *next,
		     struct pl_err *err)
{
	struct message msg;
	int rc;

	while ((rc = receive(e->mesh->watch[rank], &msg)) > 0) {
		rc = take(e, rank, &msg, next, err);
		if (rc)
			return rc < 0 ? -1 : 0;
	}
	if (rc == 0) { /* it may have ended within a message */
		e->ended[rank] = events & POLLRDHUP;
		return 0;
	}
	if (errno != 0 && errno != ECONNRESET)
		return pl_err_errno(err, "cannot reach rank %u", rank);
	e->ended[rank] = true;
	return 0;
}

/* Waits until ranks have something to say; other hubs end with them. Fills fd[]. Returns how many
 * have not ended, or -1. */
static int wait_for_ranks(const struct pl_hub_ears *e, struct pollfd *fd, struct pl_err *err)
{
	const size_t n = e->mesh->options.first_hub;
	int n_open = 0;

	for (size_t p = 0; p < n; p++) {
		const bool open = e->mesh->watch[p] >= 0 && !e->ended[p];

		fd[p] = (struct pollfd){.fd = open ? e->mesh->watch[p] : -1,

					.events = POLLIN | POLLRDHUP};
		n_open += open;
	}
	if (n_open > 0 && poll(fd, n, -1) < 0 && errno != EINTR)
		return pl_err_errno(err, "cannot wait for the ranks");
	return n_open;
}

int pl_hub_hear(struct pl_hub_ears *e, struct pl_err *err)
{
	const size_t n = e->mesh->options.first_hub;
	struct pollfd *fd = pl_array_create(n, sizeof(*fd));
	struct pl_hub_call next = {.number = 0};
	int n_open = 1, rc = fd ? 0 : pl_err_nomem(err);

	while (rc == 0 && next.number == 0 && n_open > 0) {
		n_open = wait_for_ranks(e, fd, err);
		rc = n_open < 0 ? -1 : 0;
		for (uint32_t p = 0; rc == 0 && n_open > 0 && p < n; p++)
			if (fd[p].fd >= 0 && fd[p].revents)
				rc = hear_rank(e, p, fd[p].revents, &next, err);
	}
	free(fd);
	if (rc)
		return -1;
	if (next.number > 0)
		e->last = e->seen[next.number % (2 * PL_HUB_AHEAD_MAX)] = next;
	return next.number > 0;
}

/* Is the message of a call that has been made, or of this ASYNC? */
static bool is_over(const struct pl_hub_ears *e, const struct message *msg)
{
	const struct pl_hub_call call = decode(msg);

	return call.number < e->last.number ||
	       (call.number == e->last.number && call.what == PL_HUB_ASYNC);
}

/* What has come from the rank. 2: nothing as yet; otherwise as pl_hub_hear_rank(). */
static int hear_now(const struct pl_hub_ears *e, uint32_t rank, short events,
		    struct pl_hub_call *call, struct pl_err *err)
{
	const int fd = e->mesh->watch[rank];
	struct pl_hub_call none;
	struct message msg;
	int rc;

	while ((rc = peek(fd, &msg)) > 0) {
		*call = decode(&msg);
		if (msg.kind == htonl(IS_CALL) && !is_over(e, &msg)) {
			if (call->number > e->last.number)
				return 0;
			return receive(fd, &msg);
		}
		if (take(e, rank, &msg, &none, err) < 0)
			return -1;
		receive(fd, &msg);
	}
	if (rc < 0 && errno != 0 && errno != ECONNRESET)
		return pl_err_errno(err, "cannot reach rank %u", rank);
	return rc < 0 || events & POLLRDHUP ? 0 : 2;
}

int pl_hub_hear_rank(const struct pl_hub_ears *e, uint32_t rank, int stop, struct pl_hub_call *call,
		     struct pl_err *err)
{
	struct pollfd fd[2] = {{.fd = e->mesh->watch[rank], .events = POLLIN | POLLRDHUP},
			       {.fd = stop, .events = POLLIN}};
	int rc = 2;

	while (rc == 2) {
		fd[0].revents = fd[1].revents = 0;
		if (poll(fd, 2, -1) < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot wait for rank %u", rank);
		rc = fd[1].revents ? 0 : hear_now(e, rank, fd[0].revents, call, err);
	}
	return rc;
}
