/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - a clock that is read twice in every call that is timed */
#include "config.h"

#include "shim/stats/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

bool pl_stats_has_counter;

#if defined(__x86_64__)

#include <cpuid.h>

#define LEAF_POWER 0x80000007u
#define INVARIANT (1u << 8) /* in EDX: the TSC runs at one rate, always */

static bool is_even(void)
{
	unsigned int eax, ebx, ecx, edx;
	int allowed = PR_TSC_ENABLE;

	prctl(PR_GET_TSC, &allowed);
	return allowed == PR_TSC_ENABLE && __get_cpuid(LEAF_POWER, &eax, &ebx, &ecx, &edx) &&
	       (edx & INVARIANT);
}

#else

static bool is_even(void)
{
	return false;
}

#endif

/* The kernel watches whether the cores' counters agree, and strikes them off its list when they do
 * not. Where it shows no list, the processor's word counts. */
static bool is_trusted(void)
{
	static const char list[] =
		"/sys/devices/system/clocksource/clocksource0/available_clocksource";
	char line[256] = "";
	FILE *f = fopen(list, "re");
	bool trusted = true;

	if (!f)
		return true;
	if (fgets(line, sizeof(line), f))
		trusted = strstr(line, "tsc") != NULL;
	fclose(f);
	return trusted;
}

static struct pl_stats_moment now(void)
{
	return (struct pl_stats_moment){.ticks = pl_stats_clock(), .ns = pl_clock_ns()};
}

struct pl_stats_moment pl_stats_clock_start(bool allowed)
{
	pl_stats_has_counter = allowed && is_even() && is_trusted();
	return now();
}

double pl_stats_clock_tick_s(const struct pl_stats_moment *start)
{
	const struct pl_stats_moment end = now();

	if (!pl_stats_has_counter || end.ticks <= start->ticks)
		return 1e-9;
	return 1e-9 * (double)(end.ns - start->ns) / (double)(end.ticks - start->ticks);
}
