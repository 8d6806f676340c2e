/* SPDX-License-Identifier: BSD-3-Clause */
/* priority.c - a turn on a busy processor, soon */
#include "config.h"

#include "base/priority.h"

#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TURN_NS 100000 /* the shortest that Linux grants */

/* What sched_setattr(2) takes, in its first version. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* 0: as long as those of others */
static void set_turns(uint64_t turn_ns)
{
	const struct attributes a = {
		.size = sizeof(a),
		.policy = SCHED_OTHER,
		.nice = getpriority(PRIO_PROCESS, 0),
		.runtime_ns = turn_ns,
	};

	syscall(SYS_sched_setattr, 0, &a, 0);
}

void pl_priority_raise(struct pl_priority *before)
{
	const struct sched_param least = {
		.sched_priority = sched_get_priority_min(SCHED_FIFO),
	};
	struct sched_param is = {0};

	before->policy = sched_getparam(0, &is) ? -1 : sched_getscheduler(0);
	before->priority = is.sched_priority;
	if (before->policy < 0 || before->priority > 0)
		return;
	prctl(PR_SET_TIMERSLACK, 1UL);
	if (sched_setscheduler(0, SCHED_FIFO, &least) && before->policy == SCHED_OTHER)
		set_turns(TURN_NS);
}

void pl_priority_restore(const struct pl_priority *before)
{
	const struct sched_param was = {0};

	if (before->policy < 0 || before->priority > 0)
		return;
	prctl(PR_SET_TIMERSLACK, 0UL);
	sched_setscheduler(0, before->policy, &was);
	if (before->policy == SCHED_OTHER)
		set_turns(0);
}
