/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-agent.c - command line of plink-agent */
#include "config.h"

#include "base/nocore.h"
#include "base/priority.h"
#include "base/text/number.h"
#include "probes/agent/agent.h"
#include "probes/protocol/ports.h"
#include "probes/protocol/silence.h"
#include "probes/relay/relay.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PATIENCE_MAX_S 86400
#define SECOND_NS INT64_C(1000000000)

static const char tool[] = "plink-agent";

static const char help[] =
	"usage: plink-agent [--iface=NAME|CIDR] [--ports=LO-HI] "
	"[--patience=S]\n"
	"       plink-agent --relay [--patience=S]\n"
	"Sends and answers probes during a run of plink-probe, which starts it "
	"on\n"
	"every host. Reads commands from standard input, writes answers to "
	"standard\n"
	"output, and ends with its input. As a relay it starts the agents of "
	"other\n"
	"hosts and passes on their commands and answers.\n"
	"\n"
	"      --iface=NAME|CIDR  use the address on this interface or "
	"network\n"
	"      --ports=LO-HI      UDP and TCP ports to use (default: any)\n"
	"      --patience=S       end after S seconds without a command (120)\n"
	"      --relay            start agents on other hosts and relay to "
	"them\n"
	"      --help             this text\n"
	"      --version          version of plink\n";

/* Whole seconds. */
static int parse_patience(const char *arg, int64_t *ns)
{
	int64_t s;

	if (pl_int_parse(arg, strlen(arg), 1, PATIENCE_MAX_S, &s))
		return pl_tool_usage(
			tool, "--patience wants seconds, 1 to %d, not \"%s\"",
			PATIENCE_MAX_S, arg);
	*ns = s * SECOND_NS;
	return PL_EXIT_DONE;
}

static int relay(int64_t patience_ns)
{
	const struct pl_relay_options options = {
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.patience_ns = patience_ns,
	};
	struct pl_err err = {0};

	return pl_relay_run(&options, &err) ? pl_tool_fail(tool, &err)
					    : PL_EXIT_DONE;
}

static int agent(const struct pl_agent_options *options)
{
	struct pl_priority before;
	struct pl_err err = {0};

	/* a probe or reply that waits for a processor counts as network */
	pl_priority_raise(&before);
	return pl_agent_run(options, &err) ? pl_tool_fail(tool, &err)
					   : PL_EXIT_DONE;
}

int main(int argc, char **argv)
{
	enum { IFACE = 256, PORTS, PATIENCE, RELAY, SHOW_HELP, SHOW_VERSION };
	static const struct option longs[] = {
		{"iface", required_argument, NULL, IFACE},
		{"ports", required_argument, NULL, PORTS},
		{"patience", required_argument, NULL, PATIENCE},
		{"relay", no_argument, NULL, RELAY},
		{"help", no_argument, NULL, SHOW_HELP},
		{"version", no_argument, NULL, SHOW_VERSION},
		{NULL, 0, NULL, 0},
	};
	struct pl_agent_options options = {
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.patience_ns = PL_SILENCE_ALONE_S * SECOND_NS,
	};
	struct pl_nocore cores;
	bool is_relay = false;
	int opt;

	pl_tool_begin();
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (opt) {
		case IFACE:
			options.iface = optarg;
			break;
		case PORTS:
			if (pl_ports_parse(optarg, &options.port_min,
					   &options.port_max))
				return pl_tool_usage(
					tool, "--ports wants LO-HI, not \"%s\"",
					optarg);
			break;
		case PATIENCE:
			if (parse_patience(optarg, &options.patience_ns))
				return PL_EXIT_USAGE;
			break;
		case RELAY:
			is_relay = true;
			break;
		case SHOW_HELP:
			return pl_tool_help(tool, help);
		case SHOW_VERSION:
			return pl_tool_version(tool);
		default:
			return pl_tool_usage(tool, "unknown option");
		}
	}
	if (optind < argc)
		return pl_tool_usage(tool, "unexpected argument \"%s\"",
				     argv[optind]);
	if (is_relay && (options.iface || options.port_max))
		return pl_tool_usage(tool,
				     "--iface and --ports have no effect with "
				     "--relay: only agents use them");
	prctl(PR_SET_NAME, tool); /* its file may have no name, see --push */
	pl_nocore_begin(&cores);  /* it is to have a key */
	signal(SIGPIPE, SIG_IGN); /* a coordinator that is gone is an error */
	return is_relay ? relay(options.patience_ns) : agent(&options);
}
