/* SPDX-License-Identifier: BSD-3-Clause */
/* running.h - a testbed that is up, as commands that change it see it */
#ifndef PLINK_TESTBED_RUNNING_H
#define PLINK_TESTBED_RUNNING_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/state.h"

#include <stddef.h>

/* End with close, also if open has failed. */
struct tb_running {
	struct tb_state state;
	struct tb_host *host; /* [n] */
	size_t n;
	const struct tb_ledger *ledger; /* of what holds now */
};

/* 0, or -1 with @err set: PL_EPARTIAL where none of that prefix is up, or its daemon is dead. */
int tb_running_open(struct tb_running *r, const char *prefix, struct pl_err *err);
void tb_running_close(struct tb_running *r);

/* Gives @t, made of the matrix, the groups that are up. 0, or -1 with @err set: PL_EINPUT if the
 * matrix has other hosts or racks. */
int tb_running_fit(const struct tb_running *r, struct tb_topology *t, const struct pl_matrix *m,
		   struct pl_err *err);

/* The delays that hold now, without any rate and without names: for a change that leaves them. *t
 * must be {0}. 0, or -1 with @err set. */
int tb_running_delays(const struct tb_running *r, struct tb_topology *t, struct pl_err *err);

#endif
