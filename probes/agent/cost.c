/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c - what a small message over TCP costs a process of this host */
/*
 * Sending and receiving: one thread does both, and is never kept waiting by the other end; over the
 * loopback interface the stack's work for both ends is in these two calls. The part of that time in
 * which the thread had a processor shows what others leave of it, and these are all hosts that
 * share processors, which measure at the same time. Waking: a second thread sends back what it
 * gets, both sleep until something comes, and what a trip takes longer than sending and receiving
 * is the wake-up. Processors sleep deeper the longer nothing comes: trips go both one after the
 * other and with pauses, and the longer ones count.
 */
#include "config.h"

#include "probes/agent/parts.h"

#include "base/clock.h"
#include "base/priority.h"
#include "base/stats.h"

#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define BYTES 64
#define ALONE_NS (80 * MS) /* many turns of others: one thread, all the time */
#define TRIPS_NS (30 * MS) /* trips without pauses, and as long with pauses */
#define PAUSE_NS 200000    /* about as long as a message takes in a data centre */
#define SAMPLES_MAX 8192   /* that are kept */
#define TRIPS_MIN 20
#define SILENCE_S 1 /* a lost message ends it all */
#define PPM 1000000
#define SHARE_MIN 0.01 /* less cannot be told in that time */

struct ends {
	int a, b; /* of one connection; -1: not open */
};

static void close_ends(struct ends *e)
{
	if (e->a >= 0)
		close(e->a);
	if (e->b >= 0)
		close(e->b);
	e->a = e->b = -1;
}

/* Closed at once: nothing of it is left in TIME_WAIT. */
static int set_up(int fd)
{
	const struct linger none = {.l_onoff = 1};
	const struct timeval silence = {.tv_sec = SILENCE_S};
	const int one = 1;

	return setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none)) ||
	       setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	       setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof(silence)) ||
	       setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof(silence));
}

/* Connects e->a to the listening socket. 0, or -1; a stranger at the port is -1, too. */
static int join(int listening, struct ends *e)
{
	struct sockaddr_in at, own, peer;
	socklen_t len = sizeof(at);

	if (listen(listening, 1) || getsockname(listening, (struct sockaddr *)&at, &len) ||
	    connect(e->a, (struct sockaddr *)&at, len))
		return -1;
	e->b = accept(listening, NULL, NULL);
	if (e->b < 0 || getsockname(e->a, (struct sockaddr *)&own, &len) ||
	    getpeername(e->b, (struct sockaddr *)&peer, &len) || own.sin_port != peer.sin_port)
		return -1;
	return set_up(e->a) || set_up(e->b) ? -1 : 0;
}

static int open_ends(struct ends *e)
{
	const struct sockaddr_in any = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int rc = -1;

	e->b = -1;
	e->a = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listening >= 0 && e->a >= 0 &&
	    !bind(listening, (const struct sockaddr *)&any, sizeof(any)))
		rc = join(listening, e);
	if (listening >= 0)
		close(listening);
	if (rc)
		close_ends(e);
	return rc;
}

/* Whole messages only: less than one is the end. */
static bool put(int fd)
{
	static const char message[BYTES];

	return send(fd, message, sizeof(message), MSG_NOSIGNAL) == BYTES;
}

static bool get(int fd)
{
	char message[BYTES];

	return recv(fd, message, sizeof(message), MSG_WAITALL) == BYTES;
}

struct measuring {
	struct ends ends;
	int64_t ns[SAMPLES_MAX], recv_ns[SAMPLES_MAX]; /* [n] */
	size_t n;
	struct pl_cost_figures *cost;
};

/* The thread's normal place among others: neither the agent's priority nor its timers. */
static void be_ordinary(void)
{
	static const struct pl_priority ordinary = {.policy = SCHED_OTHER};

	pl_priority_restore(&ordinary);
}

static int64_t percentile(int64_t *ns, size_t n, double p)
{
	pl_sort_int64(ns, n);
	return ns[pl_percentile_index(n, p)];
}

static int64_t processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * (1000 * MS) + t.tv_nsec;
}

static bool measure_alone(struct measuring *m)
{
	const int64_t begun_ns = pl_clock_ns(), used_ns = processor_ns();
	int64_t now_ns = begun_ns;
	double share;

	for (m->n = 0; m->n < TRIPS_MIN || now_ns - begun_ns < ALONE_NS;) {
		const int64_t before_ns = pl_clock_ns();
		const bool sent = put(m->ends.a);
		const int64_t between_ns = pl_clock_ns();

		if (!sent || !get(m->ends.b))
			return false;
		now_ns = pl_clock_ns();
		if (m->n == SAMPLES_MAX)
			continue;
		m->ns[m->n] = between_ns - before_ns;
		m->recv_ns[m->n++] = now_ns - between_ns;
	}
	share = (double)(processor_ns() - used_ns) / (double)(pl_clock_ns() - begun_ns);
	m->cost->share_ppm = (uint32_t)(PPM * fmin(fmax(share, SHARE_MIN), 1));
	m->cost->send_ns = percentile(m->ns, m->n, 0.5);
	m->cost->recv_ns = percentile(m->recv_ns, m->n, 0.5);
	return true;
}

/* There and back; what one way takes beyond sending and receiving, if it is more than is known
 * already. */
static bool measure_trips(struct measuring *m, int64_t pause_ns)
{
	const struct timespec pause = {.tv_nsec = pause_ns};
	const int64_t begun_ns = pl_clock_ns();
	int64_t now_ns = begun_ns, wake_ns;

	for (m->n = 0; m->n < TRIPS_MIN || now_ns - begun_ns < TRIPS_NS;) {
		int64_t before_ns;

		if (pause_ns > 0)
			nanosleep(&pause, NULL);
		before_ns = pl_clock_ns();
		if (!put(m->ends.a) || !get(m->ends.a))
			return false;
		now_ns = pl_clock_ns();
		if (m->n < SAMPLES_MAX)
			m->ns[m->n++] = (now_ns - before_ns) / 2;
	}
	wake_ns = percentile(m->ns, m->n, 0.5) - m->cost->send_ns - m->cost->recv_ns;
	if (wake_ns > m->cost->wake_ns) {
		m->cost->wake_ns = wake_ns;
		m->cost->spread_ns = percentile(m->ns, m->n, 0.75) - percentile(m->ns, m->n, 0.25);
	}
	return true;
}

static void *answer(void *arg)
{
	const struct measuring *m = arg;

	be_ordinary();
	while (get(m->ends.b) && put(m->ends.b))
		;
	return NULL;
}

static bool measure_both(struct measuring *m)
{
	pthread_t other;
	bool done;

	if (pthread_create(&other, NULL, answer, m))
		return false;
	done = measure_trips(m, 0) && measure_trips(m, PAUSE_NS);
	close(m->ends.a); /* which ends the other thread's wait */
	m->ends.a = -1;
	pthread_join(other, NULL);
	return done;
}

static void *measure(void *arg)
{
	struct measuring *m = arg;

	be_ordinary();
	if (open_ends(&m->ends))
		return NULL;
	if (!measure_alone(m) || !measure_both(m))
		m->cost->share_ppm = 0;
	close_ends(&m->ends);
	return NULL;
}

/* Those that this process may use; 0: too many for the set. */
static unsigned cores(void)
{
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return (unsigned)CPU_COUNT(&set);
	return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

void pl_cost_measure(struct pl_cost_figures *cost)
{
	struct measuring *m = calloc(1, sizeof(*m));
	pthread_t thread;

	memset(cost, 0, sizeof(*cost));
	cost->cores = cores();
	if (!m)
		return;
	m->cost = cost;
	if (!pthread_create(&thread, NULL, measure, m))
		pthread_join(thread, NULL);
	free(m);
}
