/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - what time it is */
#include "config.h"

#include "base/clock.h"

#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t pl_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

const char *pl_clock_date(char buf[32])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t fixed;
	time_t now = time(NULL);
	struct tm tm;

	/* up to the end of the year 9999 */
	if (epoch && !pl_int_parse(epoch, strlen(epoch), 0, 253402300799, &fixed))
		now = (time_t)fixed;
	gmtime_r(&now, &tm);
	strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}
