/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe-mpi */
#include "config.h"

#include "src/probe-mpi/args.h"

#include "base/text/size.h"
#include "src/probe/values.h"

#include <string.h>

#define SIZE_LIMIT (1 << 30)

const char probe_mpi_help[] =
	"usage: mpirun --map-by ppr:1:node " PL_PROBE_TOOL " [OPTION]...\n"
	"Measures the round trip between every two hosts of an MPI job by messages of\n"
	"that MPI, one process on each host, and writes a matrix.\n"
	"\n"
	"  -o, --output=FILE       write there instead of standard output\n"
	"      --json              JSON instead of a matrix file\n"
	"      --hosts=FILE        take the names of hosts from this list\n"
	"      --size=BYTES        size of messages, 0 or 1 (1); if larger, as in 64k:\n"
	"                          also a layer of bandwidth by such messages\n"
	"      --probes=MIN-MAX    messages per pair and direction (40-1000)\n"
	"      --precision=PERCENT a pair is settled when its 10th percentile is known\n"
	"                          to PERCENT (2) plus 10 us\n"
	"      --gap=TIME          least time between a pair's messages (0; a\n"
	"                          bare number counts us)\n"
	"      --time=TIME         end after that time, as 30s, 5m, 1h\n"
	"      --max-probes=N      end after this many messages\n"
	"  -q, --quiet             say only what is wrong\n"
	"  -v, --verbose           report more on standard error\n"
	"  -h, --help              this text\n"
	"  -V, --version           version of plink\n";

static int take_size(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct pl_mpi_options *to = &((struct probe_mpi_args *)o)->run;
	uint64_t bytes;

	if (pl_size_parse(value, strlen(value), &bytes) || bytes > SIZE_LIMIT)
		return pl_err_set(err, PL_EUSAGE, "--%s wants bytes from 0 to 1G, not \"%s\"",
				  option->name, value);
	to->ping_bytes = bytes > 0;
	to->transfer_bytes = bytes > 1 ? (int)bytes : 0;
	return 0;
}

#define US 1000
#define AT(member) PL_OPTION_AT(struct probe_mpi_args, common.member)

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"hosts", required_argument, 0, pl_take_filled, AT(hosts)},
	{"size", required_argument, 0, .take = take_size},
	{"probes", required_argument, 0, probe_take_probes, AT(probe)},
	{"precision", required_argument, 0, probe_take_percent,
	 AT(probe.precision)},
	{"gap", required_argument, 0, pl_take_time, AT(probe.gap_ns),
	 .unit_ns = US, .most = 1000},
	{"time", required_argument, 0, pl_take_time, AT(probe.budget_ns),
	 .least = 1e-9, .most = PROBE_TIME_MAX_S},
	{"max-probes", required_argument, 0, pl_take_whole,
	 AT(probe.budget_probes), 1, PROBE_PROBES_MAX},
	{0},
};
/* clang-format on */

static void remember(void *o, const struct pl_option *option, const char *value)
{
	struct probe_mpi_args *args = o;

	probe_asked_take(&args->common, option, value);
}

int probe_mpi_args_parse(struct probe_mpi_args *args, int argc, char **argv, struct pl_err *err)
{
	static const struct pl_options options = {
		.tool = PL_PROBE_TOOL,
		.option = table,
		.verbose = offsetof(struct probe_mpi_args, common.verbose),
		.taken = remember};
	struct pl_probe_options *o = &args->common.probe;

	*args = (struct probe_mpi_args){
		.run = {.probe = o, .ping_bytes = 1},
	};
	pl_probe_defaults(o);
	o->launch = "mpirun"; /* whoever has started this job */
	o->agent = NULL;
	o->gap_ns = 0;
	o->flows = 1;
	if (pl_options_take(&options, argc, argv, args, &args->asked, err))
		return -1;
	if (args->asked != PL_ASKED_HELP && args->asked != PL_ASKED_VERSION && optind < argc)
		return pl_err_set(err, PL_EUSAGE,
				  "unexpected argument \"%s\": the hosts are those of mpirun",
				  argv[optind]);
	return 0;
}
