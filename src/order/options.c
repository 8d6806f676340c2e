/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-order */
#include "config.h"

#include "src/order/options.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "engine/schedule.h"
#include "probes/run/probe.h"
#include "src/common/probing.h"
#include "src/common/tool.h"
#include "src/order/format/format.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Names of the values of enums; NULL follows the last. */
static const char *const missings[] = {
	[PL_MISSING_REFUSE] = "refuse",
	[PL_MISSING_WORST] = "worst",
	[PL_MISSING_DROP] = "drop-host",
	[PL_MISSING_ESTIMATE] = "estimate",
	NULL,
};
static const char *const methods[] = {
	[PL_METHOD_SEARCH] = "search",
	[PL_METHOD_EXACT] = "exact",
	[PL_METHOD_THESIS] = "thesis",
	NULL,
};
static const char *const bounds[] = {
	[PL_BOUND_NONE] = "none",
	[PL_BOUND_FAST] = "fast",
	[PL_BOUND_FULL] = "full",
	NULL,
};
static const char *const forms[] = {
	[PL_HOSTS_LIST] = "list",
	[PL_HOSTS_SEQ] = "seq",
	NULL,
};
static const char *const symmetrizes[] = {
	[PL_SYM_NONE] = "none",
	[PL_SYM_MAX] = "max",
	[PL_SYM_MEAN] = "mean",
	NULL,
};
static const char *const units[] = {
	[PL_NS] = "ns", [PL_US] = "us", [PL_MS] = "ms", [PL_S] = "s", NULL,
};
static const char *const colors[] = {
	[PL_COLOR_AUTO] = "auto",
	[PL_COLOR_ALWAYS] = "always",
	[PL_COLOR_NEVER] = "never",
	NULL,
};

static int take_format(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	const char *names[PL_REORDER_FORMATS + 1] = {NULL};
	struct pl_option named = *option;

	for (int i = 0; i < PL_REORDER_FORMATS; i++)
		names[i] = pl_reorder_form((enum pl_reorder_format)i)->name;
	named.words = names;
	return pl_take_word(o, &named, value, err);
}

static int take_loss(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct pl_reorder_options *to = o;

	to->request.accept_loss = INFINITY;
	return pl_take_number(o, option, value, err);
}

static int take_time(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (pl_take_time(o, option, value, err))
		return -1;
	((struct pl_reorder_options *)o)->request.time_ns++; /* 0: no limit */
	return 0;
}

/* "64k" or, with a weight, "64k:10". */
static int parse_size(const char *s, size_t len, uint64_t *bytes, double *weight)
{
	const char *colon = memchr(s, ':', len);
	const size_t digits = colon ? (size_t)(colon - s) : len;

	*weight = 1;
	if (pl_size_parse(s, digits, bytes))
		return -1;
	if (!colon)
		return 0;
	return pl_double_parse(colon + 1, len - digits - 1, weight) ||
			       !(*weight > 0 && *weight <= 1e9)
		       ? -1
		       : 0;
}

/* "64k", "2k,64k,8M", "2k:10,8M:1". */
static int take_sizes(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct pl_order_request *q = &((struct pl_reorder_options *)o)->request;
	const char *s = value;

	for (q->n_sizes = 0;; q->n_sizes++) {
		const size_t len = strcspn(s, ",");

		if (q->n_sizes == PL_ORDER_SIZES_MAX ||
		    parse_size(s, len, &q->size_bytes[q->n_sizes], &q->size_weight[q->n_sizes]))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s=%s: not bytes below 2^63, as in 4096, 64k, 8MiB, "
					  "or 64k:10 with a weight (at most %d of them)",
					  option->name, value, PL_ORDER_SIZES_MAX);
		if (!s[len])
			break;
		s += len + 1;
	}
	q->n_sizes++;
	return 0;
}

#define AT(member) PL_OPTION_AT(struct pl_reorder_options, member)
#define ALSO(member) .also = offsetof(struct pl_reorder_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"matrix", required_argument, 0, pl_take_filled, AT(matrix)},
	{"topology", required_argument, 0, pl_take_filled, AT(topology)},
	{"topology-label", required_argument, 0, pl_take_filled,
	 AT(topology_label)},
	{"unit", required_argument, 0, pl_take_word, AT(unit), .words = units},
	{"hosts-format", required_argument, 0, pl_take_word, AT(hosts_form),
	 .words = forms},
	{"symmetrize", required_argument, 0, pl_take_word,
	 AT(request.symmetrize), .words = symmetrizes,
	 ALSO(request.has_symmetrize)},
	{"missing", required_argument, 0, pl_take_word, AT(missing),
	 .words = missings},
	{"launch", required_argument, 0, pl_take_filled, AT(launch)},
	{"agent", required_argument, 0, pl_take_filled, AT(agent)},
	{"push", optional_argument, 0, pl_take_text, AT(push_file), ALSO(push)},
	{"iface", required_argument, 0, pl_take_filled, AT(iface)},
	{"ports", required_argument, 0, pl_take_ports, AT(ports)},
	{"fanout", required_argument, 0, pl_take_whole, AT(fanout),
	 1, PL_MATRIX_HOSTS_MAX},
	{"save-matrix", required_argument, 0, pl_take_filled, AT(save_matrix)},
	{"resume", required_argument, 0, pl_take_filled, AT(resume)},
	{"collective", required_argument, 0, pl_take_filled,
	 AT(request.names.collective)},
	{"algorithm", required_argument, 0, pl_take_filled,
	 AT(request.names.algorithm)},
	{"impl", required_argument, 0, pl_take_filled, AT(request.names.impl)},
	{"size", required_argument, 0, .take = take_sizes},
	{"stats", required_argument, 0, pl_take_filled, AT(request.stats)},
	{"job", required_argument, 0, pl_take_filled, AT(job)},
	{"accept-loss", optional_argument, 0, take_loss,
	 AT(request.accept_loss), .most = 1e6},
	{"segment", required_argument, 0, pl_take_size,
	 AT(request.what.segment_bytes)},
	{"root", required_argument, 0, pl_take_whole, AT(request.what.root),
	 0, INT_MAX},
	{"list-algorithms", no_argument, 0, pl_take_flag, AT(list_algorithms)},
	{"pin", required_argument, 0, pl_take_filled, AT(request.pin)},
	{"not-first", required_argument, 0, pl_take_filled,
	 AT(request.not_first)},
	{"choose", required_argument, 0, pl_take_whole, AT(request.choose),
	 1, INT_MAX},
	{"min-gain", required_argument, 0, pl_take_number, AT(request.min_gain),
	 .most = 100, ALSO(has_min_gain)},
	{"time", required_argument, 0, take_time, AT(request.time_ns),
	 .most = 1e8},
	{"moves", required_argument, 0, pl_take_whole, AT(request.moves),
	 0, INT64_MAX, ALSO(request.has_moves)},
	{"method", required_argument, 0, pl_take_word, AT(request.method),
	 .words = methods},
	{"bound", required_argument, 0, pl_take_word, AT(request.bound),
	 .words = bounds, ALSO(request.has_bound)},
	{"threads", required_argument, 0, pl_take_whole, AT(request.threads),
	 1, 1024},
	{"seed", required_argument, 0, pl_take_whole, AT(request.seed),
	 0, INT64_MAX},
	{"format", required_argument, 0, take_format, AT(format),
	 ALSO(has_format)},
	{"groups", required_argument, 0, pl_take_filled, AT(groups)},
	{"connections", required_argument, 0, pl_take_whole, AT(connections),
	 1, PL_CONNECTIONS_MAX},
	{"tune", optional_argument, 0, pl_take_whole, AT(tune_percent),
	 1, PL_TUNE_PERCENT_MAX, ALSO(tune)},
	{"aggregators", required_argument, 0, pl_take_filled, AT(aggregators)},
	{"job-port", required_argument, 0, pl_take_whole, AT(job_port),
	 1, 65535},
	{"json", no_argument, 0, pl_take_constant, AT(format),
	 PL_FORMAT_JSON, ALSO(has_format)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"plan", required_argument, 0, pl_take_filled, AT(plan)},
	{"plan-costs", no_argument, 0, pl_take_flag, AT(plan_costs)},
	{"predict", optional_argument, 0, pl_take_text, AT(schedule),
	 ALSO(predict)},
	{"nic", required_argument, 0, pl_take_rate, AT(request.nic_bps)},
	{"uplink", required_argument, 0, pl_take_rate,
	 AT(request.uplink_bps)},
	{"rules", required_argument, 0, pl_take_filled, AT(rules)},
	{"report", required_argument, 0, pl_take_filled, AT(report)},
	{"color", required_argument, 0, pl_take_word, AT(color),
	 .words = colors},
	{"cost-of", required_argument, 0, pl_take_filled, AT(cost_of)},
	{"verify", no_argument, 0, pl_take_flag, AT(verify)},
	{0},
};
/* clang-format on */

static void defaults(struct pl_reorder_options *o)
{
	const long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(o, 0, sizeof(*o));
	o->unit = PL_NS;
	o->request.bound = PL_BOUND_FAST;
	o->request.threads = n_cpus < 1 ? 1 : n_cpus > 64 ? 64 : (unsigned)n_cpus;
	o->request.seed = 1;
	if (isatty(STDERR_FILENO))
		o->request.progress = pl_reorder_progress_show;
}

int pl_reorder_options_parse(struct pl_reorder_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = PL_REORDER_TOOL,
		.option = table,
		.help = pl_reorder_help,
		.verbose = offsetof(struct pl_reorder_options, verbose),
	};
	struct pl_err err = {0};
	int status;

	defaults(o);
	o->argv = argv;
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	o->next = (struct pl_next){argv, optind, table};
	if (status == PL_EXIT_DONE && !o->done && o->list_algorithms) {
		o->done = true;
		return pl_reorder_list_algorithms();
	}
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (argc - optind > 1)
		return pl_reorder_usage("more than one host list: %s", argv[optind + 1]);
	if (optind < argc)
		o->hosts = argv[optind];
	o->terminal = pl_terminal_of(STDERR_FILENO, o->color);
	o->terminal.color = o->terminal.color && !pl_tool_is_quiet();
	if (pl_reorder_options_check(o, &err))
		return pl_reorder_usage("%s", err.text);
	return PL_EXIT_DONE;
}
