/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-audit */
#include "config.h"

#include "src/audit/options.h"

#include "audit/job.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "costmodels/catalogue.h"
#include "probes/launch/launch.h"
#include "src/audit/help.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "plink-audit";

/* What captures may take to begin, and to send what is left. */
#define START_S 30
#define END_S 60

/* Below that a 10th percentile is the fastest. */
#define SAMPLES_MIN 10

enum {
	COLLECTIVE = 256,
	IMPL,
	ALGORITHM,
	SIZE,
	SEGMENT,
	ROOT,
	SLOTS,
	ELEMENT,
	RANKS,
	REPEAT,
	TOLERANCE,
	WIRE,
	EAGER_LIMIT,
	PORTS,
	NOT_PORTS,
	HOSTS,
	LAUNCH,
	AGENT,
	CAPTURE,
	ANNOUNCE,
	IFACE,
	FILTER,
	START_TIME,
	END_TIME,
	LIST,
	PATTERN,
	RTT,
	MIN_SAMPLES,
	JSON,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"collective", required_argument, NULL, COLLECTIVE},
	{"impl", required_argument, NULL, IMPL},
	{"algorithm", required_argument, NULL, ALGORITHM},
	{"size", required_argument, NULL, SIZE},
	{"segment", required_argument, NULL, SEGMENT},
	{"root", required_argument, NULL, ROOT},
	{"slots", required_argument, NULL, SLOTS},
	{"element", required_argument, NULL, ELEMENT},
	{"ranks", required_argument, NULL, RANKS},
	{"repeat", required_argument, NULL, REPEAT},
	{"tolerance", required_argument, NULL, TOLERANCE},
	{"wire", required_argument, NULL, WIRE},
	{"eager-limit", required_argument, NULL, EAGER_LIMIT},
	{"ports", required_argument, NULL, PORTS},
	{"not-ports", required_argument, NULL, NOT_PORTS},
	{"hosts", required_argument, NULL, HOSTS},
	{"launch", required_argument, NULL, LAUNCH},
	{"agent", required_argument, NULL, AGENT},
	{"capture", no_argument, NULL, CAPTURE},
	{"announce", no_argument, NULL, ANNOUNCE},
	{"iface", required_argument, NULL, IFACE},
	{"filter", required_argument, NULL, FILTER},
	{"start-time", required_argument, NULL, START_TIME},
	{"end-time", required_argument, NULL, END_TIME},
	{"list", no_argument, NULL, LIST},
	{"pattern", no_argument, NULL, PATTERN},
	{"rtt", no_argument, NULL, RTT},
	{"min-samples", required_argument, NULL, MIN_SAMPLES},
	{"json", no_argument, NULL, JSON},
	{"output", required_argument, NULL, 'o'},
	{"save", required_argument, NULL, 'w'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

static int take_size(int opt, const char *s, uint64_t *bytes)
{
	if (!pl_size_parse(s, strlen(s), bytes))
		return PL_EXIT_DONE;
	return pl_tool_usage(tool,
			     "--%s wants a size such as 65536 or 64k, "
			     "not \"%s\"",
			     pl_tool_option(longs, opt), s);
}

static int take_count(int opt, const char *s, size_t min, size_t *value)
{
	uint64_t v = 0;
	const int status = pl_tool_take_whole(tool, longs, opt, s, min,
					      PL_JOB_RANKS_MAX, &v);

	*value = (size_t)v;
	return status;
}

static int take_time(int opt, const char *s, int64_t *ns)
{
	double seconds;

	if (pl_double_parse(s, strlen(s), &seconds) ||
	    !(seconds > 0 && seconds <= 3600))
		return pl_tool_usage(tool,
				     "--%s wants seconds, up to 3600, "
				     "not \"%s\"",
				     pl_tool_option(longs, opt), s);
	*ns = 1 + (int64_t)(seconds * 1e9);
	return PL_EXIT_DONE;
}

/* "16": bytes a message; "0.5%": of what is expected. */
static int take_tolerance(const char *s, struct pl_audit_tolerance *t)
{
	const size_t len = strlen(s);
	double share;

	if (len && s[len - 1] != '%')
		return pl_tool_take_whole(tool, longs, TOLERANCE, s, 0,
					  INT64_MAX, &t->bytes);
	if (!len || pl_double_parse(s, len - 1, &share) ||
	    !(share >= 0 && share <= 100))
		return pl_tool_usage(tool,
				     "--tolerance wants BYTES or a "
				     "percentage, not \"%s\"",
				     s);
	t->share = share / 100;
	return PL_EXIT_DONE;
}

static int done_or_usage(int failed, const struct pl_err *err)
{
	return failed ? pl_tool_usage(tool, "%s", err->text) : PL_EXIT_DONE;
}

/* What call of which algorithm. */
static int take_call(struct audit_options *o, int opt, const char *arg)
{
	struct pl_err err = {0};

	switch (opt) {
	case COLLECTIVE:
		return done_or_usage(
			pl_collective_parse(arg, &o->collective, &err), &err);
	case IMPL:
		return done_or_usage(pl_impl_parse(arg, &o->impl, &err), &err);
	case ALGORITHM:
		o->algorithm_name = arg;
		return PL_EXIT_DONE;
	case SIZE:
		return take_size(opt, arg, &o->call.bytes);
	case SEGMENT:
		return take_size(opt, arg, &o->call.segment_bytes);
	case ELEMENT:
		return pl_tool_take_whole(tool, longs, opt, arg, 1, INT64_MAX,
					  &o->call.element_bytes);
	case ROOT:
		return take_count(opt, arg, 0, &o->call.root);
	case SLOTS:
		return take_count(opt, arg, 1, &o->call.slots);
	case RANKS:
		return take_count(opt, arg, 1, &o->call.n_pos);
	case REPEAT:
		return pl_tool_take_whole(tool, longs, opt, arg, 1, 1000000000,
					  &o->repeat);
	}
	return pl_tool_usage(tool, "unknown option");
}

/* How what was seen is held against it. */
static int take_judging(struct audit_options *o, int opt, const char *arg)
{
	struct pl_err err = {0};

	switch (opt) {
	case MIN_SAMPLES:
		return take_count(opt, arg, 1, &o->samples_min);
	case TOLERANCE:
		return take_tolerance(arg, &o->tolerance);
	case WIRE:
		o->wire = pl_wire_find(arg, &err);
		return done_or_usage(!o->wire, &err);
	case EAGER_LIMIT:
		o->has_eager = true;
		return take_size(opt, arg, &o->eager_bytes);
	case PORTS:
		return done_or_usage(pl_port_list_parse(&o->ports, arg, &err),
				     &err);
	case NOT_PORTS:
		return done_or_usage(
			pl_port_list_parse(&o->not_ports, arg, &err), &err);
	}
	return take_call(o, opt, arg);
}

static int take(struct audit_options *o, int opt, char *arg)
{
	const char **const text[] = {[HOSTS - HOSTS] = &o->hosts,
				     [LAUNCH - HOSTS] = &o->launch,
				     [AGENT - HOSTS] = &o->agent,
				     [IFACE - HOSTS] = &o->iface,
				     [FILTER - HOSTS] = &o->filter};

	switch (opt) {
	case HOSTS:
	case LAUNCH:
	case AGENT:
	case IFACE:
	case FILTER:
		*text[opt - HOSTS] =
			opt == LAUNCH ? pl_launch_template(arg) : arg;
		return PL_EXIT_DONE;
	case START_TIME:
		return take_time(opt, arg, &o->start_ns);
	case END_TIME:
		return take_time(opt, arg, &o->end_ns);
	case 'o':
		o->output = arg;
		return PL_EXIT_DONE;
	case 'w':
		o->save = arg;
		return PL_EXIT_DONE;
	case 'v':
		o->verbose = true;
		return PL_EXIT_DONE;
	case ANNOUNCE:
		o->announce = true;
		return PL_EXIT_DONE;
	case JSON:
		o->json = true;
		return PL_EXIT_DONE;
	case CAPTURE:
		o->mode = AUDIT_CAPTURE;
		return PL_EXIT_DONE;
	case LIST:
		o->mode = AUDIT_LIST;
		return PL_EXIT_DONE;
	case PATTERN:
		o->mode = AUDIT_PATTERN;
		return PL_EXIT_DONE;
	case RTT:
		o->rtt = true;
		return PL_EXIT_DONE;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(tool, audit_help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(tool);
	}
	return take_judging(o, opt, arg);
}

/* The algorithm, and what its library does. */
static int find_algorithm(struct audit_options *o)
{
	struct pl_err err = {0};

	o->algorithm =
		pl_catalogue_find(o->collective, o->impl, o->algorithm_name,
				  &o->call.radix, &err);
	if (!o->algorithm)
		return pl_tool_usage(tool, "%s", err.text);
	if (o->call.root && !pl_collective_has_root(o->collective))
		return pl_tool_usage(tool, "--root: %s has no root",
				     pl_collective_name(o->collective));
	if (!o->wire)
		o->wire = pl_wire_of(o->algorithm, o->call.radix, NULL);
	if (o->wire && !o->has_eager)
		o->eager_bytes = o->wire->eager_bytes;
	if (o->wire && !o->ports.n) {
		o->ports.n = 1;
		o->ports.range[0].min = (uint16_t)o->wire->port_min;
		o->ports.range[0].max = (uint16_t)o->wire->port_max;
	}
	return PL_EXIT_DONE;
}

/* What a mode cannot do without. */
static int check_output(const struct audit_options *o)
{
	int status = pl_tool_spares(tool, o->output, o->hosts);

	for (size_t i = 0; o->mode == AUDIT_FILES && i < o->n_inputs; i++)
		if (!status)
			status = pl_tool_spares(tool, o->output, o->input[i]);
	return status;
}

static int check(struct audit_options *o, const char *dashes)
{
	if (o->mode == AUDIT_FILES && o->launch)
		o->mode = AUDIT_LAUNCH;
	if (o->mode != AUDIT_FILES) {
		if (o->n_inputs && (o->mode == AUDIT_LIST ||
				    o->mode == AUDIT_PATTERN || !dashes))
			return pl_tool_usage(tool, "unexpected argument \"%s\"",
					     o->input[0]);
		o->command = o->n_inputs ? o->input : NULL;
	}
	if (o->mode == AUDIT_FILES && !o->n_inputs)
		return pl_tool_usage(tool, "a capture or a file of Open MPI's "
					   "monitoring is missing");
	if ((o->mode == AUDIT_CAPTURE || o->mode == AUDIT_LAUNCH) &&
	    (!o->hosts || !o->iface))
		return pl_tool_usage(tool,
				     "a capture needs --hosts and --iface");
	if (o->mode == AUDIT_CAPTURE && !o->save)
		return pl_tool_usage(tool, "-w FILE is missing");
	if (o->mode == AUDIT_LAUNCH && !o->command)
		return pl_tool_usage(tool, "a command is missing, after --");
	if (o->rtt && ((o->mode != AUDIT_FILES && o->mode != AUDIT_LAUNCH) ||
		       !o->hosts || o->json))
		return pl_tool_usage(
			tool, "--rtt makes a matrix of captures: it needs "
			      "--hosts, and cannot be combined with --capture, "
			      "--list, --pattern or --json");
	if (o->rtt) /* of its headers nothing is to be known */
		o->wire = pl_wire_find("plain", NULL);
	if (o->mode == AUDIT_PATTERN && !o->call.n_pos && !o->hosts)
		return pl_tool_usage(tool, "--ranks or --hosts is missing");
	return check_output(o);
}

int audit_options_parse(struct audit_options *o, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*o = (struct audit_options){.collective = PL_ALLREDUCE,
				    .impl = PL_THESIS,
				    .algorithm_name = "ring",
				    .repeat = 1,
				    .samples_min = SAMPLES_MIN,
				    .start_ns = START_S * (int64_t)1000000000,
				    .end_ns = END_S * (int64_t)1000000000};
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "o:w:v", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->input = argv + optind;
	o->n_inputs = (size_t)(argc - optind);
	status = check(o, optind > 1 && !strcmp(argv[optind - 1], "--")
				  ? argv[optind - 1]
				  : NULL);
	if (status == PL_EXIT_DONE && o->mode != AUDIT_LIST &&
	    o->mode != AUDIT_CAPTURE)
		status = find_algorithm(o);
	return status;
}
