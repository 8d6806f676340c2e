/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-args.c - the command line of bench/allreduce */
#include "config.h"

#include "bench/allreduce-args.h"

#include "base/text/number.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE_MAX_BYTES ((int64_t)1 << 30)
#define TIMES_MAX 1000000

static const char help[] =
	"usage: mpirun ... bench/allreduce [OPTION]...\n"
	"Times MPI_Allreduce (sum of floats) on MPI_COMM_WORLD and checks\n"
	"the sums.\n"
	"\n"
	"  --sizes=LIST      bytes per rank, comma-separated; multiples of\n"
	"                    4, k and m stand for KiB and MiB\n"
	"                    (default 2k,256k)\n"
	"  --blocks=N        blocks per size (default 5)\n"
	"  --iterations=N    all-reduces per block (default 10)\n"
	"  --warmup=N        all-reduces before the first block, with --per=block\n"
	"                    before each (default 1)\n"
	"  --block-ms=MS     as many all-reduces per block as take so long, 2 at least\n"
	"                    and --iterations at most; half of that for warm-up, at most\n"
	"  --leave           end without MPI_Finalize, which some libraries do not come\n"
	"                    back from\n"
	"  --per=WHAT        call: time each all-reduce; block: time the block and\n"
	"                    divide by its all-reduces, which is what one costs in\n"
	"                    the long run, however skewed ranks are (default call)\n"
	"  --help, --version\n"
	"\n"
	"Prints a line per size: time of one all-reduce on the slowest rank (with\n"
	"--per=block: the mean of the ranks, who may each end late or early),\n"
	"the least, the median, the greatest, and all of them.\n"
	"Exit: 0 done, 1 a sum was wrong, 2 usage, 4 system.\n";

int allreduce_args_help(void)
{
	return pl_tool_help("allreduce", help);
}

/* "4096", "256k", "1m" */
static int parse_size(const char *s, size_t len, size_t *size_bytes)
{
	int64_t unit = 1, n;

	if (len && s[len - 1] == 'k')
		unit = 1024;
	else if (len && s[len - 1] == 'm')
		unit = 1024 * 1024;
	if (pl_int_parse(s, unit > 1 ? len - 1 : len, 1, SIZE_MAX_BYTES / unit, &n))
		return -1;
	*size_bytes = (size_t)(n * unit);
	return *size_bytes % sizeof(float) ? -1 : 0;
}

static int parse_sizes(struct allreduce_args *args, const char *list, struct pl_err *err)
{
	const char *s = list;

	args->n_sizes = 0;
	for (;;) {
		const size_t len = strcspn(s, ",");

		if (args->n_sizes == ALLREDUCE_SIZES_MAX)
			return pl_err_set(err, PL_EUSAGE, "more than %d sizes",
					  ALLREDUCE_SIZES_MAX);
		if (parse_size(s, len, &args->size_bytes[args->n_sizes]))
			return pl_err_set(err, PL_EUSAGE,
					  "--sizes: \"%.*s\" is no multiple of 4 bytes up to 1024m",
					  (int)len, s);
		args->n_sizes++;
		if (s[len] == '\0')
			return 0;
		s += len + 1;
	}
}

static int parse_times(const char *name, const char *s, int least, int *out, struct pl_err *err)
{
	int64_t n;

	if (pl_int_parse(s, strlen(s), least, TIMES_MAX, &n))
		return pl_err_set(err, PL_EUSAGE, "--%s: \"%s\" is no number from %d to %d", name,
				  s, least, TIMES_MAX);
	*out = (int)n;
	return 0;
}

static int parse_per(struct allreduce_args *args, const char *s, struct pl_err *err)
{
	args->per_block = strcmp(s, "block") == 0;
	if (args->per_block || strcmp(s, "call") == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--per: \"%s\" is not call or block", s);
}

static int parse_option(struct allreduce_args *args, int option, const char *word,
			struct pl_err *err)
{
	switch (option) {
	case 's':
		return parse_sizes(args, optarg, err);
	case 'b':
		return parse_times("blocks", optarg, 1, &args->blocks, err);
	case 'i':
		return parse_times("iterations", optarg, 1, &args->iterations, err);
	case 'w':
		return parse_times("warmup", optarg, 0, &args->warmup, err);
	case 'm':
		return parse_times("block-ms", optarg, 1, &args->block_ms, err);
	case 'l':
		args->leave = true;
		return 0;
	case 'p':
		return parse_per(args, optarg, err);
	case 'd':
		args->digest = true;
		return 0;
	case 'h':
		args->action = ALLREDUCE_HELP;
		return 0;
	case 'V':
		args->action = ALLREDUCE_VERSION;
		return 0;
	}
	return pl_err_set(err, PL_EUSAGE, "%s: unknown, or its value is missing", word);
}

int allreduce_args_parse(struct allreduce_args *args, int argc, char **argv, struct pl_err *err)
{
	static const struct option options[] = {
		{"sizes", required_argument, NULL, 's'},
		{"blocks", required_argument, NULL, 'b'},
		{"iterations", required_argument, NULL, 'i'},
		{"warmup", required_argument, NULL, 'w'},
		{"block-ms", required_argument, NULL, 'm'},
		{"leave", no_argument, NULL, 'l'},
		{"per", required_argument, NULL, 'p'},
		{"digest", no_argument, NULL, 'd'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	int option;

	*args = (struct allreduce_args){
		.action = ALLREDUCE_RUN,
		.size_bytes = {2048, 262144},
		.n_sizes = 2,
		.blocks = 5,
		.iterations = 10,
		.warmup = 1,
	};
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (parse_option(args, option, argv[optind - 1], err))
			return -1;
	if (optind < argc)
		return pl_err_set(err, PL_EUSAGE, "what is \"%s\"?", argv[optind]);
	return 0;
}
