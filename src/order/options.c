/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-order */
#include "config.h"

#include "src/order/options.h"

#include "src/order/help.h"
#include "src/order/values.h"
#include "src/tool.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum option_id {
	OPT_MATRIX = 256,
	OPT_TOPOLOGY,
	OPT_TOPOLOGY_RATIO,
	OPT_UNIT,
	OPT_HOSTS_FORMAT,
	OPT_SYMMETRIZE,
	OPT_MISSING,
	OPT_BANDWIDTH_LAYER,
	OPT_LAUNCH,
	OPT_AGENT,
	OPT_PUSH,
	OPT_IFACE,
	OPT_PORTS,
	OPT_FANOUT,
	OPT_SAVE_MATRIX,
	OPT_COLLECTIVE,
	OPT_ALGORITHM,
	OPT_IMPL,
	OPT_SIZE,
	OPT_SEGMENT,
	OPT_ROOT,
	OPT_LIST_ALGORITHMS,
	OPT_PIN,
	OPT_NOT_FIRST,
	OPT_CHOOSE,
	OPT_MIN_GAIN,
	OPT_TIME,
	OPT_MOVES,
	OPT_METHOD,
	OPT_BOUND,
	OPT_THREADS,
	OPT_SEED,
	OPT_FORMAT,
	OPT_JOB_PORT,
	OPT_JSON,
	OPT_PLAN,
	OPT_PREDICT,
	OPT_NIC,
	OPT_UPLINK,
	OPT_RULES,
	OPT_REPORT,
	OPT_COLOR,
	OPT_COST_OF,
	OPT_VERIFY,
	OPT_DOCTOR,
	OPT_HELP,
	OPT_VERSION,
};

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
	{"save-matrix", required_argument, NULL, OPT_SAVE_MATRIX},
	{"collective", required_argument, NULL, OPT_COLLECTIVE},
	{"algorithm", required_argument, NULL, OPT_ALGORITHM},
	{"impl", required_argument, NULL, OPT_IMPL},
	{"size", required_argument, NULL, OPT_SIZE},
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
	{"doctor", no_argument, NULL, OPT_DOCTOR},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

static const char *const formats[] = {
	[PL_FORMAT_HOSTFILE] = "hostfile",
	[PL_FORMAT_SEQ] = "seq",
	[PL_FORMAT_RANKFILE] = "rankfile",
	[PL_FORMAT_NAMES] = "names",
	[PL_FORMAT_PLAN] = "plan",
	[PL_FORMAT_JSON] = "json",
	[PL_FORMAT_OMPI_RULES] = "ompi-rules",
	[PL_FORMAT_MPICH] = "mpich",
	[PL_FORMAT_SLURM] = "slurm",
	[PL_FORMAT_LIGHTGBM] = "lightgbm",
	[PL_FORMAT_DEEPSPEED] = "deepspeed",
	[PL_FORMAT_TORCHRUN] = "torchrun",
	[PL_FORMAT_HOROVOD] = "horovod",
	[PL_FORMAT_PDSH] = "pdsh",
	[PL_FORMAT_PDSH + 1] = NULL,
};
static const char *const missings[] = {"refuse", "worst", "drop-host",
				       "estimate", NULL};
static const char *const methods[] = {"search", "exact", "thesis", NULL};
static const char *const bounds[] = {"none", "fast", "full", NULL};
static const char *const forms[] = {"list", "seq", NULL};
static const char *const symmetrizes[] = {"none", "max", "mean", NULL};
static const char *const units[] = {"ns", "us", "ms", "s", NULL};

const char *pl_order_method_name(enum pl_order_method method)
{
	return methods[method];
}

const char *pl_order_format_name(enum pl_order_format format)
{
	return formats[format];
}

/* Options whose value is one of a few names. */
static int take_choice(struct pl_order_options *o, int id, const char *option,
		       const char *value)
{
	const char *const *names = id == OPT_UNIT           ? units
				   : id == OPT_HOSTS_FORMAT ? forms
				   : id == OPT_SYMMETRIZE   ? symmetrizes
				   : id == OPT_MISSING      ? missings
				   : id == OPT_METHOD       ? methods
				   : id == OPT_BOUND        ? bounds
							    : formats;
	const int i = pl_order_choose(option, value, names);

	if (i < 0)
		return -1;
	switch (id) {
	case OPT_UNIT:
		return pl_unit_parse(value, strlen(value), &o->unit);
	case OPT_HOSTS_FORMAT:
		o->hosts_form = i == 0 ? PL_HOSTS_LIST : PL_HOSTS_SEQ;
		return 0;
	case OPT_SYMMETRIZE:
		o->has_symmetrize = true;
		return pl_symmetrize_parse(value, strlen(value),
					   &o->symmetrize);
	case OPT_MISSING:
		o->missing = (enum pl_order_missing)i;
		return 0;
	case OPT_METHOD:
		o->method = (enum pl_order_method)i;
		return 0;
	case OPT_BOUND:
		o->has_bound = true;
		o->bound = (enum pl_bound_effort)i;
		return 0;
	default:
		o->format = (enum pl_order_format)i;
		o->has_format = true;
		return 0;
	}
}

static int take_number(struct pl_order_options *o, int id, const char *option,
		       const char *value)
{
	double seconds;
	int64_t n;

	switch (id) {
	case OPT_CHOOSE:
		if (pl_order_number(option, value, 1, INT_MAX, &n))
			return -1;
		o->choose = (size_t)n;
		return 0;
	case OPT_MIN_GAIN:
		o->has_min_gain = true;
		return pl_order_decimal(option, value, 100, &o->min_gain);
	case OPT_TIME:
		if (pl_order_decimal(option, value, 1e8, &seconds))
			return -1;
		o->time_ns = 1 + (int64_t)(seconds * 1e9);
		return 0;
	case OPT_MOVES:
		if (pl_order_number(option, value, 0, INT64_MAX, &n))
			return -1;
		o->has_moves = true;
		o->moves = (uint64_t)n;
		return 0;
	case OPT_ROOT:
		if (pl_order_number(option, value, 0, INT_MAX, &n))
			return -1;
		o->what.root = (size_t)n;
		return 0;
	case OPT_JOB_PORT:
		if (pl_order_number(option, value, 1, 65535, &n))
			return -1;
		o->job_port = (int)n;
		return 0;
	case OPT_FANOUT:
		if (pl_order_number(option, value, 1, PL_MATRIX_HOSTS_MAX, &n))
			return -1;
		o->fanout = (size_t)n;
		return 0;
	case OPT_THREADS:
		if (pl_order_number(option, value, 1, 1024, &n))
			return -1;
		o->threads = (unsigned)n;
		return 0;
	default:
		if (pl_order_number(option, value, 0, INT64_MAX, &n))
			return -1;
		o->seed = (uint64_t)n;
		return 0;
	}
}

static int take_text(struct pl_order_options *o, int id, const char *option,
		     const char *value)
{
	const char **to = id == OPT_MATRIX            ? &o->matrix
			  : id == OPT_TOPOLOGY        ? &o->topology
			  : id == OPT_LAUNCH          ? &o->launch
			  : id == OPT_AGENT           ? &o->agent
			  : id == OPT_IFACE           ? &o->iface
			  : id == OPT_PIN             ? &o->pin
			  : id == OPT_NOT_FIRST       ? &o->not_first
			  : id == OPT_PLAN            ? &o->plan
			  : id == OPT_RULES           ? &o->rules
			  : id == OPT_REPORT          ? &o->report
			  : id == OPT_SAVE_MATRIX     ? &o->save_matrix
			  : id == OPT_COST_OF         ? &o->cost_of
			  : id == OPT_BANDWIDTH_LAYER ? &o->bandwidth_layer
			  : id == OPT_COLLECTIVE      ? &o->names.collective
			  : id == OPT_ALGORITHM       ? &o->names.algorithm
			  : id == OPT_IMPL            ? &o->names.impl
						      : &o->output;

	if (!*value) {
		pl_tool_usage(PL_ORDER_TOOL, "--%s is empty", option);
		return -1;
	}
	*to = value;
	return 0;
}

static int take_color(struct pl_order_options *o, const char *value)
{
	if (pl_color_parse(value, &o->color) == 0)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL, "--color=%s: there is auto, always, never",
		      value);
	return -1;
}

static int take(struct pl_order_options *o, int id, const char *option,
		const char *value)
{
	switch (id) {
	case OPT_UNIT:
	case OPT_HOSTS_FORMAT:
	case OPT_SYMMETRIZE:
	case OPT_MISSING:
	case OPT_METHOD:
	case OPT_BOUND:
	case OPT_FORMAT:
		return take_choice(o, id, option, value);
	case OPT_CHOOSE:
	case OPT_MIN_GAIN:
	case OPT_TIME:
	case OPT_MOVES:
	case OPT_THREADS:
	case OPT_FANOUT:
	case OPT_SEED:
	case OPT_ROOT:
	case OPT_JOB_PORT:
		return take_number(o, id, option, value);
	case OPT_SIZE:
		return pl_order_sizes(value, o);
	case OPT_SEGMENT:
		return pl_order_segment(value, o);
	case OPT_TOPOLOGY_RATIO:
		return pl_order_ratio(option, value, &o->topology_ratio);
	case OPT_NIC:
		return pl_order_rate(option, value, &o->nic_bps);
	case OPT_UPLINK:
		return pl_order_rate(option, value, &o->uplink_bps);
	case OPT_COLOR:
		return take_color(o, value);
	case OPT_PREDICT:
		o->predict = true;
		return 0;
	case OPT_PORTS:
		return pl_order_ports(value, o);
	case OPT_JSON:
		o->format = PL_FORMAT_JSON;
		o->has_format = true;
		return 0;
	case OPT_VERIFY:
		o->verify = true;
		return 0;
	case OPT_DOCTOR:
		o->doctor = true;
		return 0;
	case OPT_PUSH:
		o->push = true;
		o->push_file = value;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	default:
		return take_text(o, id, option, value);
	}
}

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
	o->bound = PL_BOUND_FAST;
	o->threads = n_cpus < 1 ? 1 : n_cpus > 64 ? 64 : (unsigned)n_cpus;
	o->seed = 1;
	o->progress = isatty(STDERR_FILENO);
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

/* With --doctor nothing is ordered; @given: a bit for each long option's id. */
static int check_doctor(const struct pl_order_options *o, uint64_t given)
{
#define GIVEN(id) (UINT64_C(1) << ((id)-OPT_MATRIX))
	const uint64_t fit = GIVEN(OPT_DOCTOR) | GIVEN(OPT_HOSTS_FORMAT) |
			     GIVEN(OPT_LAUNCH) | GIVEN(OPT_AGENT) |
			     GIVEN(OPT_PUSH) | GIVEN(OPT_IFACE) |
			     GIVEN(OPT_PORTS) | GIVEN(OPT_FANOUT) |
			     GIVEN(OPT_TIME) | GIVEN(OPT_JSON) |
			     GIVEN(OPT_FORMAT) | GIVEN(OPT_COLOR);

	if (!o->doctor)
		return 0;
	for (size_t i = 0; long_options[i].name; i++) {
		const int id = long_options[i].val;

		if (id < OPT_MATRIX || !(given & ~fit & GIVEN(id)))
			continue;
		pl_tool_usage(PL_ORDER_TOOL,
			      "--doctor goes without --%s: it asks hosts and "
			      "orders nothing",
			      long_options[i].name);
		return -1;
	}
#undef GIVEN
	if (!o->has_format || o->format == PL_FORMAT_JSON)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL, "--doctor writes a table, or --json");
	return -1;
}

enum pl_order_action pl_order_options_parse(struct pl_order_options *o,
					    int argc, char **argv, int *status)
{
	uint64_t given = 0;
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
		if (id >= OPT_MATRIX)
			given |= UINT64_C(1) << (id - OPT_MATRIX);
		if (ends(id, status) || take(o, id, option, optarg))
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
	return check_doctor(o, given) || pl_order_options_check(o)
		       ? PL_ORDER_END
		       : PL_ORDER_RUN;
}
