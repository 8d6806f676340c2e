/* SPDX-License-Identifier: BSD-3-Clause */
/* priority.h - run soon after waking up, even on a busy processor */
#ifndef PLINK_BASE_PRIORITY_H
#define PLINK_BASE_PRIORITY_H

/* How the calling thread was scheduled. */
struct pl_priority {
	int policy, priority; /* of sched_setscheduler(2); policy -1: unknown */
};

/*
 * Lets the calling thread, which should sleep nearly all the time, run before other work when it
 * wakes up, and makes its timers exact. It gets the lowest real-time priority if that is allowed;
 * otherwise a short time slice, which the scheduler serves sooner (Linux 6.12 and later; earlier
 * versions ignore it). Does nothing for a thread that has a real-time priority already.
 */
void pl_priority_raise(struct pl_priority *before);

/* Restores the scheduling from before pl_priority_raise. */
void pl_priority_restore(const struct pl_priority *before);

#endif
