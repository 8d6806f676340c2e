/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - the present time */
#ifndef PLINK_BASE_CLOCK_H
#define PLINK_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic clock in ns. */
int64_t pl_clock_ns(void);

/* The present time in UTC as RFC 3339, "2026-11-20T14:00:00Z"; the time in SOURCE_DATE_EPOCH
 * instead, if that variable is set. Returns @buf. */
const char *pl_clock_date(char buf[32]);

#endif
