/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - a report for a terminal: a table, and maps of blocks */
#ifndef PLINK_REPORT_TEXT_H
#define PLINK_REPORT_TEXT_H

#include "base/terminal.h"
#include "report/report.h"

#define PL_TEXT_MAP_HOSTS 64 /* of more there is no map */

/*
 * A table of costs for each order, no line longer than the terminal is wide;
 * and with colours, for few hosts, the given and the found map: a letter is two
 * cells high, or a line one cell where there are no block letters. 0, or -1
 * with @err set: no memory.
 */
int pl_report_write_text(const struct pl_report *r,
			 const struct pl_terminal *terminal, FILE *out,
			 struct pl_err *err);

#endif
