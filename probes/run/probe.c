/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - measure a list of hosts: agents started, all pairs probed, a
 * matrix */
#include "config.h"

#include "probes/launch/spawn.h"
#include "probes/run/probe.h"

#include "base/clock.h"
#include "base/mem.h"
#include "probes/bandwidth/layers.h"
#include "probes/run/measure.h"
#include "probes/run/options.h"
#include "probes/run/resume.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What starts plink-agent. Malloc'd; NULL: out of memory. */
static char *agent_command(const struct pl_probe_options *o, const struct pl_push *push)
{
	char args[PL_IFACE_OPTION_MAX + 64], *command;
	size_t len = 0, size;

	args[0] = '\0';
	if (o->iface)
		len = (size_t)snprintf(args, sizeof(args), " --iface=%s", o->iface);
	if (o->ports.max)
		snprintf(args + len, sizeof(args) - len, " --ports=%d-%d", o->ports.min,
			 o->ports.max);
	if (o->push)
		return pl_push_command(push, args);
	size = strlen(o->agent) + strlen(args) + 1;
	command = pl_array_create(size, 1);
	if (command)
		snprintf(command, size, "%s%s", o->agent, args);
	return command;
}

static void count_hosts(const struct pl_coordinator *c, struct pl_probe_report *report)
{
	report->n_hosts = c->fleet.n;
	for (size_t i = 0; i < c->fleet.n; i++) {
		report->n_lost_hosts += pl_remote_is_lost(&c->fleet.v[i]);
		report->replies_refused += c->fleet.v[i].refused;
		report->packets_stale += c->fleet.v[i].stale;
	}
}

static bool is_noted(const struct pl_matrix *m, const char *reason)
{
	for (size_t k = 0; k < m->n_notes; k++)
		if (strstr(m->note[k].text, reason))
			return true;
	return false;
}

/* Of whoever was lost when all its pairs had been measured, no cell says
 * why. */
static int note_lost(struct pl_matrix *m, const struct pl_fleet *fleet)
{
	char text[PL_HOST_NAME_MAX + PL_LINE_CHARS];

	for (size_t i = 0; i < fleet->n; i++) {
		const struct pl_remote *r = &fleet->v[i];

		if (!pl_remote_is_lost(r))
			continue;
		/* a note may be cut */
		snprintf(text, sizeof(text), "%s: %.80s", r->name, r->reason);
		if (is_noted(m, text))
			continue;
		snprintf(text, sizeof(text), "%s: %s", r->name, r->reason);
		if (pl_matrix_add_header(m, "lost", text))
			return -1;
	}
	return 0;
}

/* With the hosts' agents. */
static int measure(struct pl_coordinator *c, struct pl_collect *collect,
		   struct pl_probe_report *report, struct pl_err *err)
{
	int status = pl_measure(c, collect, report, err);

	pl_coordinator_stop(c);
	if (!status && note_lost(collect->matrix, &c->fleet))
		status = pl_err_nomem(err);
	return status;
}

static struct pl_matrix *run(const struct pl_hosts *hosts, const struct pl_probe_options *options,
			     struct pl_probe_report *report, struct pl_err *err)
{
	struct pl_collect collect = {0};
	struct pl_coordinator c = {0};
	struct pl_matrix *matrix = NULL;
	struct pl_push push = {0};
	char *command = NULL;
	int status = -1;

	if (options->push && pl_push_load(&push, options->push, err))
		return NULL;
	command = agent_command(options, &push);
	if (!command) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_collect_init(&collect, hosts, options->chooser != NULL, err))
		goto out;
	if ((options->resume && pl_resume_take(&collect, options, &report->pairs_kept)) ||
	    pl_bandwidth_prepare(collect.matrix, options)) {
		pl_err_nomem(err);
	} else if (!pl_coordinator_init(&c, hosts, options, command, err)) {
		c.fleet.push = push.data ? &push : NULL;
		status = measure(&c, &collect, report, err);
	}
	pl_coordinator_stop(&c);
	count_hosts(&c, report);
	pl_coordinator_fini(&c);
	pl_collect_count(&collect, report);
	if (!status) {
		matrix = collect.matrix;
		collect.matrix = NULL;
	}
out:
	pl_collect_fini(&collect);
	pl_push_fini(&push);
	free(command);
	return matrix;
}

/* Takes a SIGPIPE that became pending while it was blocked. */
static void drop_sigpipe(const sigset_t *pipe)
{
	const struct timespec now = {0};

	while (sigtimedwait(pipe, NULL, &now) > 0)
		;
}

struct pl_matrix *pl_probe_run(const struct pl_hosts *hosts, const struct pl_probe_options *options,
			       struct pl_probe_report *report, struct pl_err *err)
{
	const int64_t begun = pl_clock_ns();
	struct pl_probe_options settled;
	struct pl_hosts once = {0};
	struct pl_matrix *matrix = NULL;
	sigset_t pipe, before, pending;

	memset(report, 0, sizeof(*report));
	if (sodium_init() < 0) {
		pl_err_set(err, PL_ESYSTEM,
			   "libsodium does not start: this machine provides no random numbers");
		return NULL;
	}
	if (pl_options_settle(hosts, options, &once, &settled, err))
		goto out;
	report->gap_ns = settled.gap_ns;
	report->flows = settled.flows;
	pl_child_allow(once.n);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	matrix = run(&once, &settled, report, err);
	if (!sigismember(&pending, SIGPIPE))
		drop_sigpipe(&pipe);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
out:
	pl_hosts_fini(&once);
	report->elapsed_ns = pl_clock_ns() - begun;
	return matrix;
}
