/* SPDX-License-Identifier: BSD-3-Clause */
/* show-rates.h - prints the present rates for `status` */
#ifndef PLINK_TESTBED_SHOW_RATES_H
#define PLINK_TESTBED_SHOW_RATES_H

#include "tests/testbed/network/ledger.h"
#include "tests/testbed/state.h"

#include <jansson.h>

/* What `status` looks at; borrowed. */
struct tb_view {
	struct tb_host *host;
	size_t n;
	const struct tb_ledger *ledger;
};

/* Prints a line for all cards, or one for those of each rate; then the same for uplinks. */
void tb_print_rates(const struct tb_view *view);

/* {"nic_bps", "uplink_bps"}: of all cards, of all racks; 0: no limit, null where they differ; and
 * "groups". NULL: no memory. */
json_t *tb_rates_json(const struct tb_view *view);

#endif
