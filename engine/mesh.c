/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c - the connections of a rank to those that it exchanges chunks with */
#include "config.h"

#include "engine/mesh.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/visitors.h"
#include "engine/hello.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const char *hub_of(const struct pl_mesh_options *o, uint32_t peer)
{
	return o->hub && peer >= o->first_hub ? o->hub[peer - o->first_hub] : NULL;
}

const char *pl_mesh_peer(const struct pl_mesh_options *o, uint32_t peer, char buf[PL_PEER_CHARS])
{
	return pl_peer_text(buf, peer, hub_of(o, peer));
}

/* For the arguments of one call. */
#define PEER(m, peer) pl_mesh_peer(&(m)->options, peer, (char[PL_PEER_CHARS]){0})

static socklen_t length_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
					      : sizeof(struct sockaddr_in);
}

int pl_mesh_listen(struct pl_mesh *m, const struct pl_mesh_options *options,
		   struct sockaddr_storage *address, struct pl_err *err)
{
	socklen_t length = length_of(address);
	const size_t n = options->n_ranks * options->n_lanes;

	*m = (struct pl_mesh){.options = *options, .listener = -1, .epoll = -1};
	m->lane = pl_array_create(n, sizeof(*m->lane));
	m->watch = pl_array_create(options->n_ranks, sizeof(*m->watch));
	m->shared = pl_array_create(n, sizeof(*m->shared));
	if (!m->lane || !m->watch || !m->shared) {
		free(m->lane);
		free(m->watch);
		free(m->shared);
		*m = (struct pl_mesh){.listener = -1, .epoll = -1};
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i < n; i++)
		m->lane[i].fd = -1;
	for (size_t i = 0; i < options->n_ranks; i++)
		m->watch[i] = -1;
	m->epoll = epoll_create1(EPOLL_CLOEXEC);
	m->listener = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (m->epoll < 0 || m->listener < 0 ||
	    bind(m->listener, (struct sockaddr *)address, length) ||
	    listen(m->listener, SOMAXCONN) ||
	    getsockname(m->listener, (struct sockaddr *)address, &length)) {
		pl_err_errno(err, "cannot listen");
		pl_mesh_fini(m);
		return -1;
	}
	return 0;
}

static void end_connections(struct pl_mesh *m)
{
	for (size_t i = 0; m->lane && i < m->options.n_ranks * m->options.n_lanes; i++)
		pl_lane_fini(&m->lane[i]);
	for (size_t i = 0; m->watch && i < m->options.n_ranks; i++)
		if (m->watch[i] >= 0)
			close(m->watch[i]);
	free(m->lane);
	free(m->watch);
}

void pl_mesh_fini(struct pl_mesh *m)
{
	if (!m->is_view)
		end_connections(m);
	free(m->shared);
	if (m->listener >= 0)
		close(m->listener);
	if (m->epoll >= 0)
		close(m->epoll);
	*m = (struct pl_mesh){.listener = -1, .epoll = -1};
}

static void set_option(int fd, int level, int name, int value)
{
	setsockopt(fd, level, name, &value, sizeof(value));
}

/* What ranks tell hubs on the watched connection is read between calls, and ends no watch. */
static void add_watch(const struct pl_mesh *m, uint32_t peer, int fd)
{
	const struct pl_mesh_options *o = &m->options;
	struct epoll_event event = {.events = o->hub ? EPOLLRDHUP : EPOLLIN,
				    .data.u64 = o->n_ranks * o->n_lanes + peer};

	epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* What is not answered for 20 s is asked for 40 s more. */
static void watch(struct pl_mesh *m, uint32_t peer, int fd)
{
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 20);
	set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
	set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
	add_watch(m, peer, fd);
	m->watch[peer] = fd;
}

int pl_mesh_view(struct pl_mesh *view, const struct pl_mesh *m, struct pl_mesh_share share,
		 struct pl_err *err)
{
	const size_t n = m->options.n_ranks * m->options.n_lanes;

	*view = *m;
	view->share = share;
	view->is_view = true;
	view->n_shared = 0;
	view->listener = -1;
	view->shared = pl_array_create(n, sizeof(*view->shared));
	view->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!view->shared || view->epoll < 0) {
		pl_err_errno(err, "no view of the connections");
		pl_mesh_fini(view);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};

		if (m->lane[i].fd < 0 || !pl_mesh_serves(view, i))
			continue;
		epoll_ctl(view->epoll, EPOLL_CTL_ADD, m->lane[i].fd, &event);
		if (m->lane[i].shared)
			view->shared[view->n_shared++] = i;
	}
	for (uint32_t p = 0; p < m->options.n_ranks; p++)
		if (m->watch[p] >= 0 && (share.one_peer ? p == share.peer : share.lanes.k == 0))
			add_watch(view, p, m->watch[p]);
	return 0;
}

void pl_mesh_stop(const struct pl_mesh *m)
{
	for (size_t i = 0; i < m->options.n_ranks * m->options.n_lanes; i++)
		if (m->lane[i].fd >= 0)
			shutdown(m->lane[i].fd, SHUT_RDWR);
}

int pl_mesh_watch(const struct pl_mesh *m, size_t at, struct pl_err *err)
{
	const size_t peer = at - m->options.n_ranks * m->options.n_lanes;
	int failed = 0;
	socklen_t length = sizeof(failed);

	getsockopt(m->watch[peer], SOL_SOCKET, SO_ERROR, &failed, &length);
	epoll_ctl(m->epoll, EPOLL_CTL_DEL, m->watch[peer], NULL);
	if (!failed || failed == EPIPE || failed == ECONNRESET)
		return 0;
	errno = failed;
	return pl_err_errno(err, "cannot reach %s", PEER(m, (uint32_t)peer));
}

/* Of connections to a peer, the last is to be watched. */
static int fd_of(const struct pl_mesh *m, uint32_t peer, size_t k)
{
	return k == m->options.n_lanes ? m->watch[peer] : m->lane[peer * m->options.n_lanes + k].fd;
}

/* Takes the descriptor and @memory, which may be NULL. */
static void keep(struct pl_mesh *m, uint32_t peer, size_t k, int fd, struct pl_fifo_memory *memory)
{
	const size_t at = peer * m->options.n_lanes + k;
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = at};

	if (k == m->options.n_lanes) {
		watch(m, peer, fd);
		return;
	}
	if (memory)
		m->shared[m->n_shared++] = at;
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &event);
	m->lane[at] =
		(struct pl_lane){.fd = fd,
				 .peer = peer,
				 .hub = hub_of(&m->options, peer),
				 .shared = memory,
				 .out = {.memory = memory, .direction = m->options.rank < peer},
				 .in = {.memory = memory, .direction = m->options.rank > peer}};
}

/* A rank at its door: hears who comes while it goes to others itself. */
struct door {
	struct pl_mesh *m;
	const bool *is_peer;
	size_t n_missing; /* connections of those that come */
	int64_t deadline_ns;
	struct pl_visitors visitors;
	struct pl_err why; /* code not 0: a peer has another schedule */
};

static int out_of_time(const struct door *d, uint32_t peer, struct pl_err *err)
{
	const struct pl_err *trouble = &d->visitors.trouble;

	return pl_err_set(err, PL_ESYSTEM, "%s has not come in time%s%s", PEER(d->m, peer),
			  trouble->code ? ": " : "", trouble->code ? trouble->text : "");
}

/* Answers the peer that said @h; *memory is what both share then, or NULL. */
static bool answer_to(struct pl_mesh *m, const struct pl_hello *h, int fd,
		      struct pl_fifo_memory **memory)
{
	struct pl_hello answer = pl_hello_of(&m->options, ntohl(h->lane));

	if (pl_hello_may_share(&m->options, ntohl(h->lane), fd))
		*memory = pl_fifo_memory_open(&h->memory);
	if (*memory)
		answer.memory = h->memory;
	if (pl_hello_send(fd, &answer))
		return true;
	pl_fifo_memory_destroy(*memory);
	return false;
}

/* A peer has come, or a stranger. */
static enum pl_visit hear(void *with, struct pl_visitor *v)
{
	struct door *d = with;
	struct pl_mesh *m = d->m;
	const struct pl_hello *h = (const struct pl_hello *)v->said;
	struct pl_fifo_memory *memory = NULL;

	if (!pl_hello_has_key(h, &m->options) || ntohl(h->rank) >= m->options.n_ranks ||
	    ntohl(h->rank) <= m->options.rank || ntohl(h->lane) > m->options.n_lanes ||
	    !d->is_peer[ntohl(h->rank)] || fd_of(m, ntohl(h->rank), ntohl(h->lane)) >= 0 ||
	    !answer_to(m, h, v->fd, &memory))
		return PL_VISIT_ENDS;
	if (pl_hello_check(h, &m->options, &d->why)) {
		pl_fifo_memory_destroy(memory);
		return PL_VISIT_ENDS;
	}
	keep(m, ntohl(h->rank), ntohl(h->lane), v->fd, memory);
	d->n_missing--;
	return PL_VISIT_IS_TAKEN;
}

/* Hears who comes until the descriptor, or none, is ready. false: it is not in time, or is not
 * worth waiting for: a peer has another schedule, or may be the one for which there was no
 * memory. */
static bool await(struct door *d, int fd, short events)
{
	bool is_ready = false;

	while (!is_ready && !d->why.code && !d->visitors.has_lost &&
	       pl_clock_ns() < d->deadline_ns && (fd >= 0 || d->n_missing > 0))
		is_ready = pl_visitors_hear(&d->visitors, fd, events, d->deadline_ns);
	return is_ready;
}

static bool read_hello(struct door *d, int fd, struct pl_hello *h)
{
	size_t got = 0;

	while (got < sizeof(*h) && await(d, fd, POLLIN)) {
		const ssize_t n = recv(fd, (char *)h + got, sizeof(*h) - got, 0);

		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	return got == sizeof(*h) && pl_hello_has_key(h, &d->m->options);
}

/* Exchanges hellos with the peer; *memory is what both share then, or NULL. */
static int greet(struct door *d, uint32_t peer, size_t k, int fd, struct pl_fifo_memory **memory,
		 struct pl_err *err)
{
	const struct pl_mesh_options *o = &d->m->options;
	struct pl_hello h = pl_hello_of(o, k), answer;
	int offered = -1, rc = 0;

	if (pl_hello_may_share(o, k, fd))
		*memory = pl_fifo_memory_create(&h.memory, &offered);
	if (!pl_hello_send(fd, &h) || !read_hello(d, fd, &answer))
		rc = pl_err_set(err, PL_ESYSTEM, "%s does not answer", PEER(d->m, peer));
	else
		rc = pl_hello_check(&answer, o, err);
	if (offered >= 0)
		close(offered);
	if (rc || memcmp(&answer.memory, &h.memory, sizeof(h.memory)) != 0) {
		pl_fifo_memory_destroy(*memory);
		*memory = NULL;
	}
	return rc;
}

static int connect_to(struct door *d, uint32_t peer, size_t k,
		      const struct sockaddr_storage *address, struct pl_err *err)
{
	struct pl_mesh *m = d->m;
	const int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct pl_fifo_memory *memory = NULL;
	int failed = 0;
	socklen_t length = sizeof(failed);

	if (fd < 0)
		return pl_err_errno(err, "cannot connect to %s", PEER(m, peer));
	if (connect(fd, (const struct sockaddr *)address, length_of(address)) &&
	    errno != EINPROGRESS) {
		pl_err_errno(err, "cannot connect to %s", PEER(m, peer));
	} else if (!await(d, fd, POLLOUT)) {
		out_of_time(d, peer, err);
	} else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length) || failed) {
		errno = failed;
		pl_err_errno(err, "cannot connect to %s", PEER(m, peer));
	} else if (greet(d, peer, k, fd, &memory, err) == 0) {
		keep(m, peer, k, fd, memory);
		return 0;
	}
	close(fd);
	return -1;
}

/* Of the peers that connect to this rank, the first that has not come. */
static uint32_t first_missing(const struct door *d)
{
	const struct pl_mesh *m = d->m;

	for (uint32_t p = m->options.rank + 1; p < m->options.n_ranks; p++)
		for (size_t k = 0; d->is_peer[p] && k <= m->options.n_lanes; k++)
			if (fd_of(m, p, k) < 0)
				return p;
	return m->options.n_ranks;
}

static int connect_all(struct door *d, const struct sockaddr_storage *address, struct pl_err *err)
{
	const struct pl_mesh_options *o = &d->m->options;

	for (uint32_t p = 0; p < o->rank; p++)
		for (size_t k = 0; d->is_peer[p] && k <= o->n_lanes; k++)
			if (connect_to(d, p, k, &address[p], err))
				return -1;
	await(d, -1, 0);
	return d->n_missing > 0 ? out_of_time(d, first_missing(d), err) : 0;
}

int pl_mesh_connect(struct pl_mesh *m, const bool *is_peer, const struct sockaddr_storage *address,
		    struct pl_err *err)
{
	struct door d = {
		.m = m, .is_peer = is_peer, .deadline_ns = pl_clock_ns() + m->options.patience_ns};
	const struct pl_hearer hearer = {.size = sizeof(struct pl_visitor),
					 .first = sizeof(struct pl_hello),
					 .patience_ns = PL_VISITOR_NS,
					 .hear = hear,
					 .with = &d};
	int rc;

	for (uint32_t p = m->options.rank + 1; p < m->options.n_ranks; p++)
		d.n_missing += is_peer[p] ? 1 + m->options.n_lanes : 0;
	if (pl_visitors_init(&d.visitors, m->listener, &hearer, err))
		return -1;
	rc = connect_all(&d, address, err);
	pl_visitors_fini(&d.visitors);
	if (rc && (d.why.code || d.visitors.has_lost))
		*err = d.why.code ? d.why : d.visitors.trouble;
	if (rc)
		return -1;
	close(m->listener);
	m->listener = -1;
	return 0;
}
