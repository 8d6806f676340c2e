/* SPDX-License-Identifier: BSD-3-Clause */
/* change.h - how `change` gives new delays and rates to a running daemon */
#ifndef PLINK_TESTBED_CHANGE_H
#define PLINK_TESTBED_CHANGE_H

#include "base/err.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/rates.h"
#include "tests/testbed/state.h"

#include <stddef.h>
#include <stdint.h>

/* For the daemon: opens a socket in the state directory, which becomes readable when a client asks
 * for a change. The descriptor, or -1 with @err set. */
int tb_change_listen(const struct tb_state *state, struct pl_err *err);

/* For the daemon: makes the change that one client asks for, and answers; never blocks. Drops
 * messages that are no such request. */
void tb_change_take(int sock, struct tb_ledger *ledger, struct tb_rates *rates);

/* For clients: asks the daemon to use the delays and the known rates of @t, which must have the
 * daemon's hosts and groups, for all packets that come from now on. Returns when the daemon does.
 * 0, or -1 with @err set. */
int tb_change_ask(const struct tb_state *state, const struct tb_topology *t, struct pl_err *err);

#endif
