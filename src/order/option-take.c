/* SPDX-License-Identifier: BSD-3-Clause */
/* option-take.c - values of plink-order's options, as they come */
#include "config.h"

#include "src/order/option-ids.h"

#include "probes/relay/relay.h"
#include "probes/run/probe.h"
#include "src/common/tool.h"
#include "src/order/format/format.h"
#include "src/order/values.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const missings[] = {"refuse", "worst", "drop-host",
				       "estimate", NULL};
static const char *const methods[] = {"search", "exact", "thesis", NULL};
static const char *const bounds[] = {"none", "fast", "full", NULL};
static const char *const forms[] = {"list", "seq", NULL};
static const char *const symmetrizes[] = {"none", "max", "mean", NULL};
static const char *const units[] = {"ns", "us", "ms", "s", NULL};

/* Options whose value is one of a few names. */
static int take_choice(struct pl_order_options *o, int id, const char *option,
		       const char *value)
{
	const char *const *names = id == OPT_UNIT           ? units
				   : id == OPT_HOSTS_FORMAT ? forms
				   : id == OPT_SYMMETRIZE   ? symmetrizes
				   : id == OPT_MISSING      ? missings
				   : id == OPT_METHOD       ? methods
							    : bounds;
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
		o->request.has_symmetrize = true;
		return pl_symmetrize_parse(value, strlen(value),
					   &o->request.symmetrize);
	case OPT_MISSING:
		o->missing = (enum pl_order_missing)i;
		return 0;
	case OPT_METHOD:
		o->request.method = (enum pl_order_method)i;
		return 0;
	default:
		o->request.has_bound = true;
		o->request.bound = (enum pl_bound_effort)i;
		return 0;
	}
}

static int take_format(struct pl_order_options *o, const char *option,
		       const char *value)
{
	const char *names[PL_ORDER_FORMATS + 1] = {NULL};
	int i;

	for (i = 0; i < PL_ORDER_FORMATS; i++)
		names[i] = pl_order_form((enum pl_order_format)i)->name;
	i = pl_order_choose(option, value, names);
	if (i < 0)
		return -1;
	o->format = (enum pl_order_format)i;
	o->has_format = true;
	return 0;
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
		o->request.choose = (size_t)n;
		return 0;
	case OPT_MIN_GAIN:
		o->has_min_gain = true;
		return pl_order_decimal(option, value, 100,
					&o->request.min_gain);
	case OPT_TIME:
		if (pl_order_decimal(option, value, 1e8, &seconds))
			return -1;
		o->request.time_ns = 1 + (int64_t)(seconds * 1e9);
		return 0;
	case OPT_MOVES:
		if (pl_order_number(option, value, 0, INT64_MAX, &n))
			return -1;
		o->request.has_moves = true;
		o->request.moves = (uint64_t)n;
		return 0;
	case OPT_ROOT:
		if (pl_order_number(option, value, 0, INT_MAX, &n))
			return -1;
		o->request.what.root = (size_t)n;
		return 0;
	case OPT_JOB_PORT:
		if (pl_order_number(option, value, 1, 65535, &n))
			return -1;
		o->job_port = (int)n;
		return 0;
	case OPT_TREE:
		if (pl_order_number(option, value, 2, PL_RELAY_HOSTS_MAX, &n))
			return -1;
		o->tree = (size_t)n;
		return 0;
	case OPT_FANOUT:
		if (pl_order_number(option, value, 1, PL_MATRIX_HOSTS_MAX, &n))
			return -1;
		o->fanout = (size_t)n;
		return 0;
	case OPT_THREADS:
		if (pl_order_number(option, value, 1, 1024, &n))
			return -1;
		o->request.threads = (unsigned)n;
		return 0;
	default:
		if (pl_order_number(option, value, 0, INT64_MAX, &n))
			return -1;
		o->request.seed = (uint64_t)n;
		return 0;
	}
}

static int take_text(struct pl_order_options *o, int id, const char *option,
		     const char *value)
{
	const char **to = id == OPT_MATRIX        ? &o->matrix
			  : id == OPT_TOPOLOGY    ? &o->topology
			  : id == OPT_LAUNCH      ? &o->launch
			  : id == OPT_AGENT       ? &o->agent
			  : id == OPT_IFACE       ? &o->iface
			  : id == OPT_PIN         ? &o->request.pin
			  : id == OPT_NOT_FIRST   ? &o->request.not_first
			  : id == OPT_PLAN        ? &o->plan
			  : id == OPT_RULES       ? &o->rules
			  : id == OPT_REPORT      ? &o->report
			  : id == OPT_SAVE_MATRIX ? &o->save_matrix
			  : id == OPT_COST_OF     ? &o->cost_of
			  : id == OPT_BANDWIDTH_LAYER
				  ? &o->request.bandwidth_layer
			  : id == OPT_COLLECTIVE ? &o->request.names.collective
			  : id == OPT_STATS      ? &o->request.stats
			  : id == OPT_ALGORITHM  ? &o->request.names.algorithm
			  : id == OPT_IMPL       ? &o->request.names.impl
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
	pl_tool_usage(PL_ORDER_TOOL,
		      "--color=%s: not one of auto, always, never", value);
	return -1;
}

int pl_order_option_take(struct pl_order_options *o, int id, const char *option,
			 const char *value)
{
	switch (id) {
	case OPT_UNIT:
	case OPT_HOSTS_FORMAT:
	case OPT_SYMMETRIZE:
	case OPT_MISSING:
	case OPT_METHOD:
	case OPT_BOUND:
		return take_choice(o, id, option, value);
	case OPT_FORMAT:
		return take_format(o, option, value);
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
		return pl_order_rate(option, value, &o->request.nic_bps);
	case OPT_UPLINK:
		return pl_order_rate(option, value, &o->request.uplink_bps);
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
	case OPT_ACCEPT_LOSS:
		o->request.accept_loss = INFINITY;
		return value ? pl_order_decimal(option, value, 1e6,
						&o->request.accept_loss)
			     : 0;
	case OPT_TREE:
		if (value)
			return take_number(o, id, option, value);
		o->tree = PL_PROBE_TREE_EVEN;
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
