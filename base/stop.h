/* SPDX-License-Identifier: BSD-3-Clause */
/* stop.h - when long work has to come to an end */
#ifndef PLINK_BASE_STOP_H
#define PLINK_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Looked at now and then; it never changes what the work does until then. {0}:
 * never stop. Shared by threads: nobody writes it but a signal handler. */
struct pl_stop {
	const volatile sig_atomic_t *flag; /* non-zero: stop; NULL: none */
	int64_t deadline_ns;               /* on pl_clock_ns's clock; 0: none */
};

/* Is it time? @stop may be NULL. */
bool pl_stop_now(const struct pl_stop *stop);

/* Calls @handler on SIGINT, SIGTERM and, where it is not ignored (nohup),
 * SIGHUP. */
void pl_stop_on_signals(void (*handler)(int));

#endif
