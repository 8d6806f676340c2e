/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the texts of plink-order --help and --list-algorithms */
#ifndef PLINK_SRC_ORDER_HELP_H
#define PLINK_SRC_ORDER_HELP_H

/* Print the text to stdout and flush it; return the exit status. */
int pl_order_help(void);
int pl_order_list_algorithms(void);

#endif
