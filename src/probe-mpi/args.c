/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe-mpi */
#include "config.h"

#include "src/probe-mpi/args.h"

#include "src/number.h"
#include "src/size.h"

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
	"      --hosts=FILE        name hosts as that list does\n"
	"      --size=BYTES        0 or 1: of the messages (1); more, with k, "
	"M or G: a\n"
	"                          layer of bandwidth by messages of so many\n"
	"      --probes=MIN-MAX    messages per pair and direction (40-1000)\n"
	"      --precision=PERCENT a pair is settled when its 10th percentile "
	"is known\n"
	"                          so well (2) ...\n"
	"      --precision-us=US   ... and so many microseconds (10)\n"
	"      --gap=US            least time between a pair's messages (0)\n"
	"      --pair-time=S       enough for a pair that has MIN answers (1)\n"
	"  -v, --verbose           say more on standard error\n"
	"      --help              this text\n"
	"      --version           version of plink\n";

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

static int parse_probes(const char *s, struct pl_prober_options *o,
			struct pl_err *err)
{
	int64_t min, max;

	if (pl_int_parse_range(s, 1, PL_PROBES_LIMIT, &min, &max))
		return pl_err_set(err, PL_EUSAGE,
				  "--probes wants MIN-MAX, 1 to %d, not \"%s\"",
				  PL_PROBES_LIMIT, s);
	o->probes_min = (uint32_t)min;
	o->probes_max = (uint32_t)max;
	return 0;
}

static int parse_precision(const char *s, double *share, struct pl_err *err)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= 100))
		return pl_err_set(err, PL_EUSAGE,
				  "--precision wants a percentage, not \"%s\"",
				  s);
	*share = value / 100;
	return 0;
}

/* A number in [0, max] of units of @unit_ns. */
static int parse_span(const char *name, const char *s, double max,
		      int64_t unit_ns, int64_t *out, struct pl_err *err)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= max))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a number from 0 to %g, not "
				  "\"%s\"",
				  name, max, s);
	*out = (int64_t)(value * (double)unit_ns);
	return 0;
}

static int take(struct probe_mpi_args *args, int option, const char *word,
		struct pl_err *err)
{
	struct pl_prober_options *o = &args->run.prober;

	switch (option) {
	case 'o':
		args->output = optarg;
		return 0;
	case 'v':
		args->verbose = true;
		return 0;
	case 'l':
		args->hosts = optarg;
		return 0;
	case 's':
		return parse_size(optarg, &args->run, err);
	case 'n':
		return parse_probes(optarg, o, err);
	case 'p':
		return parse_precision(optarg, &o->tolerance.share, err);
	case 'u':
		return parse_span("precision-us", optarg, 1e9, 1000,
				  &o->tolerance.ns, err);
	case 'g':
		return parse_span("gap", optarg, 1e9, 1000, &o->gap_ns, err);
	case 't':
		return parse_span("pair-time", optarg, 3600, S, &o->pair_ns,
				  err);
	case 'h':
		args->action = PROBE_MPI_HELP;
		return 0;
	case 'V':
		args->action = PROBE_MPI_VERSION;
		return 0;
	}
	return pl_err_set(err, PL_EUSAGE,
			  "%s: unknown, or its value is missing or too much",
			  word);
}

int probe_mpi_args_parse(struct probe_mpi_args *args, int argc, char **argv,
			 struct pl_err *err)
{
	static const struct option longs[] = {
		{"output", required_argument, NULL, 'o'},
		{"hosts", required_argument, NULL, 'l'},
		{"size", required_argument, NULL, 's'},
		{"probes", required_argument, NULL, 'n'},
		{"precision", required_argument, NULL, 'p'},
		{"precision-us", required_argument, NULL, 'u'},
		{"gap", required_argument, NULL, 'g'},
		{"pair-time", required_argument, NULL, 't'},
		{"verbose", no_argument, NULL, 'v'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	int option;

	*args = (struct probe_mpi_args){
		.run = {.ping_bytes = 1,
			.prober = {.probes_min = 40,
				   .probes_max = 1000,
				   .tolerance = {.share = 0.02, .ns = 10000},
				   .pair_ns = S}},
	};
	opterr = 0;
	while (args->action == PROBE_MPI_RUN &&
	       (option = getopt_long(argc, argv, "o:v", longs, NULL)) != -1)
		if (take(args, option, argv[optind - 1], err))
			return -1;
	if (args->action == PROBE_MPI_RUN && optind < argc)
		return pl_err_set(err, PL_EUSAGE,
				  "what is \"%s\"? The hosts are those that "
				  "mpirun is given",
				  argv[optind]);
	return 0;
}
