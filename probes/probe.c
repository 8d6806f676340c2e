/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - measure a list of hosts: agents started, all pairs probed, a matrix */
#include "config.h"

#include "probes/probe.h"

#include "probes/measure.h"
#include "probes/options.h"
#include "probes/resume.h"
#include "src/mem.h"
#include "src/tool.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define SPARE_DESCRIPTORS 64

/* The agent's command with its options. Malloc'd; NULL: out of memory. */
static char *agent_command(const struct pl_probe_options *o,
			   const struct pl_push *push)
{
	char args[PL_IFACE_OPTION_MAX + 64];
	char *command;
	size_t len = 0, size;

	args[0] = '\0';
	if (o->iface)
		len = (size_t)snprintf(args, sizeof(args), " --iface=%s",
				       o->iface);
	if (o->port_max)
		snprintf(args + len, sizeof(args) - len, " --ports=%d-%d",
			 o->port_min, o->port_max);
	if (o->push)
		return pl_push_command(push, args);
	size = strlen(o->agent) + strlen(args) + 1;
	command = pl_array_create(size, 1);
	if (command)
		snprintf(command, size, "%s%s", o->agent, args);
	return command;
}

static void count_hosts(const struct pl_coordinator *c,
			struct pl_probe_report *report)
{
	report->n_hosts = c->fleet.n;
	for (size_t i = 0; i < c->fleet.n; i++) {
		report->n_lost_hosts += pl_remote_is_lost(&c->fleet.v[i]);
		report->replies_refused += c->fleet.v[i].refused;
		report->packets_stale += c->fleet.v[i].stale;
	}
}

static struct pl_matrix *run(const struct pl_hosts *hosts,
			     const struct pl_probe_options *options,
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
	if (pl_collect_init(&collect, hosts, err))
		goto out;
	if ((options->resume &&
	     pl_resume_take(&collect, options->resume, &report->pairs_kept)) ||
	    pl_coordinator_init(&c, hosts, options, command)) {
		pl_err_nomem(err);
	} else {
		c.fleet.push = options->push ? &push : NULL;
		status = pl_measure(&c, &collect, report, err);
	}
	pl_coordinator_stop(&c);
	count_hosts(&c, report);
	pl_coordinator_fini(&c);
	pl_collect_count(&collect, report);
	if (!status) {
		matrix = collect.matrix;
		collect.matrix = NULL;
	}
	pl_collect_fini(&collect);
out:
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

/* An agent takes three descriptors. Where the hard limit is below that, the hosts
 * beyond it will be lost for that reason. */
static void allow_descriptors(size_t n_hosts)
{
	const rlim_t need = 3 * n_hosts + SPARE_DESCRIPTORS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct pl_matrix *pl_probe_run(const struct pl_hosts *hosts,
			       const struct pl_probe_options *options,
			       struct pl_probe_report *report,
			       struct pl_err *err)
{
	const int64_t begun = pl_tool_clock_ns();
	struct pl_probe_options settled;
	struct pl_hosts once = {0};
	struct pl_matrix *matrix = NULL;
	sigset_t pipe, before, pending;

	memset(report, 0, sizeof(*report));
	if (sodium_init() < 0) {
		pl_err_set(err, PL_ESYSTEM, "libsodium does not start");
		return NULL;
	}
	if (pl_options_settle(hosts, options, &once, &settled, err))
		goto out;
	allow_descriptors(once.n);
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
	report->elapsed_ns = pl_tool_clock_ns() - begun;
	return matrix;
}
