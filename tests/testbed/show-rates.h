/* SPDX-License-Identifier: BSD-3-Clause */
/* show-rates.h - the rates that hold, for `status` */
#ifndef PLINK_TESTBED_SHOW_RATES_H
#define PLINK_TESTBED_SHOW_RATES_H

#include "tests/testbed/ledger.h"
#include "tests/testbed/state.h"

#include <jansson.h>

/* What `status` looks at; borrowed. */
struct tb_view {
	struct tb_host *host;
	size_t n;
	const struct tb_ledger *ledger;
};

/* A line for all cards, or for those of each rate; then for uplinks. */
void tb_print_rates(const struct tb_view *view);

/* {"nic_bps", "uplink_bps"}: of all cards, of all racks; 0: no limit, null
 * where they differ; and "groups". NULL: no memory. */
json_t *tb_rates_json(const struct tb_view *view);

#endif
