/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet.c - all agents of a run, served by one loop */
#include "config.h"

#include "probes/run/fleet.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define LOOK_NS (100 * MS)   /* how often *stop is looked at */
#define SETTLE_NS (5 * MS)   /* how often the end of a process is */
#define BYE_NS (2000 * MS)   /* from END to the last words */
#define GRACE_NS (2000 * MS) /* from the end of input to SIGTERM, ... */
#define TERM_NS (1000 * MS)  /* from SIGTERM to SIGKILL */
#define ERROR_READS 64       /* at a time: a launcher may never fall silent */

enum pipe { OUT, ERR, IN, PIPES };

int pl_fleet_init(struct pl_fleet *fleet, const struct pl_hosts *hosts, struct pl_err *err)
{
	fleet->v = pl_array_create(hosts->n, sizeof(*fleet->v));
	fleet->events = pl_array_create(hosts->n, PIPES * sizeof(*fleet->events));
	if (!fleet->v || !fleet->events)
		return pl_err_nomem(err);
	fleet->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (fleet->epoll < 0)
		return pl_err_errno(err, "cannot create an epoll%s",
				    errno == EMFILE ? " beyond ulimit -Hn" : "");
	fleet->n = hosts->n;
	for (size_t i = 0; i < fleet->n; i++) {
		pl_remote_init(&fleet->v[i], hosts->v[i].name);
		fleet->v[i].user = hosts->v[i].user;
	}
	return 0;
}

bool pl_fleet_is_up(const struct pl_fleet *fleet, size_t host)
{
	const struct pl_remote *r = &fleet->v[host];

	return r->state == PL_REMOTE_UP && r->ready && !r->ending;
}

size_t pl_fleet_n_up(const struct pl_fleet *fleet)
{
	size_t n = 0;

	for (size_t i = 0; i < fleet->n; i++)
		n += pl_fleet_is_up(fleet, i);
	return n;
}

static bool is_stopped(const struct pl_fleet *fleet)
{
	return fleet->options->stop && *fleet->options->stop;
}

void pl_fleet_lose(struct pl_fleet *fleet, size_t host, const char *reason)
{
	pl_remote_lose(&fleet->v[host], "%s", reason);
	fleet->lost(fleet->arg, host);
}

void pl_fleet_ask(struct pl_fleet *fleet, size_t host, const struct pl_msg *msg, const char *what,
		  int64_t deadline_ns)
{
	struct pl_remote *r = &fleet->v[host];

	if (pl_remote_tell(r, msg))
		fleet->lost(fleet->arg, host);
	else if (what && r->state == PL_REMOTE_UP)
		pl_remote_expect(r, what, deadline_ns);
}

static bool is_owing(const struct pl_remote *r)
{
	return r->waiting_for || r->state == PL_REMOTE_CLOSING;
}

/* Makes epoll watch a pipe of a host's. Closing the pipe ends the watch. 0, or -1 with errno set.
 */
static int watch(const struct pl_fleet *fleet, size_t who, const struct pl_child *c, enum pipe pipe)
{
	static const uint32_t on[PIPES] = {
		[OUT] = EPOLLIN,
		[ERR] = EPOLLIN,
		[IN] = EPOLLOUT,
	};
	struct epoll_event event = {
		.events = on[pipe],
		.data.u64 = who * PIPES + pipe,
	};

	return epoll_ctl(fleet->epoll, EPOLL_CTL_ADD,
			 pipe == IN    ? c->in
			 : pipe == OUT ? c->out
				       : c->err,
			 &event);
}

static void unwatch(const struct pl_fleet *fleet, int fd)
{
	epoll_ctl(fleet->epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Waits for events, from now on but not beyond the next look at the time. Their number, or -1. */
static int wait_for_events(struct pl_fleet *fleet, int64_t now_ns, struct pl_err *err)
{
	const int64_t left = fleet->look_ns - now_ns;
	int n;

	n = epoll_wait(fleet->epoll, fleet->events, (int)(PIPES * fleet->n),
		       left > 0 ? (int)((left + MS - 1) / MS) : 0);
	if (n < 0 && errno != EINTR)
		return pl_err_errno(err, "epoll_wait");
	return n < 0 ? 0 : n;
}

static void log_errors(const struct pl_fleet *fleet, struct pl_remote *r)
{
	const struct pl_probe_options *o = fleet->options;
	char line[PL_LINE_CHARS];

	while (pl_remote_next_error(r, line))
		if (o->log && !(r->fault && r->fault->again))
			o->log(o->log_arg, r->name, line);
}

static void read_errors(const struct pl_fleet *fleet, struct pl_remote *r)
{
	for (size_t i = 0; i < ERROR_READS && pl_remote_fill_errors(r); i++)
		log_errors(fleet, r);
}

/* The complete lines that the host's agent sent; the host may be lost by that. */
static void take_lines(struct pl_fleet *fleet, size_t host)
{
	struct pl_msg msg;
	int have;

	while ((have = pl_remote_next(&fleet->v[host], &msg)) > 0)
		fleet->message(fleet->arg, host, &msg);
	if (have < 0)
		fleet->lost(fleet->arg, host);
}

static void read_messages(struct pl_fleet *fleet, size_t host, int64_t now_ns)
{
	struct pl_remote *r = &fleet->v[host];

	pl_remote_read(r, now_ns);
	take_lines(fleet, host);
	if (r->state == PL_REMOTE_CLOSING)
		fleet->look_ns = now_ns; /* has it ended already? */
}

/* Is this remote over by now? Then it is lost, unless it was to end. */
static bool is_over(const struct pl_fleet *fleet, struct pl_remote *r, int64_t now_ns)
{
	if (r->state == PL_REMOTE_CLOSING) {
		if (!pl_remote_reap(r) && now_ns < r->deadline_ns)
			return false;
		read_errors(fleet, r);
		pl_remote_settle(r);
		return pl_remote_is_lost(r);
	}
	if (!r->waiting_for || now_ns < r->deadline_ns)
		return false;
	if (r->ending) { /* nothing more is expected of it */
		r->waiting_for = NULL;
		return false;
	}
	if (!r->fault && !r->greeted)
		r->fault = pl_launch_fault_silent();
	pl_remote_lose(r, "its agent did not %s in time%s%.300s", r->waiting_for,
		       r->said[0] ? ": " : "", r->said);
	return true;
}

/* Asks remotes that have been silent for long; one that does not answer is lost, as if its launcher
 * had ended. */
static void check_alive(struct pl_fleet *fleet, size_t host, int64_t now_ns)
{
	static const struct pl_msg ping = {.kind = PL_MSG_PING};
	struct pl_remote *r = &fleet->v[host];
	const int64_t silent_ns = pl_silence_look(&r->silence, now_ns);
	char reason[PL_LINE_CHARS];

	if (!r->asked && silent_ns >= PL_SILENCE_ASK_NS) {
		r->asked = true;
		pl_fleet_ask(fleet, host, &ping, NULL, 0);
	} else if (r->asked && silent_ns >= PL_SILENCE_LOST_S * 1000 * MS) {
		snprintf(reason, sizeof(reason), "its agent has not answered for %d s%s%.300s",
			 PL_SILENCE_LOST_S, r->said[0] ? ": " : "", r->said);
		pl_fleet_lose(fleet, host, reason);
	}
}

/* One pipe of one host; it may have been closed by what came just before. */
static void take_host_event(struct pl_fleet *fleet, size_t host, enum pipe pipe, int64_t now_ns)
{
	struct pl_remote *r = &fleet->v[host];

	switch (pipe) {
	case OUT:
		if (r->child.out >= 0)
			read_messages(fleet, host, now_ns);
		break;
	case ERR:
		read_errors(fleet, r);
		break;
	default:
		if (r->child.in >= 0 && !pl_remote_push(r))
			unwatch(fleet, r->child.in);
	}
}

static void take_event(struct pl_fleet *fleet, uint64_t data, int64_t now_ns)
{
	const size_t who = data / PIPES;
	const enum pipe pipe = data % PIPES;

	take_host_event(fleet, who, pipe, now_ns);
}

/* Looks at every clock, and when to do so next: not at every event, for there are as many of these
 * in a round as there are hosts. */
static void check_times(struct pl_fleet *fleet, int64_t now_ns)
{
	int64_t look = now_ns + LOOK_NS;

	for (size_t i = 0; i < fleet->n_started; i++) {
		struct pl_remote *r = &fleet->v[i];

		if (is_over(fleet, r, now_ns) &&
		    !(fleet->starting && pl_remote_again(r, &fleet->starts, now_ns)))
			fleet->lost(fleet->arg, i);
		if (pl_fleet_is_up(fleet, i))
			check_alive(fleet, i, now_ns);
		if (r->state == PL_REMOTE_CLOSING && look > now_ns + SETTLE_NS)
			look = now_ns + SETTLE_NS;
		else if (r->waiting_for && r->deadline_ns < look)
			look = r->deadline_ns;
	}
	fleet->look_ns = look;
	if (fleet->tick)
		fleet->tick(fleet->arg);
}

/* Waits once and serves what came. All that came before the clock is read is
 * served first: so no host counts as late because this process was stopped
 * (SIGSTOP), wherever that was; a wait that is interrupted reports no
 * event. */
static int serve(struct pl_fleet *fleet, struct pl_err *err)
{
	const int64_t before = pl_clock_ns();
	int64_t now;
	int n;

	n = wait_for_events(fleet, before, err);
	if (n < 0)
		return -1;
	now = pl_clock_ns();
	for (int i = 0; i < n; i++)
		take_event(fleet, fleet->events[i].data.u64, now);
	if (before >= fleet->look_ns)
		check_times(fleet, before);
	return 0;
}

static size_t n_owing(const struct pl_fleet *fleet)
{
	size_t n = 0;

	for (size_t i = 0; i < fleet->n_started; i++)
		n += is_owing(&fleet->v[i]);
	return n;
}

/* Does any? Asked after every event: the one found last time is likely to. */
static bool any_owing(struct pl_fleet *fleet)
{
	for (size_t i = 0; i < fleet->n_started; i++) {
		if (fleet->owing >= fleet->n_started)
			fleet->owing = 0;
		if (is_owing(&fleet->v[fleet->owing]))
			return true;
		fleet->owing++;
	}
	return false;
}

static int check_end(const struct pl_fleet *fleet, struct pl_err *err)
{
	if (is_stopped(fleet))
		return pl_err_set(err, PL_EPARTIAL, "interrupted");
	if (pl_clock_ns() >= fleet->until_ns)
		return pl_err_set(err, PL_EPARTIAL, "the time budget is over");
	return 0;
}

int pl_fleet_wait(struct pl_fleet *fleet, struct pl_err *err)
{
	while (any_owing(fleet))
		if (check_end(fleet, err) || serve(fleet, err))
			return -1;
	return 0;
}

/* Starts the command through the launcher. 0, or -1 with the remote lost. */
static int start(const struct pl_fleet *fleet, size_t who, struct pl_remote *r, const char *command)
{
	const struct pl_probe_options *o = fleet->options;

	if (pl_remote_start(r, o->launch, command, pl_clock_ns() + o->start_ns))
		return -1;
	if (fleet->push) {
		r->push = fleet->push->data;
		r->push_len = fleet->push->len;
	}
	if (!watch(fleet, who, &r->child, OUT) && !watch(fleet, who, &r->child, ERR) &&
	    (r->push_len == 0 || !watch(fleet, who, &r->child, IN)))
		return 0;
	pl_remote_lose(r, "cannot watch its agent: %s", strerror(errno));
	return -1;
}

/* Beside so many; how many they are then. */
static size_t start_host(struct pl_fleet *fleet, size_t host, size_t n_beside)
{
	struct pl_remote *r = &fleet->v[host];

	r->n_beside = n_beside;
	if (!start(fleet, host, r, fleet->command))
		return n_beside + 1;
	fleet->lost(fleet->arg, host);
	return n_beside;
}

/* Those that were dropped come first. */
static void start_some(struct pl_fleet *fleet)
{
	const int64_t now = pl_clock_ns();
	struct pl_starts *s = &fleet->starts;
	size_t n = n_owing(fleet);

	for (size_t i = 0; s->n_waiting > 0 && i < fleet->n_started; i++)
		if (n < s->fanout && pl_remote_is_due(&fleet->v[i], now)) {
			s->n_waiting--;
			n = start_host(fleet, i, n);
		}
	while (fleet->n_started < fleet->n && n < s->fanout)
		n = start_host(fleet, fleet->n_started++, n);
}

int pl_fleet_start(struct pl_fleet *fleet, struct pl_err *err)
{
	fleet->starting = true;
	fleet->starts.fanout = fleet->options->fanout;
	do {
		start_some(fleet);
		if (is_stopped(fleet))
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
		if (serve(fleet, err))
			return -1;
	} while (fleet->n_started < fleet->n || fleet->starts.n_waiting > 0 || any_owing(fleet));
	fleet->starting = false;
	return 0;
}

/* True when all processes have ended and are reaped. */
static bool reap_until(struct pl_fleet *fleet, int64_t deadline_ns)
{
	const struct timespec nap = {.tv_nsec = SETTLE_NS};
	size_t left;

	for (;;) {
		left = 0;
		for (size_t i = 0; i < fleet->n_started; i++)
			left += !pl_remote_reap(&fleet->v[i]);
		if (left == 0 || pl_clock_ns() >= deadline_ns)
			return left == 0;
		nanosleep(&nap, NULL);
	}
}

/* Sends END to all that listen, and reads their last words. */
static void say_goodbye(struct pl_fleet *fleet)
{
	const struct pl_msg end = {.kind = PL_MSG_END};
	const int64_t deadline = pl_clock_ns() + BYE_NS;

	for (size_t i = 0; i < fleet->n_started; i++) {
		struct pl_remote *r = &fleet->v[i];

		r->waiting_for = NULL;
		if (!pl_fleet_is_up(fleet, i))
			continue;
		r->ending = true;
		if (!pl_remote_tell(r, &end))
			pl_remote_expect(r, "end", deadline);
	}
	while (any_owing(fleet) && pl_clock_ns() < deadline)
		if (serve(fleet, NULL))
			break;
}

static void signal_all(const struct pl_fleet *fleet, int signal)
{
	for (size_t i = 0; i < fleet->n_started; i++)
		pl_remote_signal(&fleet->v[i], signal);
}

void pl_fleet_stop(struct pl_fleet *fleet)
{
	int64_t now;

	say_goodbye(fleet);
	for (size_t i = 0; i < fleet->n_started; i++)
		pl_remote_close(&fleet->v[i]);
	now = pl_clock_ns();
	if (!reap_until(fleet, now + GRACE_NS)) {
		signal_all(fleet, SIGTERM);
		now = pl_clock_ns();
		if (!reap_until(fleet, now + TERM_NS)) {
			signal_all(fleet, SIGKILL);
			reap_until(fleet, INT64_MAX);
		}
	}
}

void pl_fleet_fini(struct pl_fleet *fleet)
{
	if (fleet->n > 0) /* all of it is there */
		close(fleet->epoll);
	free(fleet->v);
	free(fleet->events);
	fleet->v = NULL;
	fleet->events = NULL;
	fleet->n = fleet->n_started = 0;
}
