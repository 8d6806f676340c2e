/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.c - ranks of Open MPI sleep while they wait */
/*
 * With mpi_yield_when_idle they call sched_yield() over and over, and so take
 * most of the processors from those that compute. This stands before the
 * C library's function in programs that are linked with it.
 */
#include "config.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define POLLS 8 /* before it sleeps */

int sched_yield(void)
{
	static _Thread_local unsigned n;

	if (++n % POLLS)
		return (int)syscall(SYS_sched_yield);
	return nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}
