/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-exact.h - the cheapest ring of some of few hosts, by dynamic
 * programming */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_EXACT_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_EXACT_H

#include "base/err.h"
#include "solver/choose/choice.h"

#define PL_CHOOSE_EXACT_MAX 13 /* hosts: 400 KiB, a few ms */

/*
 * Writes host_at[n]: a ring of k hosts of least cost, beginning with a host
 * that may lead. Of several cheapest rings it is always the same one. n <=
 * PL_CHOOSE_EXACT_MAX. The method is that of ring-exact.h, with rings that may
 * end before all hosts are on them. 0, or -1 with @err set: out of memory.
 */
int pl_choose_exact(const struct pl_host_choice *choice, size_t *host_at,
		    struct pl_err *err);

#endif
