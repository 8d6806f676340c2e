/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-testbed.c - an emulated cluster of network namespaces */
#include "config.h"

#include "src/common/tool.h"
#include "tests/testbed/commands.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"Usage: plink-testbed VERB [OPTION]...\n"
	"An emulated cluster: hosts are namespaces, delays come from a matrix.\n"
	"\n"
	"  matrix --racks=RxK --intra-us=D --inter-us=D [--noise=F] [--shuffle]\n"
	"         [--far-us=D] [--nic=RATE,...] [--uplink=RATE,...]\n"
	"         [--row-uplink=RATE,...] [--seed=N]\n"
	"                                print a matrix of R racks of K hosts (3+5: of so\n"
	"                                many each; 2x2x4: 2 rows of 2 racks of 4)\n"
	"  up --matrix=FILE [--nic=RATE] [--uplink=RATE] [--loss=P]\n"
	"     [--duplicate=P] [--reorder=P] [--behind-us=T] [--jitter-us=J]\n"
	"     [--seed=N] [--trace=PACKETS] [--cpu=SHARE] [--user=NAME]\n"
	"                                start the hosts\n"
	"  change --matrix=FILE [--nic=RATE] [--uplink=RATE]\n"
	"                                other delays and rates from now on\n"
	"  schedule FILE                 changes of cards and uplinks, each at its time\n"
	"  exec [--root] HOST -- ARGV... run a command in a host\n"
	"  rsh [--root] HOST STRING...   run a shell command in a host\n"
	"  status [--json]               what was asked and what was applied\n"
	"  trips [--change=K]            what round trips really took, since the\n"
	"                                last change or after the K-th\n"
	"  down                          end the hosts and all that runs in them\n"
	"  check                         can this machine do it? if not, why\n"
	"\n"
	"All but matrix and check take --prefix=NAME (default \"plink\"): testbeds\n"
	"of different prefixes do not meet. up, change, schedule and down need root,\n"
	"as do exec and rsh unless the user is that of up --user.\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"matrix", tb_matrix_main},     {"up", tb_up_main},       {"change", tb_change_main},
	{"schedule", tb_schedule_main}, {"exec", tb_exec_main},   {"rsh", tb_rsh_main},
	{"status", tb_status_main},     {"trips", tb_trips_main}, {"down", tb_down_main},
	{"check", tb_check_main},
};

int main(int argc, char **argv)
{
	if (argc < 2)
		return pl_tool_usage(TB_TOOL, "no verb");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return pl_tool_help(TB_TOOL, usage);
	if (!strcmp(argv[1], "--version"))
		return pl_tool_version(TB_TOOL);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	return pl_tool_usage(TB_TOOL, "\"%s\" is no verb", argv[1]);
}
