/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - the end of a wait that is too long */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include "base/text/size.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static char said[512];
static size_t said_len;

/* On whichever thread: nothing but what signal handlers may call. */
static void end(int signal)
{
	(void)signal;
	if (write(STDERR_FILENO, said, said_len) < 0)
		_exit(PL_EXIT_SYSTEM);
	_exit(PL_EXIT_SYSTEM);
}

static void set(double s)
{
	const struct itimerval timer = {
		.it_interval = {0, 0},
		.it_value = {.tv_sec = (time_t)s,
			     .tv_usec = (suseconds_t)((s - (double)(time_t)s) * 1e6)},
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

void nccl_bw_watch(double timeout_s, const char *fmt, ...)
{
	const struct sigaction action = {.sa_handler = end};
	char from[256];
	va_list args;
	int len;

	set(0);
	if (timeout_s <= 0)
		return;
	va_start(args, fmt);
	vsnprintf(from, sizeof(from), fmt, args);
	va_end(args);
	len = snprintf(said, sizeof(said), NCCL_BW_TOOL ": nothing from %s within %s\n", from,
		       PL_TIME_TEXT(timeout_s));
	said_len = len < 0 ? 0 : strlen(said);
	sigaction(SIGALRM, &action, NULL);
	set(timeout_s);
}
