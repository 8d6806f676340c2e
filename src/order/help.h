/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the texts of plink-order --help and --list-algorithms */
#ifndef PLINK_SRC_ORDER_HELP_H
#define PLINK_SRC_ORDER_HELP_H

/* What --help prints. */
extern const char pl_order_help[];

/* Prints the list to stdout and flushes it; returns the exit status. */
int pl_order_list_algorithms(void);

#endif
