/* SPDX-License-Identifier: BSD-3-Clause */
/* stop.h - when long work must end */
#ifndef PLINK_BASE_STOP_H
#define PLINK_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* When work must end; {0}: never. The work polls it, and its result does not depend on it until
 * then. Threads share it; only a signal handler writes to it. */
struct pl_stop {
	const volatile sig_atomic_t *flag; /* non-zero: stop; NULL: none */
	int64_t deadline_ns;               /* by pl_clock_ns(); 0: none */
};

/* Must the work end now? False for NULL. */
bool pl_stop_now(const struct pl_stop *stop);

/* Installs @handler for SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. timeout(1) and
 * some launchers send a signal to a process and to its group, so that it comes twice: what follows
 * within PL_STOP_AGAIN_NS of a signal is taken for the same one. @handler may be SIG_DFL. */
#define PL_STOP_AGAIN_NS 200000000
void pl_stop_on_signals(void (*handler)(int));

#endif
