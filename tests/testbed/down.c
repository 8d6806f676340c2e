/* SPDX-License-Identifier: BSD-3-Clause */
/* down.c - ends a testbed, or what a dead daemon left of one */
#include "config.h"

#include "tests/testbed/cluster.h"

#include <signal.h>
#include <unistd.h>

#define ORDERLY_MS 15000
#define KILLED_MS 5000

/* Asks the daemon to end, then makes it. */
static int end_daemon(const struct tb_state *state, struct pl_err *err)
{
	struct tb_proc daemon;
	int pidfd, ret = 0;

	if (tb_state_get_daemon(state, &daemon, err))
		return -1;
	pidfd = tb_proc_open(daemon);
	if (pidfd < 0) /* gone, or of another namespace: the lock will tell */
		return 0;
	tb_proc_signal(pidfd, SIGTERM);
	if (tb_proc_wait(pidfd, ORDERLY_MS)) {
		tb_proc_signal(pidfd, SIGKILL);
		if (tb_proc_wait(pidfd, KILLED_MS))
			ret = pl_err_set(err, PL_ESYSTEM, "the daemon does not end");
	}
	close(pidfd);
	return ret;
}

int tb_cluster_down(struct tb_state *state, struct pl_err *err)
{
	struct pl_err why = {0};

	if (tb_state_is_alive(state) && end_daemon(state, err))
		return -1;
	if (tb_state_lock(state, &why)) {
		/* gone in an orderly way, it took its directory along */
		if (why.code == PL_OK)
			return 0;
		if (err)
			*err = why;
		return -1;
	}
	if (tb_state_end_hosts(state, err))
		return -1;
	tb_state_remove(state);
	return 0;
}
