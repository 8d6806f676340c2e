/* SPDX-License-Identifier: BSD-3-Clause */
/* holder.h - the first process of a host: its namespaces, its network card */
#ifndef PLINK_TESTBED_HOLDER_H
#define PLINK_TESTBED_HOLDER_H

#include "base/err.h"
#include "tests/testbed/network/netdev.h"
#include "tests/testbed/state.h"

#include <sys/types.h>

/* What one host is made of. All borrowed. */
struct tb_holder_options {
	const char *name;       /* becomes the host name */
	struct tb_address addr; /* of its card */
	const char *hosts_file; /* mounted over /etc/hosts */
	const char *socket;     /* where `exec` finds it */
	struct tb_user user;    /* who may use it, besides root */
};

/* A host as its daemon sees it. */
struct tb_holder {
	pid_t pid;
	int sock; /* to the first process, which ends when this is closed */
	int tun;
};

/*
 * tb_holder_start() starts a process in its own network, mount, UTS and process namespaces. It dies
 * with the thread that calls this, and everything in the host with it. tb_holder_ready() waits
 * until the host is in order and fetches its card. 0, or -1 with @err set; in either case the
 * caller ends @holder with tb_holder_end().
 */
int tb_holder_start(struct tb_holder *holder, const struct tb_holder_options *opt,
		    struct pl_err *err);
int tb_holder_ready(struct tb_holder *holder, struct pl_err *err);

/* Kills every process of the host, waits for the first one, closes. */
void tb_holder_end(struct tb_holder *holder);

#endif
