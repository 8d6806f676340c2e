/* SPDX-License-Identifier: BSD-3-Clause */
/* priority.h - a turn on a busy processor, soon */
#ifndef PLINK_BASE_PRIORITY_H
#define PLINK_BASE_PRIORITY_H

/* How the calling thread was scheduled. */
struct pl_priority {
	int policy, priority; /* of sched_setscheduler(2); policy -1: unknown */
};

/*
 * The calling thread, which should sleep nearly all the time, gets its turn
 * before whatever else runs: in the lowest real-time priority where that is
 * allowed; else by short turns, which whoever wakes up gets the sooner (Linux
 * 6.12 and later; before that nothing changes). Its timers are exact. What is
 * not allowed is left as it was, and so is a thread that has a real-time
 * priority.
 */
void pl_priority_raise(struct pl_priority *before);

/* As it was before. */
void pl_priority_restore(const struct pl_priority *before);

#endif
