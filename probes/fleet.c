/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet.c - all agents of a run, served by one loop */
#include "config.h"

#include "probes/fleet.h"

#include "src/mem.h"
#include "src/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS INT64_C(1000000)
#define LOOK_NS (100 * MS)   /* how often *stop is looked at */
#define SETTLE_NS (5 * MS)   /* how often the end of a process is */
#define BYE_NS (2000 * MS)   /* from END to the last words */
#define GRACE_NS (2000 * MS) /* from the end of input to SIGTERM */
#define TERM_NS (1000 * MS)  /* from SIGTERM to SIGKILL */

int pl_fleet_init(struct pl_fleet *fleet, const struct pl_hosts *hosts)
{
	fleet->v = pl_array_create(hosts->n, sizeof(*fleet->v));
	fleet->fds = pl_array_create(hosts->n, 2 * sizeof(*fleet->fds));
	if (!fleet->v || !fleet->fds)
		return -1;
	fleet->n = hosts->n;
	for (size_t i = 0; i < fleet->n; i++)
		pl_remote_init(&fleet->v[i], hosts->v[i].name);
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

void pl_fleet_ask(struct pl_fleet *fleet, size_t host, const struct pl_msg *msg,
		  const char *what, int64_t deadline_ns)
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

/* When the loop must look again although nothing arrives. */
static int64_t next_look(const struct pl_fleet *fleet, int64_t now_ns)
{
	int64_t look = now_ns + LOOK_NS;

	for (size_t i = 0; i < fleet->n_started; i++) {
		const struct pl_remote *r = &fleet->v[i];

		if (r->state == PL_REMOTE_CLOSING && look > now_ns + SETTLE_NS)
			look = now_ns + SETTLE_NS;
		else if (r->waiting_for && r->deadline_ns < look)
			look = r->deadline_ns;
	}
	return look;
}

/* Only what is open: poll() refuses more entries than descriptors may be open. */
static nfds_t list_open(struct pl_fleet *fleet)
{
	nfds_t n = 0;

	for (size_t i = 0; i < fleet->n_started; i++) {
		const struct pl_child *c = &fleet->v[i].child;

		if (c->out >= 0)
			fleet->fds[n++] =
				(struct pollfd){.fd = c->out, .events = POLLIN};
		if (c->err >= 0)
			fleet->fds[n++] =
				(struct pollfd){.fd = c->err, .events = POLLIN};
	}
	return n;
}

/* What came, to each its own; in the order of list_open. */
static void hand_out(struct pl_fleet *fleet)
{
	const struct pollfd *fd = fleet->fds;

	for (size_t i = 0; i < fleet->n_started; i++) {
		struct pl_remote *r = &fleet->v[i];

		r->out_events = r->child.out >= 0 ? fd++->revents : 0;
		r->err_events = r->child.err >= 0 ? fd++->revents : 0;
	}
}

static int poll_all(struct pl_fleet *fleet, struct pl_err *err)
{
	const int64_t now = pl_tool_clock_ns();
	const int64_t wait = next_look(fleet, now) - now;
	const nfds_t n = list_open(fleet);
	struct timespec t = {0};

	if (wait > 0)
		t.tv_nsec = (long)wait; /* LOOK_NS at most */
	if (ppoll(fleet->fds, n, &t, NULL) < 0) {
		if (errno != EINTR)
			return pl_err_errno(err, "ppoll");
		list_open(fleet); /* nothing came */
	}
	hand_out(fleet);
	return 0;
}

static void read_errors(struct pl_fleet *fleet, size_t host)
{
	const struct pl_probe_options *o = fleet->options;
	char line[PL_LINE_CHARS];

	while (pl_remote_read_error(&fleet->v[host], line))
		if (o->log)
			o->log(o->log_arg, fleet->v[host].name, line);
}

static void read_messages(struct pl_fleet *fleet, size_t host, int64_t now_ns)
{
	struct pl_remote *r = &fleet->v[host];
	struct pl_msg msg;
	int have;

	pl_remote_read(r, now_ns);
	while ((have = pl_remote_next(r, &msg)) > 0)
		fleet->message(fleet->arg, host, &msg);
	if (have < 0)
		fleet->lost(fleet->arg, host);
}

static void check_time(struct pl_fleet *fleet, size_t host, int64_t now_ns)
{
	struct pl_remote *r = &fleet->v[host];
	char reason[PL_LINE_CHARS];

	if (r->state == PL_REMOTE_CLOSING) {
		if (!pl_remote_has_ended(r, now_ns))
			return;
		read_errors(fleet, host);
		pl_remote_settle(r);
		if (pl_remote_is_lost(r))
			fleet->lost(fleet->arg, host);
	} else if (r->waiting_for && now_ns >= r->deadline_ns) {
		snprintf(reason, sizeof(reason),
			 "its agent did not %s in time%s%.300s", r->waiting_for,
			 r->said[0] ? ": " : "", r->said);
		if (r->ending) /* nothing more is wanted of it */
			r->waiting_for = NULL;
		else
			pl_fleet_lose(fleet, host, reason);
	}
}

/* Waits once and serves what came. */
static int serve(struct pl_fleet *fleet, struct pl_err *err)
{
	int64_t now;

	if (poll_all(fleet, err))
		return -1;
	now = pl_tool_clock_ns();
	for (size_t i = 0; i < fleet->n_started; i++) {
		if (fleet->v[i].err_events)
			read_errors(fleet, i);
		if (fleet->v[i].out_events && fleet->v[i].child.out >= 0)
			read_messages(fleet, i, now);
		if (fleet->v[i].state != PL_REMOTE_GONE)
			check_time(fleet, i, now);
	}
	return 0;
}

static size_t n_owing(const struct pl_fleet *fleet)
{
	size_t n = 0;

	for (size_t i = 0; i < fleet->n_started; i++)
		n += is_owing(&fleet->v[i]);
	return n;
}

int pl_fleet_wait(struct pl_fleet *fleet, struct pl_err *err)
{
	while (n_owing(fleet) > 0)
		if (is_stopped(fleet) ||
		    pl_tool_clock_ns() >= fleet->until_ns || serve(fleet, err))
			return -1;
	return 0;
}

static void start_some(struct pl_fleet *fleet)
{
	const struct pl_probe_options *o = fleet->options;
	size_t starting = n_owing(fleet);

	while (fleet->n_started < fleet->n && starting < o->fanout) {
		const size_t host = fleet->n_started++;

		if (pl_remote_start(&fleet->v[host], o->launch, fleet->command,
				    pl_tool_clock_ns() + o->start_ns))
			fleet->lost(fleet->arg, host);
		else
			starting++;
	}
}

int pl_fleet_start(struct pl_fleet *fleet, struct pl_err *err)
{
	do {
		start_some(fleet);
		if (is_stopped(fleet) || serve(fleet, err))
			return -1;
	} while (fleet->n_started < fleet->n || n_owing(fleet) > 0);
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
		if (left == 0 || pl_tool_clock_ns() >= deadline_ns)
			return left == 0;
		nanosleep(&nap, NULL);
	}
}

/* END to whoever listens, and their last words. */
static void say_goodbye(struct pl_fleet *fleet)
{
	const struct pl_msg end = {.kind = PL_MSG_END};
	const int64_t deadline = pl_tool_clock_ns() + BYE_NS;

	for (size_t i = 0; i < fleet->n_started; i++) {
		struct pl_remote *r = &fleet->v[i];

		r->waiting_for = NULL;
		if (!pl_fleet_is_up(fleet, i))
			continue;
		r->ending = true;
		if (!pl_remote_tell(r, &end))
			pl_remote_expect(r, "end", deadline);
	}
	while (n_owing(fleet) > 0 && pl_tool_clock_ns() < deadline)
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
	now = pl_tool_clock_ns();
	if (!reap_until(fleet, now + GRACE_NS)) {
		signal_all(fleet, SIGTERM);
		now = pl_tool_clock_ns();
		if (!reap_until(fleet, now + TERM_NS)) {
			signal_all(fleet, SIGKILL);
			reap_until(fleet, INT64_MAX);
		}
	}
}

void pl_fleet_fini(struct pl_fleet *fleet)
{
	free(fleet->v);
	free(fleet->fds);
	fleet->v = NULL;
	fleet->fds = NULL;
	fleet->n = fleet->n_started = 0;
}
