/* SPDX-License-Identifier: BSD-3-Clause */
/* visitors.c - who connects to a socket that listens, all heard at once */
#include "config.h"

#include "base/visitors.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Before others are heard. */
#define AT_ONCE 64
/* Where no descriptor is left. */
#define DEAF_NS ((int64_t)50 * 1000 * 1000)

static int listen_to(const struct pl_visitors *all, int how, int fd, struct pl_visitor *v,
		     uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = v};

	return epoll_ctl(all->epoll, how, fd, &event);
}

/* It is no visitor any more; its descriptor stays open. A process that was
 * forked meanwhile may have the connection, too, so that epoll would go on
 * with it. */
static void leave(struct pl_visitors *all, struct pl_visitor *v)
{
	if (all->epoll >= 0)
		listen_to(all, EPOLL_CTL_DEL, v->fd, NULL, 0);
	*(v->older ? &v->older->newer : &all->oldest) = v->newer;
	*(v->newer ? &v->newer->older : &all->newest) = v->older;
	all->n_strangers -= !v->is_known;
	free(v->said);
	free(v);
}

static void send_away(struct pl_visitors *all, struct pl_visitor *v)
{
	const int fd = v->fd;

	leave(all, v);
	close(fd);
}

static void drop(struct pl_visitors *all, struct pl_visitor *v, const char *why)
{
	if (all->hearer.drop)
		all->hearer.drop(all->hearer.with, v, why);
	send_away(all, v);
}

/* false: there is no stranger. */
static bool drop_stranger(struct pl_visitors *all, const char *why)
{
	struct pl_visitor *v = all->oldest;

	while (v && v->is_known)
		v = v->newer;
	if (v)
		drop(all, v, why);
	return v;
}

static void lose(struct pl_visitors *all)
{
	pl_err_errno(&all->trouble, "no connection can be heard");
	all->has_lost = true;
}

/* What it has sent is complete as far as the hearer waits for it. false: it has left. */
static bool is_heard(struct pl_visitors *all, struct pl_visitor *v)
{
	const bool was_known = v->is_known;
	const enum pl_visit visit = all->hearer.hear(all->hearer.with, v);
	unsigned char *room;

	all->n_strangers -= v->is_known && !was_known;
	if (visit == PL_VISIT_ENDS)
		send_away(all, v);
	if (visit == PL_VISIT_IS_TAKEN)
		leave(all, v);
	if (visit != PL_VISIT_GOES_ON)
		return false;
	room = realloc(v->said, v->want);
	if (room) {
		v->said = room;
		return true;
	}
	lose(all);
	drop(all, v, all->trouble.text);
	return false;
}

/* Reads what has come. */
static void read_on(struct pl_visitors *all, struct pl_visitor *v)
{
	for (;;) {
		const ssize_t n = recv(v->fd, v->said + v->got, v->want - v->got, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n <= 0) {
			send_away(all, v);
			return;
		}
		v->got += (size_t)n;
		if (v->got == v->want && !is_heard(all, v))
			return;
	}
}

/* Takes the descriptor. NULL: it cannot be heard. */
static struct pl_visitor *add(struct pl_visitors *all, int fd)
{
	struct pl_visitor *v = calloc(1, all->hearer.size);
	unsigned char *said = malloc(all->hearer.first);

	if (!v || !said || listen_to(all, EPOLL_CTL_ADD, fd, v, EPOLLIN)) {
		lose(all);
		free(v);
		free(said);
		close(fd);
		return NULL;
	}
	*v = (struct pl_visitor){.fd = fd,
				 .said = said,
				 .want = all->hearer.first,
				 .deadline_ns = pl_clock_ns() + all->hearer.patience_ns,
				 .older = all->newest};
	*(v->older ? &v->older->newer : &all->oldest) = v;
	all->newest = v;
	all->n_strangers++;
	return v;
}

static void turn_deaf(struct pl_visitors *all)
{
	pl_err_errno(&all->trouble, "no connection can be accepted");
	all->deaf_until_ns = pl_clock_ns() + DEAF_NS;
	listen_to(all, EPOLL_CTL_MOD, all->listener, NULL, 0);
}

/* What a connection needs is used up, by this process or by all. */
static bool is_short_of(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

/* Twice as many descriptors, up to the hard limit. */
static bool raises_limit(struct pl_visitors *all)
{
	struct rlimit limit;
	rlim_t before;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
		return false;
	before = limit.rlim_cur;
	limit.rlim_cur = before < limit.rlim_max / 2 ? 2 * before : limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return false;
	if (all->descriptors == 0)
		all->descriptors = before;
	return true;
}

static void restore_limit(struct pl_visitors *all)
{
	struct rlimit limit;

	if (all->descriptors == 0 || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = all->descriptors;
	setrlimit(RLIMIT_NOFILE, &limit);
	all->descriptors = 0;
}

/* After an error of accept(2), which finds descriptors lacking even where nobody waits. */
static bool makes_room(struct pl_visitors *all, int error)
{
	struct pollfd fd = {.fd = all->listener, .events = POLLIN};

	if (!is_short_of(error) || poll(&fd, 1, 0) <= 0)
		return false;
	if (drop_stranger(all, "is a stranger, and no descriptor is left") ||
	    (error == EMFILE && raises_limit(all)))
		return true;
	errno = error;
	turn_deaf(all);
	return false;
}

/* Most have something to say when they come: they are heard before they count as strangers too
 * many. */
static void let_in(struct pl_visitors *all)
{
	for (int i = 0; i < AT_ONCE; i++) {
		const int fd = accept4(all->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct pl_visitor *v = fd >= 0 ? add(all, fd) : NULL;

		if (v) {
			read_on(all, v);
			if (all->n_strangers > all->strangers_max)
				drop_stranger(all, "is one stranger too many");
		} else if (fd < 0 && errno != EINTR && errno != ECONNABORTED &&
			   !makes_room(all, errno)) {
			return;
		}
	}
}

static void hear_some(struct pl_visitors *all)
{
	struct epoll_event event[AT_ONCE];
	const int n = epoll_wait(all->epoll, event, AT_ONCE, 0);
	bool come = false;

	for (int i = 0; i < n; i++)
		if (event[i].data.ptr)
			read_on(all, event[i].data.ptr);
		else
			come = true;
	if (come) /* which may have any visitor go */
		let_in(all);
}

/* What is over by now; returns when something will be. */
static int64_t expire(struct pl_visitors *all, int64_t until_ns)
{
	const int64_t now_ns = pl_clock_ns();

	while (all->oldest && all->oldest->deadline_ns <= now_ns) {
		drop(all, all->oldest,
		     all->oldest->got == 0 ? "says nothing" : "has not said all in time");
		until_ns = now_ns;
	}
	if (all->deaf_until_ns && all->deaf_until_ns <= now_ns) {
		all->deaf_until_ns = 0;
		listen_to(all, EPOLL_CTL_MOD, all->listener, NULL, EPOLLIN);
	}
	if (all->oldest && all->oldest->deadline_ns < until_ns)
		until_ns = all->oldest->deadline_ns;
	if (all->deaf_until_ns && all->deaf_until_ns < until_ns)
		until_ns = all->deaf_until_ns;
	return until_ns;
}

bool pl_visitors_hear(struct pl_visitors *all, int also, short events, int64_t until_ns)
{
	struct pollfd fd[2] = {{.fd = all->epoll, .events = POLLIN},
			       {.fd = also, .events = events}};
	const int64_t left_ns = expire(all, until_ns) - pl_clock_ns();
	const int64_t left_ms = left_ns <= 0 ? 0 : left_ns / 1000000 + 1;

	if (poll(fd, 2, left_ms < 60000 ? (int)left_ms : 60000) <= 0)
		return false;
	if (fd[0].revents)
		hear_some(all);
	return fd[1].revents;
}

int pl_visitors_init(struct pl_visitors *all, int listener, const struct pl_hearer *hearer,
		     struct pl_err *err)
{
	struct rlimit limit;

	*all = (struct pl_visitors){.hearer = *hearer,
				    .listener = listener,
				    .strangers_max = PL_STRANGERS_MAX,
				    .epoll = epoll_create1(EPOLL_CLOEXEC)};
	if (all->epoll < 0)
		return pl_err_errno(err, "cannot wait for connections");
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < all->strangers_max)
		all->strangers_max = 1 + (size_t)limit.rlim_cur / 4;
	if (listen_to(all, EPOLL_CTL_ADD, listener, NULL, EPOLLIN) == 0)
		return 0;
	pl_err_errno(err, "cannot wait for connections");
	close(all->epoll);
	return -1;
}

void pl_visitors_fini(struct pl_visitors *all)
{
	while (all->oldest)
		send_away(all, all->oldest);
	if (all->epoll >= 0)
		close(all->epoll);
	all->epoll = -1;
	restore_limit(all);
}

void pl_visitors_forget(struct pl_visitors *all)
{
	close(all->epoll);
	all->epoll = -1;
	pl_visitors_fini(all);
}
