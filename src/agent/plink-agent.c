/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-agent.c - command line of plink-agent */
#include "config.h"

#include "base/nocore.h"
#include "base/priority.h"
#include "probes/agent/agent.h"
#include "probes/protocol/silence.h"
#include "src/common/probing.h"
#include "src/common/tool.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PATIENCE_MAX_S 86400
#define SECOND_NS INT64_C(1000000000)

static const char tool[] = "plink-agent";

/* clang-format off */
static const char help[] =
"usage: plink-agent [--iface=NAME|CIDR] [--ports=LO-HI] [--patience=TIME]\n"
"Sends and answers probes during a run of plink-probe, which starts it on\n"
"every host. Reads commands from standard input, writes answers to standard\n"
"output, and ends with its input.\n"
"\n"
"      --iface=NAME|CIDR  use the address on this interface or network\n"
"      --ports=LO-HI      UDP and TCP ports to use (default: any)\n"
"      --patience=TIME    end after that time without a command (120s)\n"
"  -q, --quiet            say only what is wrong\n"
"  -v, --verbose          say more\n"
"  -h, --help             this text\n"
"  -V, --version          version of plink\n";
/* clang-format on */

struct options {
	struct pl_agent_options agent;
	bool done; /* help or version was printed: exit with the status */
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"iface", required_argument, 0, pl_take_text, AT(agent.iface)},
	{"ports", required_argument, 0, pl_take_ports, AT(agent.ports)},
	{"patience", required_argument, 0, pl_take_time, AT(agent.patience_ns),
	 .least = 1, .most = PATIENCE_MAX_S},
	{0},
};
/* clang-format on */

static int agent(const struct pl_agent_options *options)
{
	struct pl_priority before;
	struct pl_err err = {0};

	/* a probe or reply that waits for a processor counts as network */
	pl_priority_raise(&before);
	return pl_agent_run(options, &err) ? pl_tool_fail(tool, &err) : PL_EXIT_DONE;
}

int main(int argc, char **argv)
{
	static const struct pl_options options = {.tool = tool, .option = table, .help = help};
	struct options o = {.agent = {.in = STDIN_FILENO,
				      .out = STDOUT_FILENO,
				      .patience_ns = PL_SILENCE_ALONE_S * SECOND_NS}};
	struct pl_nocore cores;
	int status;

	pl_tool_begin();
	status = pl_options_parse(&options, argc, argv, &o, &o.done);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	if (optind < argc)
		return pl_tool_usage(tool, "unexpected argument \"%s\"", argv[optind]);
	prctl(PR_SET_NAME, tool); /* see --push: the file may have no name */
	pl_nocore_begin(&cores);  /* it is to have a key */
	signal(SIGPIPE, SIG_IGN); /* a coordinator that is gone is an error */
	return agent(&o.agent);
}
