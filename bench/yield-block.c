/* SPDX-License-Identifier: BSD-3-Clause */
/* yield-block.c - preload library: sched_yield() waits for the network */
/*
 * With more ranks than cores, ranks that poll in a loop take the processor from those that have
 * work, and what a benchmark then shows is the scheduler and not the network. Open MPI with
 * mpi_yield_when_idle polls its sockets without waiting (libevent: poll() or epoll_wait() with
 * timeout 0), finds nothing, calls sched_yield() and polls again. Here that sched_yield() sleeps
 * until something happens on the sockets of that last empty poll, but at most for PLINK_YIELD_US
 * microseconds (default 10000, at most 100000; 0: never), since what the program waits for may be
 * none of them.
 *
 * Open MPI's progress function polls until a poll comes back empty and yields even if an earlier
 * one of these polls brought the message its caller waits for: so a yield sleeps only when no poll
 * since the yield before found anything. All of this is per thread.
 *
 * Over shared memory there is nothing to wait for, and only each so many yields has a poll before
 * it. A yield without one (since the yield before) does what it always did, but each eighth of
 * these in a row sleeps for 20 us; and the set of a poll that comes after one is not waited for.
 *
 * MPICH over UCX never yields: it calls epoll_wait() with timeout 0 until something is there. With
 * PLINK_YIELD_POLLS=N the N-th of these in a row that finds nothing waits itself, as do those after
 * it, as long as a yield would (default 0: none).
 */
#include "config.h"

#include "bench/yield-block.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#define SET_MAX 512 /* descriptors remembered; a larger set is not */
#define LIMIT_DEFAULT_US 10000
#define LIMIT_MAX_US 100000
#define BLIND_YIELDS 8 /* of these the last one sleeps */
#define BLIND_SLEEP_NS 20000

/* what the thread's last poll with timeout 0 found silent */
struct silent_set {
	struct pollfd fd[SET_MAX + 1]; /* the last one: own */
	nfds_t n;                      /* 0: nothing known */
	bool seen;                     /* there was a poll since the last yield */
	bool busy;                     /* and one of them found something */
	long blind;                    /* yields in a row without a poll before them */
	long row;                      /* polls with timeout 0 in a row that found nothing */
	int own;                       /* epoll's descriptor that was waited for last; 0: none */
};

static _Thread_local struct silent_set silent;

typedef int poll_fn(struct pollfd *, nfds_t, int);
typedef int epoll_wait_fn(int, struct epoll_event *, int, int);
typedef int sched_yield_fn(void);

/* Set once, by the constructor or by a call that comes before it. */
static _Atomic(poll_fn *) next_poll;
static _Atomic(epoll_wait_fn *) next_epoll_wait;
static _Atomic(sched_yield_fn *) next_sched_yield;
static _Atomic long limit_us = -1;
static _Atomic long polls; /* as many in a row wait; 0: however many do not */

static long read_number(const char *name, long most, long otherwise)
{
	const char *s = getenv(name);
	char *end;
	long n;

	if (!s || *s < '0' || *s > '9')
		return otherwise;
	n = strtol(s, &end, 10);
	return *end == '\0' && n <= most ? n : otherwise;
}

__attribute__((constructor)) static void resolve(void)
{
	next_poll = (poll_fn *)dlsym(RTLD_NEXT, "poll");
	next_epoll_wait = (epoll_wait_fn *)dlsym(RTLD_NEXT, "epoll_wait");
	next_sched_yield = (sched_yield_fn *)dlsym(RTLD_NEXT, "sched_yield");
	polls = read_number("PLINK_YIELD_POLLS", LONG_MAX, 0);
	limit_us = read_number("PLINK_YIELD_US", LIMIT_MAX_US, LIMIT_DEFAULT_US);
}

long pl_yield_block_us(void)
{
	if (limit_us < 0)
		resolve();
	return limit_us;
}

/* What a poll of @n descriptors with that timeout came to. */
static void note_poll(const struct pollfd *fd, nfds_t n, int timeout_ms, int found)
{
	silent.n = 0;
	silent.seen = true;
	if (found != 0)
		silent.busy = true;
	else if (timeout_ms == 0 && n <= SET_MAX) {
		memcpy(silent.fd, fd, n * sizeof(*fd));
		silent.n = n;
	}
}

int poll(struct pollfd *fd, nfds_t n, int timeout_ms)
{
	int found;

	if (!next_poll)
		resolve();
	found = next_poll(fd, n, timeout_ms);
	note_poll(fd, n, timeout_ms, found);
	return found;
}

/* Whether a poll that found @found is one too many in a row. */
static bool is_to_wait(int timeout_ms, int found)
{
	silent.row = timeout_ms == 0 && found == 0 ? silent.row + 1 : 0;
	return polls > 0 && silent.row >= polls && limit_us > 0;
}

/* A descriptor of epoll is itself readable when one of its set is ready. */
int epoll_wait(int epfd, struct epoll_event *event, int n_events, int timeout_ms)
{
	const struct pollfd fd = {.fd = epfd, .events = POLLIN};
	int found;

	if (!next_epoll_wait)
		resolve();
	found = next_epoll_wait(epfd, event, n_events, timeout_ms);
	if (timeout_ms > 0)
		silent.own = epfd;
	if (is_to_wait(timeout_ms, found)) {
		found = next_epoll_wait(epfd, event, n_events, (int)(limit_us + 999) / 1000);
		silent.row = found ? 0 : silent.row;
	}
	note_poll(&fd, 1, timeout_ms, found);
	return found;
}

/* A yield without a poll since the one before. */
static int yield_blind(void)
{
	if (++silent.blind % BLIND_YIELDS)
		return next_sched_yield();
	nanosleep(&(struct timespec){.tv_nsec = BLIND_SLEEP_NS}, NULL);
	return 0;
}

/* Until something happens on the last poll's sockets, or @us have passed. */
static void wait_for_silent(long us)
{
	const struct timespec limit = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

	if (silent.own > 0)
		silent.fd[silent.n++] = (struct pollfd){.fd = silent.own, .events = POLLIN};
	ppoll(silent.fd, silent.n, &limit, NULL);
}

/* Always 0, as the real one; errno stays as it was. */
int sched_yield(void)
{
	const long us = pl_yield_block_us();
	const bool seen = silent.seen, busy = silent.busy, trusted = silent.blind == 0;
	const int saved = errno;
	int rc = 0;

	silent.seen = silent.busy = false;
	if (us == 0)
		return next_sched_yield();
	if (seen)
		silent.blind = 0;
	if (!seen)
		rc = yield_blind();
	else if (silent.n == 0 || busy || !trusted)
		rc = next_sched_yield();
	else
		wait_for_silent(us);
	silent.n = 0;
	errno = saved;
	return rc;
}
