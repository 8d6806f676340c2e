/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - a report for a terminal: a table, and maps of blocks */
#ifndef PLINK_REPORT_TEXT_H
#define PLINK_REPORT_TEXT_H

#include "base/terminal.h"
#include "report/report.h"

#define PL_TEXT_MAP_HOSTS 64 /* with more hosts there is no map */

/*
 * Writes a table of the costs of each order, with no line longer than the width of the terminal. If
 * the terminal has colours and there are at most PL_TEXT_MAP_HOSTS hosts, maps of the given order
 * and of the first found one follow; the second is left out if that order has fewer hosts. With
 * block characters a character shows two pixels, one above the other, and a cell is one pixel (2 x
 * 2 pixels for at most 20 hosts); without them a cell is two blanks wide. 0, or -1 with @err set:
 * out of memory.
 */
int pl_report_write_text(const struct pl_report *r, const struct pl_terminal *terminal, FILE *out,
			 struct pl_err *err);

#endif
