/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - money in units that a person would choose */
#ifndef PLINK_SRC_SRIFT_UNITS_H
#define PLINK_SRC_SRIFT_UNITS_H

#define SRIFT_UNIT_CHARS 32

/* Writes "$1234.56", "$0.69", "7.77 cents". Returns @buf. */
const char *srift_money_format(char buf[SRIFT_UNIT_CHARS], double dollars);

/* For the arguments of one call of printf(). */
#define SRIFT_MONEY(usd) srift_money_format((char[SRIFT_UNIT_CHARS]){0}, usd)

#endif
