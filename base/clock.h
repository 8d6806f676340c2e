/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - what time it is */
#ifndef PLINK_BASE_CLOCK_H
#define PLINK_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic clock in ns. */
int64_t pl_clock_ns(void);

/* Present UTC time as RFC 3339, "2026-11-20T14:00:00Z"; SOURCE_DATE_EPOCH,
 * where set, stands for the present. Returns @buf. */
const char *pl_clock_date(char buf[32]);

#endif
