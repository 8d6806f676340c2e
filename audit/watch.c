/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - a job is run, and captured on every host of it meanwhile */
#include "config.h"

#include "audit/watch.h"

#include "audit/command.h"
#include "audit/savefile.h"
#include "audit/watcher.h"
#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define POLL_MS 50
#define FINI_NS (3 * (int64_t)1000000000)

struct watch {
	const struct pl_watch_options *o;
	const struct pl_placement *job;
	struct pl_watcher *w; /* [n] */
	struct pollfd *fds;   /* [2n] */
	size_t n, n_started;
	struct rlimit files; /* as given */
};

/* Serves them for a moment. 0, or -1 with @err set where one is lost. */
static int serve(struct watch *x, struct pl_err *err)
{
	for (size_t i = 0; i < x->n_started; i++) {
		x->fds[2 * i] = (struct pollfd){x->w[i].child.out, POLLIN, 0};
		x->fds[2 * i + 1] = (struct pollfd){x->w[i].child.err, POLLIN, 0};
	}
	if (poll(x->fds, 2 * x->n_started, POLL_MS) < 0 && errno != EINTR)
		return pl_err_errno(err, "cannot wait");
	for (size_t i = 0; i < x->n_started; i++) {
		if (x->fds[2 * i + 1].revents)
			pl_watcher_read_errors(&x->w[i], x->o->log);
		if (x->fds[2 * i].revents && pl_watcher_read(&x->w[i], err))
			return -1;
	}
	return 0;
}

static int start_all(struct watch *x, struct pl_err *err)
{
	const int64_t deadline = pl_clock_ns() + x->o->start_ns;
	size_t n_ready = 0;

	for (size_t i = 0; i < x->n; i++) {
		if (pl_watcher_start(&x->w[i], x->o, x->job, i, err))
			return -1;
		x->n_started++;
	}
	while (n_ready < x->n) {
		if (*x->o->stop)
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
		if (serve(x, err))
			return -1;
		for (n_ready = 0; n_ready < x->n; n_ready++)
			if (!x->w[n_ready].greeted)
				break;
		if (n_ready < x->n && pl_clock_ns() > deadline)
			return pl_err_set(err, PL_ESYSTEM,
					  "%s: no capture has begun there "
					  "within %g s",
					  x->w[n_ready].host, (double)x->o->start_ns * 1e-9);
	}
	return 0;
}

/* Many captures may have raised our limit of open files: the job has the one
 * that was given. */
static int start_command(struct watch *x, struct pl_command *command, struct pl_err *err)
{
	struct rlimit now;
	int rc;

	getrlimit(RLIMIT_NOFILE, &now);
	setrlimit(RLIMIT_NOFILE, &x->files);
	rc = pl_command_start(command, x->o->command, PL_COMMAND_OUT_STDERR, err);
	setrlimit(RLIMIT_NOFILE, &now);
	return rc;
}

static int run_command(struct watch *x, int *status, struct pl_err *err)
{
	struct pl_command command;
	int rc = 0;

	if (start_command(x, &command, err))
		return -1;
	while (!rc && !pl_command_has_ended(&command)) {
		rc = serve(x, err);
		if (!rc && *x->o->stop)
			rc = pl_err_set(err, PL_EPARTIAL, "interrupted");
		for (size_t i = 0; !rc && i < x->n; i++)
			if (x->w[i].child.out < 0)
				rc = pl_watcher_lost(&x->w[i], err);
	}
	if (!rc && *x->o->stop) /* Ctrl-C ends the command, too */
		rc = pl_err_set(err, PL_EPARTIAL, "interrupted");
	pl_command_stop(&command);
	*status = command.status;
	return rc;
}

/* Their input ends; they send what they still have, and are gone. */
static int end_all(struct watch *x, struct pl_err *err)
{
	const int64_t deadline = pl_clock_ns() + x->o->end_ns;
	size_t done = 0;

	for (size_t i = 0; i < x->n; i++)
		pl_watcher_close_input(&x->w[i]);
	while (done < x->n) {
		if (*x->o->stop)
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
		if (serve(x, err))
			return -1;
		for (done = 0; done < x->n; done++)
			if (x->w[done].child.out >= 0)
				break;
		if (done < x->n && pl_clock_ns() > deadline)
			return pl_err_set(err, PL_ESYSTEM,
					  "%s: the capture there has not "
					  "ended within %g s",
					  x->w[done].host, (double)x->o->end_ns * 1e-9);
	}
	for (size_t i = 0; i < x->n; i++)
		if (pl_watcher_reap(&x->w[i], err))
			return -1;
	return 0;
}

/* By its greeting, with blanks between. */
static int add_addresses(struct pl_watcher *w, size_t node, struct pl_who *who, struct pl_err *err)
{
	for (char *s = w->addresses; *s;) {
		char *end = s + strcspn(s, " ");
		const bool more = *end;

		*end = '\0';
		if (pl_who_add_seen(who, s, node, err))
			return -1;
		s = more ? end + 1 : end;
	}
	return 0;
}

static int read_one(struct pl_watcher *w, struct pl_trace *trace, size_t node, struct pl_who *who,
		    const struct pl_watch_options *o, struct pl_err *err)
{
	FILE *f = w->spool;

	if (add_addresses(w, node, who, err) || pl_trace_init(trace, w->host, err))
		return -1;
	trace->owner = node;
	trace->stop = o->stop;
	trace->with_trips = o->with_trips;
	w->spool = NULL;
	rewind(f);
	if (pl_savefile_read(trace, f, err) == 0)
		return 0;
	pl_trace_fini(trace);
	return -1;
}

/* Whatever the job came to: what was captured of it is kept. */
static int keep_all(struct watch *x, struct pl_err *err)
{
	struct pl_err first = {0}, *to = &first;
	int rc = 0;

	for (size_t i = 0; i < x->n; i++)
		if (pl_watcher_keep(&x->w[i], to)) {
			rc = -1;
			to = NULL;
		}
	if (rc && err)
		*err = first;
	return rc;
}

/* The job, and the end of all captures. */
static int run_all(struct watch *x, int *status, struct pl_err *err)
{
	const int rc = run_command(x, status, err) || end_all(x, err) ? -1 : 0;

	return keep_all(x, rc ? NULL : err) || rc ? -1 : 0;
}

static int read_all(struct watch *x, struct pl_trace *trace, struct pl_who *who, struct pl_err *err)
{
	for (size_t i = 0; i < x->n; i++)
		if (read_one(&x->w[i], &trace[i], i, who, x->o, err)) {
			while (i-- > 0)
				pl_trace_fini(&trace[i]);
			return -1;
		}
	return 0;
}

int pl_watch_run(const struct pl_watch_options *o, const struct pl_placement *job,
		 struct pl_trace *trace, struct pl_who *who, int *status, struct pl_err *err)
{
	struct watch x = {.o = o, .job = job, .n = job->node.n};
	int64_t until_ns;
	int rc = -1;

	*status = 0;
	getrlimit(RLIMIT_NOFILE, &x.files);
	pl_child_allow(x.n);
	x.w = pl_array_create(x.n, sizeof(*x.w));
	x.fds = pl_array_create(2 * x.n, sizeof(*x.fds));
	if (!x.w || !x.fds)
		pl_err_nomem(err);
	else if (!start_all(&x, err) && !run_all(&x, status, err))
		rc = read_all(&x, trace, who, err);
	/* all at once: those that hang are waited for once */
	for (size_t i = 0; i < x.n_started; i++)
		pl_watcher_close_input(&x.w[i]);
	until_ns = pl_clock_ns() + FINI_NS;
	for (size_t i = 0; i < x.n_started; i++)
		pl_watcher_fini(&x.w[i], until_ns);
	free(x.w);
	free(x.fds);
	return rc;
}
