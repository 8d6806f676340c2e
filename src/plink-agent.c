/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-agent.c - command line of plink-agent */
#include "config.h"

#include "probes/agent/agent.h"
#include "probes/protocol/ports.h"
#include "src/priority.h"
#include "src/tool.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char tool[] = "plink-agent";

static const char help[] =
	"usage: plink-agent [--iface=NAME|CIDR] [--ports=LO-HI]\n"
	"Sends and answers probes while a run of plink-probe lasts; started "
	"by\n"
	"it on every host, commands on standard input, answers on standard\n"
	"output, ends with its input.\n"
	"\n"
	"      --iface=NAME|CIDR  use the address on this interface or "
	"network\n"
	"      --ports=LO-HI      UDP and TCP ports to use (default: any)\n"
	"      --help             this text\n"
	"      --version          version of plink\n";

int main(int argc, char **argv)
{
	enum { IFACE = 256, PORTS, SHOW_HELP, SHOW_VERSION };
	static const struct option longs[] = {
		{"iface", required_argument, NULL, IFACE},
		{"ports", required_argument, NULL, PORTS},
		{"help", no_argument, NULL, SHOW_HELP},
		{"version", no_argument, NULL, SHOW_VERSION},
		{NULL, 0, NULL, 0},
	};
	struct pl_agent_options options = {.in = STDIN_FILENO,
					   .out = STDOUT_FILENO};
	struct pl_priority before;
	struct pl_err err = {0};
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
		case SHOW_HELP:
			return pl_tool_help(tool, help);
		case SHOW_VERSION:
			return pl_tool_version(tool);
		default:
			return pl_tool_usage(tool, "unknown option");
		}
	}
	if (optind < argc)
		return pl_tool_usage(tool, "no argument wanted: \"%s\"",
				     argv[optind]);
	prctl(PR_SET_NAME, tool); /* its file may have no name, see --push */
	/* a probe or reply that waits for a processor counts as network */
	pl_priority_raise(&before);
	signal(SIGPIPE, SIG_IGN); /* a coordinator that is gone is an error */
	if (pl_agent_run(&options, &err))
		return pl_tool_fail(tool, &err);
	return PL_EXIT_DONE;
}
