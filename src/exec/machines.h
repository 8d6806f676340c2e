/* SPDX-License-Identifier: BSD-3-Clause */
/* machines.h - a list of machines by address and port, as LightGBM reads it */
#ifndef PLINK_SRC_EXEC_MACHINES_H
#define PLINK_SRC_EXEC_MACHINES_H

#include "base/plan/plan.h"
#include "base/text/text.h"

/*
 * The machines of @list ("address port" or "address:port", a line each; other
 * lines are passed over) as "address:port,address:port,...": hosts by the
 * plan's first order, the entries of one host as they stood. A host has an
 * entry for each of its slots, by its address or its name. The caller's to
 * free. NULL: PL_EPARTIAL where the list is not of the plan's hosts,
 * PL_ESYSTEM.
 */
char *pl_machines_order(struct pl_text *list, const struct pl_plan *plan,
			struct pl_err *err);

#endif
