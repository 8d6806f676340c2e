/* SPDX-License-Identifier: BSD-3-Clause */
/* machines.h - orders a list of machines by address and port, as LightGBM reads it */
#ifndef PLINK_SRC_EXEC_MACHINES_H
#define PLINK_SRC_EXEC_MACHINES_H

#include "base/plan/plan.h"
#include "base/text/text.h"

/* A run of characters, not ended by a zero; s is NULL where there is none. */
struct pl_part {
	const char *s;
	size_t len;
};

/* Without any of the @marks at its ends. */
struct pl_part pl_part_trim(struct pl_part p, const char *marks);

/*
 * Returns the machines of @list ("address port" or "address:port", one per line; other lines are
 * skipped) as "address:port,address:port,...", with the hosts in the plan's first order and the
 * entries of one host in their order in @list. A host must have an entry for each of its slots, by
 * its address or its name. The caller frees the result. NULL: PL_EPARTIAL if the list is not of the
 * plan's hosts, PL_ESYSTEM.
 */
char *pl_machines_order(struct pl_text *list, const struct pl_plan *plan, struct pl_err *err);

#endif
