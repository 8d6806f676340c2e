/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - time and money in units that a person would choose */
#ifndef PLINK_SRC_SRIFT_UNITS_H
#define PLINK_SRC_SRIFT_UNITS_H

#define SRIFT_UNIT_CHARS 32

/* Writes "637 us", "41.8 s", "1234 s", "2.78 h": three digits, or all of a
 * whole number of the unit. Returns @buf. */
const char *srift_time_format(char buf[SRIFT_UNIT_CHARS], double s);

/* Writes "$1234.56", "$0.69", "7.77 cents". Returns @buf. */
const char *srift_money_format(char buf[SRIFT_UNIT_CHARS], double dollars);

/* For the arguments of one call of printf(). */
#define SRIFT_TIME(s) srift_time_format((char[SRIFT_UNIT_CHARS]){0}, s)
#define SRIFT_MONEY(usd) srift_money_format((char[SRIFT_UNIT_CHARS]){0}, usd)

#endif
