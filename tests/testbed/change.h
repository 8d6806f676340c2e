/* SPDX-License-Identifier: BSD-3-Clause */
/* change.h - how `change` gives new delays and rates to a running daemon */
#ifndef PLINK_TESTBED_CHANGE_H
#define PLINK_TESTBED_CHANGE_H

#include "base/err.h"
#include "tests/testbed/ledger.h"
#include "tests/testbed/rates.h"
#include "tests/testbed/state.h"

#include <stddef.h>
#include <stdint.h>

/* The daemon's: a socket in the state directory that is readable when somebody
 * wants a change. The descriptor, or -1 with @err set. */
int tb_change_listen(const struct tb_state *state, struct pl_err *err);

/* Does what one of them wants, and answers; waits for nobody. Messages that are
 * none are dropped. */
void tb_change_take(int sock, struct tb_ledger *ledger, struct tb_rates *rates);

/* Others': has the daemon use the delays and those rates that are known of a
 * topology of its hosts and groups, for all packets that come from now on;
 * returns when it does. 0, or -1 with @err set. */
int tb_change_ask(const struct tb_state *state, const struct tb_topology *t,
		  struct pl_err *err);

#endif
