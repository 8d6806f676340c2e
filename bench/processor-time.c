/* SPDX-License-Identifier: BSD-3-Clause */
/* processor-time.c - work that ends after so many seconds of the processor */
#include "config.h"

#include "bench/processor-time.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t time_is_over;

static void on_timer(int signal)
{
	(void)signal;
	time_is_over = 1;
}

double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const struct pl_stop *processor_stop(double seconds)
{
	static const struct pl_stop stop = {.flag = &time_is_over};
	struct itimerval t = {.it_value = {.tv_sec = (time_t)seconds}};

	t.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
	signal(SIGPROF, on_timer);
	time_is_over = 0;
	setitimer(ITIMER_PROF, &t, NULL);
	return &stop;
}
