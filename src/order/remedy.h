/* SPDX-License-Identifier: BSD-3-Clause */
/* remedy.h - how to go on from what was measured */
#ifndef PLINK_SRC_ORDER_REMEDY_H
#define PLINK_SRC_ORDER_REMEDY_H

#include "src/order/source.h"

/* After a run that did not do everything: prints the commands that measure the
 * rest, or go on with what there is. */
void pl_reorder_remedy(const struct pl_reorder_source *from,
		       const struct pl_reorder_options *o);

#endif
