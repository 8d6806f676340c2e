/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-priority.c - raised where allowed, and as it was before in the end */
#include "config.h"

#include "base/priority.h"
#include "tests/tap.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTR_BYTES 48 /* of sched_getattr(2), first version */
#define NOBODY 65534

/* How a thread is scheduled, all of it. */
struct how {
	int policy, slack;
	unsigned char attr[ATTR_BYTES];
};

static struct how look(void)
{
	struct how how = {.policy = sched_getscheduler(0), .slack = prctl(PR_GET_TIMERSLACK)};

	syscall(SYS_sched_getattr, 0, how.attr, sizeof(how.attr), 0);
	return how;
}

static bool same(const struct how *a, const struct how *b)
{
	return a->policy == b->policy && a->slack == b->slack &&
	       !memcmp(a->attr, b->attr, sizeof(a->attr));
}

static void test_there_and_back(const char *who)
{
	const struct how first = look();
	struct pl_priority before;
	struct how raised, last;

	pl_priority_raise(&before);
	raised = look();
	pl_priority_restore(&before);
	last = look();
	ok(!same(&first, &raised), "%s: raised is another thing", who);
	ok(raised.policy == SCHED_FIFO || raised.policy == first.policy,
	   "%s: real-time, or the policy that it was", who);
	ok(same(&first, &last), "%s: restored is what it was", who);
}

/* What has a real-time priority keeps it. */
static void test_kept(void)
{
	const struct sched_param high = {.sched_priority = 7}, none = {0};
	struct pl_priority before;
	struct sched_param is;

	if (sched_setscheduler(0, SCHED_RR, &high))
		return;
	pl_priority_raise(&before);
	sched_getparam(0, &is);
	is_int(is.sched_priority, 7, "a higher priority stays");
	pl_priority_restore(&before);
	is_int(sched_getscheduler(0), SCHED_RR, "and after that");
	sched_setscheduler(0, SCHED_OTHER, &none);
}

/* In a process of its own, which cannot come back: its tests count here. */
static void test_without_rights(void)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct pl_priority before;
		struct how first, raised, last;

		if (setuid(NOBODY))
			_exit(2);
		first = look();
		pl_priority_raise(&before);
		raised = look();
		pl_priority_restore(&before);
		last = look();
		_exit(raised.policy != first.policy || raised.slack != 1 || !same(&first, &last));
	}
	waitpid(pid, &status, 0);
	is_int(status, 0, "without rights: exact timers, and back");
}

int main(void)
{
	test_there_and_back("as we are");
	test_kept();
	if (geteuid() == 0)
		test_without_rights();
	return done_testing();
}
