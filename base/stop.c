/* SPDX-License-Identifier: BSD-3-Clause */
/* stop.c - when long work has to come to an end */
#include "config.h"

#include "base/stop.h"

#include "base/clock.h"

#include <stdatomic.h>

bool pl_stop_now(const struct pl_stop *stop)
{
	if (!stop)
		return false;
	if (stop->flag && *stop->flag)
		return true;
	return stop->deadline_ns && pl_clock_ns() >= stop->deadline_ns;
}

static void (*_Atomic handler_of_all)(int);
static _Atomic int64_t last_ns; /* of the last signal handled; 0: none */

/* Any thread may run it, and two at once: one of them handles the signal. */
static void handle(int number)
{
	const int64_t now_ns = pl_clock_ns();
	int64_t last = last_ns;

	if (last && now_ns - last < PL_STOP_AGAIN_NS)
		return;
	if (atomic_compare_exchange_strong(&last_ns, &last, now_ns))
		handler_of_all(number);
}

void pl_stop_on_signals(void (*handler)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = handler == SIG_DFL ? SIG_DFL : handle};
	struct sigaction before;

	if (handler != SIG_DFL)
		handler_of_all = handler;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, &before);
		if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &before, NULL);
	}
}
