/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-order */
#include "config.h"

#include "src/order/options.h"

#include "src/common/tool.h"
#include "src/order/help.h"
#include "src/order/option-ids.h"
#include "src/order/progress.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

static const struct option long_options[] = {
	{"matrix", required_argument, NULL, OPT_MATRIX},
	{"topology", required_argument, NULL, OPT_TOPOLOGY},
	{"topology-ratio", required_argument, NULL, OPT_TOPOLOGY_RATIO},
	{"unit", required_argument, NULL, OPT_UNIT},
	{"hosts-format", required_argument, NULL, OPT_HOSTS_FORMAT},
	{"symmetrize", required_argument, NULL, OPT_SYMMETRIZE},
	{"missing", required_argument, NULL, OPT_MISSING},
	{"bandwidth-layer", required_argument, NULL, OPT_BANDWIDTH_LAYER},
	{"launch", required_argument, NULL, OPT_LAUNCH},
	{"agent", required_argument, NULL, OPT_AGENT},
	{"push", optional_argument, NULL, OPT_PUSH},
	{"iface", required_argument, NULL, OPT_IFACE},
	{"ports", required_argument, NULL, OPT_PORTS},
	{"fanout", required_argument, NULL, OPT_FANOUT},
	{"tree", optional_argument, NULL, OPT_TREE},
	{"save-matrix", required_argument, NULL, OPT_SAVE_MATRIX},
	{"collective", required_argument, NULL, OPT_COLLECTIVE},
	{"algorithm", required_argument, NULL, OPT_ALGORITHM},
	{"impl", required_argument, NULL, OPT_IMPL},
	{"size", required_argument, NULL, OPT_SIZE},
	{"stats", required_argument, NULL, OPT_STATS},
	{"accept-loss", optional_argument, NULL, OPT_ACCEPT_LOSS},
	{"segment", required_argument, NULL, OPT_SEGMENT},
	{"root", required_argument, NULL, OPT_ROOT},
	{"list-algorithms", no_argument, NULL, OPT_LIST_ALGORITHMS},
	{"pin", required_argument, NULL, OPT_PIN},
	{"not-first", required_argument, NULL, OPT_NOT_FIRST},
	{"choose", required_argument, NULL, OPT_CHOOSE},
	{"min-gain", required_argument, NULL, OPT_MIN_GAIN},
	{"time", required_argument, NULL, OPT_TIME},
	{"moves", required_argument, NULL, OPT_MOVES},
	{"method", required_argument, NULL, OPT_METHOD},
	{"bound", required_argument, NULL, OPT_BOUND},
	{"threads", required_argument, NULL, OPT_THREADS},
	{"seed", required_argument, NULL, OPT_SEED},
	{"format", required_argument, NULL, OPT_FORMAT},
	{"job-port", required_argument, NULL, OPT_JOB_PORT},
	{"json", no_argument, NULL, OPT_JSON},
	{"output", required_argument, NULL, 'o'},
	{"plan", required_argument, NULL, OPT_PLAN},
	{"predict", no_argument, NULL, OPT_PREDICT},
	{"nic", required_argument, NULL, OPT_NIC},
	{"uplink", required_argument, NULL, OPT_UPLINK},
	{"rules", required_argument, NULL, OPT_RULES},
	{"report", required_argument, NULL, OPT_REPORT},
	{"color", required_argument, NULL, OPT_COLOR},
	{"cost-of", required_argument, NULL, OPT_COST_OF},
	{"verify", no_argument, NULL, OPT_VERIFY},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

/* What getopt refused, in plink's words. */
static void refused(int id, char **argv)
{
	const char *word = argv[optind - 1];

	if (id == ':')
		pl_tool_usage(PL_ORDER_TOOL, "%s needs a value", word);
	else if (optopt != 0 && strncmp(word, "--", 2) == 0)
		pl_tool_usage(PL_ORDER_TOOL, "%.*s takes no value",
			      (int)strcspn(word, "="), word);
	else if (optopt != 0)
		pl_tool_usage(PL_ORDER_TOOL, "no option -%c", optopt);
	else
		pl_tool_usage(PL_ORDER_TOOL, "no option %.*s, or several",
			      (int)strcspn(word, "="), word);
}

static void defaults(struct pl_order_options *o)
{
	const long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(o, 0, sizeof(*o));
	o->unit = PL_NS;
	o->request.bound = PL_BOUND_FAST;
	o->request.threads = n_cpus < 1    ? 1
			     : n_cpus > 64 ? 64
					   : (unsigned)n_cpus;
	o->request.seed = 1;
	if (isatty(STDERR_FILENO))
		o->request.progress = pl_order_progress_show;
}

/* --help and the like: do they end the run, with *status? */
static bool ends(int id, int *status)
{
	if (id == OPT_HELP)
		*status = pl_order_help();
	else if (id == OPT_VERSION)
		*status = pl_tool_version(PL_ORDER_TOOL);
	else if (id == OPT_LIST_ALGORITHMS)
		*status = pl_order_list_algorithms();
	else
		return false;
	return true;
}

enum pl_order_action pl_order_options_parse(struct pl_order_options *o,
					    int argc, char **argv, int *status)
{
	int id, index = 0;

	defaults(o);
	o->argv = argv;
	*status = PL_EXIT_USAGE;
	opterr = 0;
	while ((id = getopt_long(argc, argv, ":o:v", long_options, &index)) !=
	       -1) {
		const char *option = id == 'o'  ? "output"
				     : id < 256 ? ""
						: long_options[index].name;

		if (id == '?' || id == ':') {
			refused(id, argv);
			return PL_ORDER_END;
		}
		if (ends(id, status) ||
		    pl_order_option_take(o, id, option, optarg))
			return PL_ORDER_END;
	}
	if (argc - optind > 1) {
		pl_tool_usage(PL_ORDER_TOOL, "more than one host list: %s",
			      argv[optind + 1]);
		return PL_ORDER_END;
	}
	if (optind < argc)
		o->hosts = argv[optind];
	o->terminal = pl_terminal_of(STDERR_FILENO, o->color);
	return pl_order_options_check(o) ? PL_ORDER_END : PL_ORDER_RUN;
}
