/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - what plink-order says about itself */
#ifndef PLINK_SRC_ORDER_HELP_H
#define PLINK_SRC_ORDER_HELP_H

/* --help, --list-algorithms: to stdout, flushed; the exit status. */
int pl_order_help(void);
int pl_order_list_algorithms(void);

#endif
