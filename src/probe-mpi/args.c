/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe-mpi */
#include "config.h"

#include "src/probe-mpi/args.h"

#include "base/text/size.h"
#include "src/probe/values.h"

#include <getopt.h>
#include <string.h>

#define S INT64_C(1000000000)
#define SIZE_LIMIT (1 << 30)

const char probe_mpi_help[] =
	"usage: mpirun --map-by ppr:1:node " PL_PROBE_TOOL " [OPTION]...\n"
	"Measures the round trip between every two hosts of an MPI job by "
	"messages of\n"
	"that MPI, one process on each host, and writes a matrix.\n"
	"\n"
	"  -o, --output=FILE       write there instead of standard output\n"
	"      --json              JSON instead of a matrix file\n"
	"      --hosts=FILE        take the names of hosts from this list\n"
	"      --size=BYTES        size of messages, 0 or 1 (1); if larger, as "
	"in 64k:\n"
	"                          also a layer of bandwidth by such messages\n"
	"      --probes=MIN-MAX    messages per pair and direction (40-1000)\n"
	"      --precision=PERCENT a pair is settled when its 10th percentile "
	"is known\n"
	"                          to PERCENT (2) ...\n"
	"      --precision-us=US   ... plus US microseconds (10)\n"
	"      --gap=US            least time between a pair's messages (0)\n"
	"      --pair-time=S       time limit of a pair that has MIN answers "
	"(1)\n"
	"      --budget=SECONDSs|N end after this many seconds (30s) or "
	"messages\n"
	"      --again=PERCENT     share of pairs that may be measured again "
	"because\n"
	"                          they look disturbed (10)\n"
	"      --drift=K           pairs measured both first and last (16)\n"
	"  -v, --verbose           report more on standard error\n"
	"      --help              this text\n"
	"      --version           version of plink\n";

static const struct option longs[] = {
	{"output", required_argument, NULL, 'o'},
	{"json", no_argument, NULL, 'j'},
	{"hosts", required_argument, NULL, 'l'},
	{"size", required_argument, NULL, 's'},
	{"probes", required_argument, NULL, 'n'},
	{"precision", required_argument, NULL, 'p'},
	{"precision-us", required_argument, NULL, 'u'},
	{"gap", required_argument, NULL, 'g'},
	{"pair-time", required_argument, NULL, 't'},
	{"budget", required_argument, NULL, 'b'},
	{"again", required_argument, NULL, 'a'},
	{"drift", required_argument, NULL, 'd'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static int parse_size(const char *s, struct pl_mpi_options *o,
		      struct pl_err *err)
{
	uint64_t bytes;

	if (pl_size_parse(s, strlen(s), &bytes) || bytes > SIZE_LIMIT)
		return pl_err_set(err, PL_EUSAGE,
				  "--size wants bytes from 0 to 1G, not \"%s\"",
				  s);
	o->ping_bytes = bytes > 0;
	o->transfer_bytes = bytes > 1 ? (int)bytes : 0;
	return 0;
}

static int parse_drift(const char *s, size_t *out, struct pl_err *err)
{
	int64_t value;

	if (probe_value_count("drift", s, 0, PL_MATRIX_HOSTS_MAX / 2, &value,
			      err))
		return -1;
	*out = (size_t)value;
	return 0;
}

/* Options of the measurement. */
static int take_probe(struct probe_mpi_args *args, int option,
		      struct pl_err *err)
{
	struct pl_probe_options *o = &args->common.probe;

	switch (option) {
	case 's':
		return parse_size(optarg, &args->run, err);
	case 'n':
		return probe_value_probes(optarg, o, err);
	case 'p':
		return probe_value_percent("precision", optarg, &o->precision,
					   err);
	case 'u':
		return probe_value_span("precision-us", optarg, 1e9, 1000,
					&o->precision_ns, err);
	case 'g':
		return probe_value_span("gap", optarg, 1e9, 1000, &o->gap_ns,
					err);
	case 't':
		return probe_value_span("pair-time", optarg, 3600, S,
					&o->pair_ns, err);
	case 'b':
		return probe_value_budget(optarg, o, err);
	case 'a':
		return probe_value_percent("again", optarg, &o->again_share,
					   err);
	}
	return parse_drift(optarg, &o->drift_pairs, err);
}

static int take(struct probe_mpi_args *args, int option, const char *word,
		struct pl_err *err)
{
	switch (option) {
	case 'o':
		args->common.output = optarg;
		return 0;
	case 'v':
		args->common.verbose = true;
		return 0;
	case 'j':
		args->common.json = true;
		return 0;
	case 'l':
		args->common.hosts = optarg;
		return 0;
	case 'h':
		args->action = PROBE_MPI_HELP;
		return 0;
	case 'V':
		args->action = PROBE_MPI_VERSION;
		return 0;
	case '?':
		return pl_err_set(
			err, PL_EUSAGE,
			"%s: unknown option, or a missing or unexpected value",
			word);
	}
	for (size_t i = 0; longs[i].name; i++)
		if (longs[i].val == option)
			probe_asked_set(&args->common, longs[i].name, optarg);
	return take_probe(args, option, err);
}

int probe_mpi_args_parse(struct probe_mpi_args *args, int argc, char **argv,
			 struct pl_err *err)
{
	struct pl_probe_options *o = &args->common.probe;
	int option;

	*args = (struct probe_mpi_args){
		.run = {.probe = o, .ping_bytes = 1},
	};
	pl_probe_defaults(o);
	o->launch = "mpirun"; /* whoever has started this job */
	o->agent = NULL;
	o->gap_ns = 0;
	o->flows = 1;
	opterr = 0;
	while (args->action == PROBE_MPI_RUN &&
	       (option = getopt_long(argc, argv, "o:v", longs, NULL)) != -1)
		if (take(args, option, argv[optind - 1], err))
			return -1;
	if (args->action == PROBE_MPI_RUN && optind < argc)
		return pl_err_set(err, PL_EUSAGE,
				  "unexpected argument \"%s\": the hosts are "
				  "those of mpirun",
				  argv[optind]);
	return 0;
}
