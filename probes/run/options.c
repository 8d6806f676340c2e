/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - what a caller asks for, checked and made into what holds */
#include "config.h"

#include "probes/run/options.h"

#include "base/text/names.h"
#include "probes/bandwidth/layers.h"
#include "probes/launch/launch.h"
#include "probes/pair/prober.h"
#include "probes/protocol/address.h"
#include "probes/protocol/flow.h"
#include "probes/run/resume.h"

#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

void pl_probe_defaults(struct pl_probe_options *options)
{
	*options = (struct pl_probe_options){
		.launch = "ssh -oBatchMode=yes %h",
		.agent = "plink-agent",
		.probes_min = 40,
		.probes_max = 1000,
		.precision = 0.02,
		.gap_ns = 1 * MS,
		.pair_ns = 1000 * MS,
		.silence_ns = 5000 * MS,
		.start_ns = 30000 * MS,
		.fanout = 64,
		.flows = 4,
		.again_share = 0.1,
		.drift_pairs = 16,
		.streams = 1,
		.flow_ns = 1000 * MS,
		.flow_bytes = UINT64_C(256) << 20,
	};
}

/* The name of an interface, or a numeric network. */
static bool is_iface(const char *s)
{
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@-";
	const size_t len = strlen(s);
	struct pl_addr net;

	if (strspn(s, safe) != len || len > PL_IFACE_OPTION_MAX)
		return false;
	return !pl_addr_parse(s, len, &net) || (len > 0 && len < PL_IFACE_CHARS && !strchr(s, '/'));
}

static int check(const struct pl_hosts *hosts, const struct pl_probe_options *o, struct pl_err *err)
{
	char **argv;

	if (hosts->n == 0 || hosts->n > PL_MATRIX_HOSTS_MAX)
		return pl_err_set(err, PL_EUSAGE, "%zu hosts: must be 1 to %d", hosts->n,
				  PL_MATRIX_HOSTS_MAX);
	if (o->probes_min < 1 || o->probes_max < o->probes_min || o->probes_max > PL_PROBES_LIMIT)
		return pl_err_set(err, PL_EUSAGE, "%u to %u probes: must be 1 to %d", o->probes_min,
				  o->probes_max, PL_PROBES_LIMIT);
	if (o->flows < 1 || o->flows > PL_FLOWS_MAX)
		return pl_err_set(err, PL_EUSAGE, "%u flows: must be 1 to %d", o->flows,
				  PL_FLOWS_MAX);
	if (o->iface && !is_iface(o->iface))
		return pl_err_set(err, PL_EUSAGE, "\"%s\" is no interface or network", o->iface);
	argv = pl_launch_argv(o->launch, "host", "true", err);
	free(argv);
	return argv ? 0 : -1;
}

/* What bounds packets has no hold on the bytes of TCP. */
static int check_flows(const struct pl_probe_options *o, struct pl_err *err)
{
	if (!o->bandwidth)
		return 0;
	if (o->chooser && (o->bandwidth & ~PL_BANDWIDTH_FEW))
		return pl_err_set(err, PL_EUSAGE,
				  "bandwidth is measured for all pairs; it cannot be measured for "
				  "chosen pairs only");
	if (o->pps > 0)
		return pl_err_set(err, PL_EUSAGE,
				  "bandwidth and a packet rate exclude each other: with TCP the "
				  "kernel chooses the packet rate");
	if (o->budget_probes > 0)
		return pl_err_set(err, PL_EUSAGE,
				  "a budget of probes does not limit what TCP sends: with "
				  "bandwidth, give a budget in seconds");
	if ((o->bandwidth & PL_BANDWIDTH_FEW) && !o->flow_chooser)
		return pl_err_set(err, PL_EUSAGE,
				  "few flows are asked for, but there is no chooser for them");
	if (o->streams < 1 || o->streams > PL_STREAMS_MAX)
		return pl_err_set(err, PL_EUSAGE, "%u streams: must be 1 to %d", o->streams,
				  PL_STREAMS_MAX);
	return 0;
}

/* A probe is a packet, and so is the answer to one of the peer's, which comes at the same pace. */
static int64_t gap_of(const struct pl_probe_options *o)
{
	const double gap_ns = o->pps > 0 ? 2e9 / o->pps : 0;

	return gap_ns > (double)o->gap_ns ? (int64_t)gap_ns : o->gap_ns;
}

/* Each flow of a pair has a port of its own at either end. */
static unsigned flows_of(const struct pl_probe_options *o)
{
	const unsigned n_ports = (unsigned)(o->ports.max - o->ports.min) + 1;

	return o->ports.max && n_ports < o->flows ? n_ports : o->flows;
}

int pl_options_settle(const struct pl_hosts *hosts, const struct pl_probe_options *given,
		      struct pl_hosts *once, struct pl_probe_options *o, struct pl_err *err)
{
	*o = *given;
	if (check(hosts, given, err) || check_flows(given, err) ||
	    pl_hosts_distinct(once, hosts, err))
		return -1;
	o->gap_ns = gap_of(given);
	o->flows = flows_of(given);
	if (2 * o->gap_ns >= o->silence_ns)
		return pl_err_set(err, PL_EUSAGE,
				  "a gap of %g s between probes, at random up to twice that, is "
				  "too long: a pair is given up after a silence of %g s",
				  (double)o->gap_ns / 1e9, (double)o->silence_ns / 1e9);
	if (o->resume && pl_resume_check(o->resume, once, o, err))
		return -1;
	return pl_bandwidth_check(o, err);
}
