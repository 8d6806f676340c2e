/* SPDX-License-Identifier: BSD-3-Clause */
/* ask.c - asks all hosts, side by side */
#include "config.h"

#include "src/doctor/ask.h"

#include "base/clock.h"
#include "base/mem.h"
#include "probes/run/remote.h"
#include "src/doctor/script.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define S_NS (1000 * MS)
#define LEAVE_NS (2 * S_NS)  /* from the last answer to the launcher's end */
#define TERM_NS (1 * S_NS)   /* from SIGTERM to SIGKILL */
#define CLOSED_NS (3 * S_NS) /* from its output's end to its own */
#define LOOK_NS                                                                                    \
	(20 * MS) /* how often to look for processes that have                                     \
		   * ended */
#define READS                                                                                      \
	64 /* read from one pipe before the next one has its                                       \
	    * turn */

enum stage {
	FREE,
	WAITING,  /* was dropped, and is to be started again */
	GREETING, /* its shell is to start */
	FIRST,    /* the time is asked */
	TELLING,  /* all else */
	LAST,     /* the time is asked again */
	LEAVING,  /* told to end */
	KILLED,   /* given up */
};

/* A host that is being asked now. */
struct talk {
	enum stage stage;
	struct pl_doctor_facts *facts;
	struct pl_remote r;
	int64_t asked_ns;    /* when the time was asked */
	int64_t deadline_ns; /* of this stage, or of all stages but the last
			      * two */
	bool closed;         /* its output has ended */
};

struct asker {
	const struct pl_doctor_ask *ask;
	struct talk *talk; /* [n_talks] */
	size_t n_talks;
	struct pollfd *fd; /* [2 * n_talks] */
	size_t n_left;     /* hosts that have not finished */
	struct pl_starts starts;
	int64_t base_ns; /* what is added to the monotonic clock for UTC */
};

int64_t pl_doctor_clocks_apart(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * S_NS + now.tv_nsec - pl_clock_ns();
}

static bool is_stopped(const struct asker *a)
{
	return a->ask->stop && *a->ask->stop;
}

/* Gives the host up, for @reason unless it has one already. */
static void give_up(struct talk *t, const char *reason)
{
	if (!t->facts->whole && !t->facts->fault[0]) {
		snprintf(t->facts->fault, sizeof(t->facts->fault), "%s", reason);
		t->facts->known = t->r.fault;
	}
	pl_remote_lose(&t->r, "%s", reason);
	t->stage = KILLED;
	t->deadline_ns = pl_clock_ns() + TERM_NS;
}

/* A pipe takes all of it at once: it is empty, and has room for 64 KiB. */
static void tell(struct talk *t, const char *text)
{
	const size_t len = strlen(text);
	ssize_t put;

	do
		put = write(t->r.child.in, text, len);
	while (put < 0 && errno == EINTR);
	if (put != (ssize_t)len && !(put < 0 && errno == EPIPE))
		give_up(t, "its shell does not read its input");
}

static void ask_time(struct talk *t, enum stage stage)
{
	t->stage = stage;
	t->asked_ns = pl_clock_ns();
	tell(t, pl_doctor_script_clock);
}

static void take_time(const struct asker *a, struct talk *t, struct pl_doctor_span clock)
{
	const struct pl_doctor_span asked = {
		.lo_ns = t->asked_ns + a->base_ns,
		.hi_ns = pl_clock_ns() + a->base_ns,
	};

	pl_doctor_read_clock(t->facts, clock, asked);
}

static void leave(struct talk *t)
{
	t->facts->whole = true;
	t->stage = LEAVING;
	t->deadline_ns = pl_clock_ns() + LEAVE_NS;
	close(t->r.child.in);
	t->r.child.in = -1;
}

static void take_line(const struct asker *a, struct talk *t, const char *line)
{
	struct pl_doctor_span clock;
	const enum pl_doctor_key key = pl_doctor_hear(t->facts, line, &clock);

	if (t->stage == GREETING && key == PL_DOCTOR_HELLO) {
		t->r.greeted = true;
		ask_time(t, FIRST);
	} else if (t->stage == GREETING) {
		pl_remote_print(&t->r, line);
	} else if (t->stage == FIRST && key == PL_DOCTOR_CLOCK) {
		take_time(a, t, clock);
		t->stage = TELLING;
		tell(t, a->ask->script);
	} else if (t->stage == TELLING && key == PL_DOCTOR_END) {
		ask_time(t, LAST);
	} else if (t->stage == LAST && key == PL_DOCTOR_CLOCK) {
		take_time(a, t, clock);
		leave(t);
	}
}

static void read_output(const struct asker *a, struct talk *t)
{
	char line[PL_LINE_CHARS];
	enum pl_lines_got got = PL_LINES_DATA;
	int have;

	for (size_t i = 0; i < READS && t->r.child.out >= 0; i++) {
		got = pl_lines_fill(&t->r.lines, t->r.child.out);
		while ((have = pl_lines_next(&t->r.lines, line)) != 0)
			if (have > 0)
				take_line(a, t, line);
		if (got != PL_LINES_DATA)
			break;
	}
	if (got != PL_LINES_END || t->r.child.out < 0)
		return;
	close(t->r.child.out);
	t->r.child.out = -1;
	t->closed = true;
	if (t->deadline_ns > pl_clock_ns() + CLOSED_NS)
		t->deadline_ns = pl_clock_ns() + CLOSED_NS;
}

static void read_errors(const struct asker *a, struct talk *t)
{
	char line[PL_LINE_CHARS];

	for (size_t i = 0; i < READS && pl_remote_fill_errors(&t->r); i++)
		while (pl_remote_next_error(&t->r, line))
			if (a->ask->log && !(t->r.fault && t->r.fault->again))
				a->ask->log(a->ask->log_arg, t->r.name, line);
}

/* "the launcher ended with status 255: ssh: connect to host ...". */
static void explain(struct talk *t)
{
	struct pl_doctor_facts *f = t->facts;
	const char *words = pl_remote_words(&t->r);
	const char *colon = words[0] ? ": " : "";
	const char *who = t->stage == GREETING ? "the launcher" : "the shell there";

	if (!t->r.fault && t->stage == GREETING && t->r.has_status && WIFEXITED(t->r.status))
		t->r.fault = pl_launch_fault_status(WEXITSTATUS(t->r.status), words);
	f->known = t->r.fault;
	if (t->r.has_status && WIFSIGNALED(t->r.status))
		snprintf(f->fault, sizeof(f->fault), "%s was ended by signal %d%s%.300s", who,
			 WTERMSIG(t->r.status), colon, words);
	else
		snprintf(f->fault, sizeof(f->fault), "%s ended with status %d%s%.300s", who,
			 t->r.has_status ? WEXITSTATUS(t->r.status) : 0, colon, words);
}

static void run_out(const struct asker *a, struct talk *t)
{
	const double limit_s = (double)a->ask->limit_ns / (double)S_NS;
	const char *colon = t->r.said[0] ? ": " : "";
	char reason[PL_DOCTOR_FAULT];

	if (t->stage == GREETING && !t->r.fault)
		t->r.fault = pl_launch_fault_silent();
	if (t->closed)
		snprintf(reason, sizeof(reason), "it closed its output and did not end%s%.300s",
			 colon, t->r.said);
	else
		snprintf(reason, sizeof(reason), "%s within %g s%s%.300s",
			 t->stage == GREETING ? "no shell answered there"
					      : "it began to answer and did not finish",
			 limit_s, colon, t->r.said);
	give_up(t, reason);
}

/* Its process has ended: a start that was dropped is to be repeated. */
static void end(struct asker *a, struct talk *t)
{
	pl_remote_close(&t->r);
	if (t->stage == GREETING && pl_remote_again(&t->r, &a->starts, pl_clock_ns())) {
		t->stage = WAITING;
		t->deadline_ns = INT64_MAX;
		return;
	}
	if (!t->facts->whole && !t->facts->fault[0])
		explain(t);
	t->stage = FREE;
	a->n_left--;
}

/* Has its process ended, or its time run out? */
static void look_at(struct asker *a, struct talk *t)
{
	const bool over = pl_clock_ns() >= t->deadline_ns;

	if ((t->closed || t->stage == KILLED) && pl_remote_reap(&t->r)) {
		read_errors(a, t);
		end(a, t);
	} else if (over && t->stage == KILLED) {
		pl_remote_signal(&t->r, SIGKILL);
		t->deadline_ns = INT64_MAX;
	} else if (over) {
		run_out(a, t);
	}
}

/* Hosts that are, besides this machine. */
static size_t n_greeting(const struct asker *a)
{
	size_t n = 0;

	for (size_t i = 1; i < a->n_talks; i++)
		n += a->talk[i].stage == GREETING;
	return n;
}

/* Starts to ask the host, for the first time or once more. */
static void begin(struct asker *a, struct talk *t, const char *launch)
{
	t->closed = false;
	t->deadline_ns = pl_clock_ns() + a->ask->limit_ns;
	t->r.n_beside = n_greeting(a);
	t->stage = GREETING;
	if (!pl_remote_start(&t->r, launch, PL_DOCTOR_SHELL, t->deadline_ns)) {
		tell(t, pl_doctor_script_hello);
		return;
	}
	snprintf(t->facts->fault, sizeof(t->facts->fault), "%s", t->r.reason);
	t->stage = FREE;
	a->n_left--;
}

static void begin_first(struct asker *a, struct talk *t, struct pl_doctor_facts *f,
			const char *launch)
{
	*t = (struct talk){.facts = f};
	pl_remote_init(&t->r, f->name);
	t->r.user = f->user;
	begin(a, t, launch);
}

/* Of the hosts v[n], those from @next on are new. Returns the next new one. */
static size_t begin_some(struct asker *a, struct pl_doctor_facts *v, size_t n, size_t next)
{
	for (size_t i = 1; i < a->n_talks; i++) {
		struct talk *t = &a->talk[i];

		if (n_greeting(a) >= a->starts.fanout)
			break;
		if (t->stage == WAITING && pl_remote_is_due(&t->r, pl_clock_ns()))
			begin(a, t, a->ask->launch);
		else if (t->stage == FREE && next < n)
			begin_first(a, t, &v[next++], a->ask->launch);
	}
	return next;
}

/* The first host that has not finished; NULL: none. */
static const char *waiting_for(const struct asker *a)
{
	for (size_t i = 1; i < a->n_talks; i++)
		if (a->talk[i].stage != FREE)
			return a->talk[i].facts->name;
	return NULL;
}

/* Waits for output, until a deadline or the next look at ended processes. */
static void wait_for_any(struct asker *a)
{
	const int64_t now = pl_clock_ns();
	int64_t until = now + S_NS;
	nfds_t n = 0;

	for (size_t i = 0; i < a->n_talks; i++) {
		const struct talk *t = &a->talk[i];
		const bool ends = t->closed || t->stage == KILLED;

		if (t->stage == FREE)
			continue;
		if (t->stage == WAITING) {
			if (t->r.started_ns < until)
				until = t->r.started_ns;
			continue;
		}
		if (t->deadline_ns < until)
			until = t->deadline_ns;
		if (ends && until > now + LOOK_NS)
			until = now + LOOK_NS;
		a->fd[n++] = (struct pollfd){t->r.child.out, POLLIN, 0};
		a->fd[n++] = (struct pollfd){t->r.child.err, POLLIN, 0};
	}
	if (a->n_left > 0)
		poll(a->fd, n, until > now ? (int)((until - now + MS - 1) / MS) : 0);
}

static void serve(struct asker *a)
{
	for (size_t i = 0; i < a->n_talks; i++) {
		struct talk *t = &a->talk[i];

		if (t->stage == FREE || t->stage == WAITING)
			continue;
		read_errors(a, t);
		read_output(a, t);
		look_at(a, t);
	}
}

static void stop_all(struct asker *a)
{
	for (size_t i = 0; i < a->n_talks; i++)
		if (a->talk[i].stage == WAITING) {
			a->talk[i].stage = FREE;
			a->n_left--;
		} else if (a->talk[i].stage != FREE && a->talk[i].stage != KILLED) {
			give_up(&a->talk[i], "interrupted");
		}
}

/* Asks all hosts. This machine comes first: it waits for no host. */
static int run(struct asker *a, struct pl_doctor_facts *v, size_t n, struct pl_doctor_facts *here,
	       struct pl_err *err)
{
	const struct pl_doctor_ask *ask = a->ask;
	bool stopped = false;
	size_t next = 0;

	a->n_left = n + 1;
	begin_first(a, &a->talk[0], here, "sh -c");
	while (a->n_left > 0) {
		stopped = stopped || is_stopped(a);
		if (stopped) {
			a->n_left -= n - next;
			next = n;
			stop_all(a);
		}
		next = begin_some(a, v, n, next);
		wait_for_any(a);
		serve(a);
		if (ask->progress && next > 0)
			ask->progress(ask->arg, n > a->n_left ? n - a->n_left : 0, n,
				      waiting_for(a));
	}
	if (stopped)
		return pl_err_set(err, PL_EPARTIAL, "interrupted");
	return 0;
}

int pl_doctor_ask_all(const struct pl_doctor_ask *ask, struct pl_doctor_facts *v, size_t n,
		      struct pl_doctor_facts *here, struct pl_err *err)
{
	struct asker a = {
		.ask = ask,
		.n_talks = 1 + (ask->fanout < n ? ask->fanout : n),
		.starts = {.fanout = ask->fanout},
		.base_ns = pl_doctor_clocks_apart(),
	};
	int rc;

	a.talk = pl_array_create(a.n_talks, sizeof(*a.talk));
	a.fd = pl_array_create(2 * a.n_talks, sizeof(*a.fd));
	rc = a.talk && a.fd ? run(&a, v, n, here, err) : pl_err_nomem(err);
	free(a.talk);
	free(a.fd);
	return rc;
}
