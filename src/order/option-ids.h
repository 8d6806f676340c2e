/* SPDX-License-Identifier: BSD-3-Clause */
/* option-ids.h - the numbers of plink-order's long options */
#ifndef PLINK_SRC_ORDER_OPTION_IDS_H
#define PLINK_SRC_ORDER_OPTION_IDS_H

#include "src/order/options.h"

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
	OPT_TREE,
	OPT_SAVE_MATRIX,
	OPT_COLLECTIVE,
	OPT_ALGORITHM,
	OPT_IMPL,
	OPT_SIZE,
	OPT_STATS,
	OPT_ACCEPT_LOSS,
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
	OPT_HELP,
	OPT_VERSION,
};

/* Stores an option: @id is an enum option_id, 'o' or 'v', @option its name,
 * @value its value, which is borrowed, or NULL. 0, or -1 after a message about
 * a usage error. */
int pl_order_option_take(struct pl_order_options *o, int id, const char *option,
			 const char *value);

#endif
