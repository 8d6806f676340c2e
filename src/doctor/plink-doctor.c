/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-doctor.c - checks that hosts have what plink needs */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/text/outfile.h"
#include "probes/launch/launch.h"
#include "probes/launch/push.h"
#include "probes/run/options.h"
#include "probes/run/probe.h"
#include "src/common/probing.h"
#include "src/common/tool.h"
#include "src/doctor/ask.h"
#include "src/doctor/judge.h"
#include "src/doctor/options.h"
#include "src/doctor/ring.h"
#include "src/doctor/script.h"
#include "src/doctor/show.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S_NS INT64_C(1000000000)

/* One run. Start with {0}, end with fini. */
struct doctor {
	const struct pl_doctor_options *o;
	struct pl_hosts hosts;     /* each once */
	struct pl_doctor_facts *v; /* [hosts.n] */
	struct pl_doctor_facts here;
	struct pl_doctor_ring ring;
	struct pl_probe_options probe;
	char *agent; /* what probe.agent points to, unless the user named it */
	int64_t stepped_ns;
	struct pl_probing probing;
	struct pl_outfile out;
};

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

/* Reads the host list, and finds faults of the options before a host is
 * asked. */
static int take_hosts(struct doctor *d, const struct pl_hosts *given, struct pl_err *err)
{
	struct pl_probe_options settled;
	struct pl_push push = {0};
	int rc;

	if (given->n > PL_MATRIX_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "%s: %zu hosts: at most %d", d->o->hosts,
				  given->n, PL_MATRIX_HOSTS_MAX);
	if (pl_probe_agent_choose(&d->probe, d->o->push, &d->agent, err) ||
	    pl_options_settle(given, &d->probe, &d->hosts, &settled, err))
		return -1;
	if (!d->probe.push)
		return 0;
	rc = pl_push_load(&push, d->probe.push, err);
	pl_push_fini(&push);
	return rc;
}

static int prepare(struct doctor *d, struct pl_err *err)
{
	const struct pl_doctor_options *o = d->o;
	struct pl_hosts given = {0};
	int rc = pl_probing_hosts(&given, o->hosts, o->form, err);

	d->probe = o->probe;
	d->probe.stop = &stopped;
	rc = rc || take_hosts(d, &given, err);
	pl_hosts_fini(&given);
	if (rc)
		return -1;
	d->v = pl_array_create(d->hosts.n, sizeof(*d->v));
	if (!d->v)
		return pl_err_nomem(err);
	for (size_t i = 0; i < d->hosts.n; i++) {
		d->v[i].name = d->hosts.v[i].name;
		d->v[i].user = d->hosts.v[i].user;
	}
	d->here.name = "here";
	if (!pl_launch_names_host(d->probe.launch) && d->hosts.n > 1)
		pl_tool_warn(PL_DOCTOR_TOOL, PL_LAUNCH_SAME, d->hosts.n);
	return 0;
}

/* The folder of the running program; false: it cannot be found out. */
static bool own_folder(char path[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (len <= 0 || len == PATH_MAX - 1)
		return false;
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

static void show_progress(void *arg, size_t done, size_t n, const char *waiting_for)
{
	struct doctor *d = arg;
	char more[PL_HOST_NAME_MAX + 16] = "";

	if (waiting_for)
		snprintf(more, sizeof(more), "waiting for %s", waiting_for);
	pl_progress_show(&d->probing.progress,
			 (struct pl_progress_now){.done = done,
						  .total = n,
						  .phase = "asking",
						  .unit = "hosts",
						  .left_s = PL_PROGRESS_UNSTEADY,
						  .more = more[0] ? more : NULL});
}

static int ask(struct doctor *d, struct pl_err *err)
{
	const int64_t each_s = d->o->limit_ns / S_NS / 3; /* several are asked */
	char folder[PATH_MAX];
	const struct pl_doctor_places places = {
		.agent = d->o->push ? NULL : d->probe.agent,
		.beside = own_folder(folder) ? folder : NULL,
		.libdir = PL_PKGLIBDIR,
		.libexecdir = PL_PKGLIBEXECDIR,
		.each_s = each_s < 1 ? 1 : (unsigned)each_s,
	};
	struct pl_doctor_ask ask = {
		.launch = d->probe.launch,
		.fanout = d->probe.fanout,
		.limit_ns = d->o->limit_ns,
		.stop = &stopped,
		.log = d->o->verbose ? pl_probing_log : NULL,
		.log_arg = &d->probing,
		.arg = d,
	};
	char *script = pl_doctor_script_facts(&places);
	int rc;

	if (!script)
		return pl_err_nomem(err);
	ask.script = script;
	d->probing.tool = PL_DOCTOR_TOOL;
	pl_progress_begin(&d->probing.progress, PL_DOCTOR_TOOL);
	if (d->probing.progress.on)
		ask.progress = show_progress;
	rc = pl_doctor_ask_all(&ask, d->v, d->hosts.n, &d->here, err);
	pl_progress_end(&d->probing.progress);
	free(script);
	return rc;
}

/* The ring is tried with the agents of the hosts that have one. */
static int probe(struct doctor *d, struct pl_err *err)
{
	for (size_t i = 0; i < d->hosts.n; i++) {
		struct pl_doctor_facts *f = &d->v[i];
		char version[PL_DOCTOR_TEXT];

		f->probed = f->whole &&
			    (d->o->push || pl_doctor_version(f->agent, "plink-agent", version));
	}
	d->probe.log_arg = &d->probing;
	if (d->o->verbose)
		d->probe.log = pl_probing_log;
	return pl_doctor_ring_probe(&d->ring, d->v, d->hosts.n, &d->probe, d->o->limit_ns, err);
}

static int write_all(struct doctor *d, const struct pl_doctor_seen *seen,
		     const struct pl_doctor_verdict *verdict, struct pl_err *err)
{
	int rc = 0;

	if (d->o->json)
		rc = pl_doctor_show_json(d->out.f, seen, verdict, err);
	else
		pl_doctor_show(d->out.f, seen, verdict);
	return rc ? -1 : pl_outfile_commit(&d->out, err);
}

/* The exit status, or -1 with @err set. */
static int judge(struct doctor *d, struct pl_err *err)
{
	const struct pl_doctor_seen seen = {
		.v = d->v,
		.n = d->hosts.n,
		.here = &d->here,
		.ring = &d->ring,
		.version = PACKAGE_VERSION,
		.launch = d->probe.launch,
		.pushed = d->o->push,
		.ports = d->probe.ports,
		.stepped_ns = d->stepped_ns,
	};
	struct pl_doctor_verdict verdict = {0};
	int status = -1;

	if (pl_doctor_judge(&verdict, &seen, err))
		return -1;
	if (write_all(d, &seen, &verdict, err) == 0)
		status = verdict.n ? PL_EXIT_PARTIAL : PL_EXIT_DONE;
	pl_doctor_verdict_fini(&verdict);
	return status;
}

int main(int argc, char **argv)
{
	struct pl_doctor_options o;
	const int64_t start_ns = pl_clock_ns(), before = pl_doctor_clocks_apart();
	struct doctor d = {.o = &o};
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = pl_doctor_options_parse(&o, argc, argv);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	status = -1;
	pl_stop_on_signals(stop);
	signal(SIGPIPE, SIG_IGN); /* a closed output is an error */
	/* report an output that cannot be written before the long work */
	if (prepare(&d, &err) || pl_outfile_open(&d.out, o.output, &err) || ask(&d, &err))
		goto out;
	d.stepped_ns = pl_doctor_clocks_apart() - before;
	if (probe(&d, &err))
		goto out;
	status = judge(&d, &err);
out:
	if (status < 0)
		status = pl_tool_fail(PL_DOCTOR_TOOL, &err);
	if (o.verbose)
		pl_tool_say(PL_DOCTOR_TOOL, "%zu hosts asked, %llu probes, %.3f s in all",
			    d.hosts.n, (unsigned long long)d.ring.probes,
			    (double)(pl_clock_ns() - start_ns) * 1e-9);
	pl_outfile_abort(&d.out); /* unless it was committed */
	pl_doctor_ring_fini(&d.ring);
	free(d.agent);
	free(d.v);
	pl_hosts_fini(&d.hosts);
	return status;
}
