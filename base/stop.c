/* SPDX-License-Identifier: BSD-3-Clause */
/* stop.c - when long work has to come to an end */
#include "config.h"

#include "base/stop.h"

#include "base/clock.h"

bool pl_stop_now(const struct pl_stop *stop)
{
	if (!stop)
		return false;
	if (stop->flag && *stop->flag)
		return true;
	return stop->deadline_ns && pl_clock_ns() >= stop->deadline_ns;
}

void pl_stop_on_signals(void (*handler)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = handler};
	struct sigaction before;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, &before);
		if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &before, NULL);
	}
}
