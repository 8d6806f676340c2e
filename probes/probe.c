/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - measure a list of hosts: agents started, all pairs probed, a matrix */
#include "config.h"

#include "probes/probe.h"

#include "probes/collect.h"
#include "probes/coordinator.h"
#include "src/mem.h"
#include "src/tool.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MS INT64_C(1000000)
#define SPARE_DESCRIPTORS 64

void pl_probe_defaults(struct pl_probe_options *options)
{
	*options = (struct pl_probe_options){
		.launch = "ssh -oBatchMode=yes %h",
		.agent = "plink-agent",
		.probes_min = 40,
		.probes_max = 1000,
		.precision = 0.02,
		.precision_ns = 10000,
		.gap_ns = 1 * MS,
		.pair_ns = 1000 * MS,
		.silence_ns = 5000 * MS,
		.start_ns = 30000 * MS,
		.fanout = 64,
	};
}

static int check(const struct pl_hosts *hosts, const struct pl_probe_options *o,
		 struct pl_err *err)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.:/@-";
	char **argv;

	if (hosts->n == 0 || hosts->n > PL_MATRIX_HOSTS_MAX)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu hosts; 1 to %d can be "
				  "measured",
				  hosts->n, PL_MATRIX_HOSTS_MAX);
	if (o->probes_min < 1 || o->probes_max < o->probes_min ||
	    o->probes_max > PL_PROBES_LIMIT)
		return pl_err_set(
			err, PL_EUSAGE, "%u to %u probes; 1 to %d can be sent",
			o->probes_min, o->probes_max, PL_PROBES_LIMIT);
	if (o->iface && strspn(o->iface, safe) != strlen(o->iface))
		return pl_err_set(err, PL_EUSAGE,
				  "\"%s\" is no interface or network",
				  o->iface);
	argv = pl_launch_argv(o->launch, "host", "true", err);
	free(argv);
	return argv ? 0 : -1;
}

/* The agent's command with its options. Malloc'd; NULL: out of memory. */
static char *agent_command(const struct pl_probe_options *o)
{
	const size_t size =
		strlen(o->agent) + (o->iface ? strlen(o->iface) : 0) + 64;
	char *command = pl_array_create(size, 1);
	size_t len;

	if (!command)
		return NULL;
	len = (size_t)snprintf(command, size, "%s", o->agent);
	if (o->iface)
		len += (size_t)snprintf(command + len, size - len,
					" --iface=%s", o->iface);
	if (o->port_max)
		snprintf(command + len, size - len, " --ports=%d-%d",
			 o->port_min, o->port_max);
	return command;
}

static int distinct(const struct pl_hosts *hosts, struct pl_hosts *to,
		    struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (pl_hosts_find(to, hosts->v[i].name) < 0 &&
		    pl_hosts_add(to, &hosts->v[i]))
			return pl_err_nomem(err);
	return 0;
}

static int name_host(struct pl_host *host, const struct pl_remote *r)
{
	char text[PL_ADDR_CHARS];

	pl_addr_format(&r->addr[r->pick], text);
	free(host->node);
	free(host->addr);
	host->node = pl_string_copy(r->node, strlen(r->node));
	host->addr = pl_string_copy(text, strlen(text));
	return host->node && host->addr ? 0 : -1;
}

/* Node names and addresses of those that were ready. */
static int name_hosts(const struct pl_coordinator *c)
{
	struct pl_hosts *hosts = &c->collect->matrix->hosts;

	for (size_t i = 0; i < hosts->n; i++)
		if (c->fleet.v[i].port &&
		    name_host(&hosts->v[i], &c->fleet.v[i]))
			return -1;
	return 0;
}

/* Why src -> dst was not measured, as far as that is not known better. */
static int explain_cell(const struct pl_coordinator *c, size_t src, size_t dst)
{
	const struct pl_remote *const ends[] = {&c->fleet.v[src],
						&c->fleet.v[dst]};
	char text[PL_LINE_CHARS + PL_HOST_NAME_MAX];

	for (size_t k = 0; k < 2; k++) {
		if (!pl_remote_is_lost(ends[k]))
			continue;
		snprintf(text, sizeof(text), "%s: %s", ends[k]->name,
			 ends[k]->reason);
		return pl_collect_miss(c->collect, src, dst, text);
	}
	return pl_collect_miss(c->collect, src, dst,
			       "interrupted before it was measured");
}

static int explain_all(const struct pl_coordinator *c)
{
	for (size_t i = 0; i < c->fleet.n; i++)
		for (size_t j = 0; j < c->fleet.n; j++)
			if (i != j && explain_cell(c, i, j))
				return -1;
	return 0;
}

/* 0: the matrix is worth having, if in part; -1 with @err set. */
static int measure(struct pl_coordinator *c, struct pl_probe_report *report,
		   struct pl_err *err)
{
	struct pl_err why = {0};
	const int64_t begun = pl_tool_clock_ns();
	int status = pl_coordinator_start(c, &why);

	report->start_ns = pl_tool_clock_ns() - begun;
	if (!status)
		status = pl_coordinator_rounds(c, &why);
	if (status && why.code != PL_OK) {
		if (err)
			*err = why;
		return -1;
	}
	report->interrupted = status != 0;
	report->n_rounds = c->round;
	if (explain_all(c) || name_hosts(c))
		return pl_err_nomem(err);
	return 0;
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
	char *command = agent_command(options);
	int status = -1;

	if (!command) {
		pl_err_nomem(err);
		return NULL;
	}
	if (pl_collect_init(&collect, hosts, err))
		goto out;
	if (pl_coordinator_init(&c, hosts, options, command, &collect))
		pl_err_nomem(err);
	else
		status = measure(&c, report, err);
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
	struct pl_hosts once = {0};
	struct pl_matrix *matrix = NULL;
	sigset_t pipe, before, pending;

	memset(report, 0, sizeof(*report));
	if (sodium_init() < 0) {
		pl_err_set(err, PL_ESYSTEM, "libsodium does not start");
		return NULL;
	}
	if (check(hosts, options, err))
		return NULL;
	allow_descriptors(hosts->n);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	if (!distinct(hosts, &once, err))
		matrix = run(&once, options, report, err);
	if (!sigismember(&pending, SIGPIPE))
		drop_sigpipe(&pipe);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pl_hosts_fini(&once);
	report->elapsed_ns = pl_tool_clock_ns() - begun;
	return matrix;
}
