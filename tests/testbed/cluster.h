/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - all hosts of one testbed and the daemon that carries packets */
#ifndef PLINK_TESTBED_CLUSTER_H
#define PLINK_TESTBED_CLUSTER_H

#include "base/err.h"
#include "tests/testbed/network/engine.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/state.h"

/*
 * Starts the daemon and its hosts in the directory @state (claimed by the caller) and returns when
 * all hosts can be used, by @user besides root. 0, or -1 with @err set and nothing left running;
 * the caller then removes the directory.
 */
int tb_cluster_up(const struct tb_state *state, const struct tb_topology *t,
		  const struct tb_shape *shape, struct tb_user user, struct pl_err *err);

/*
 * Ends the testbed and removes its directory; also cleans up after a daemon that has died. 0, or -1
 * with @err set.
 */
int tb_cluster_down(struct tb_state *state, struct pl_err *err);

#endif
