/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the directory by which commands find a running testbed */
#ifndef PLINK_TESTBED_STATE_H
#define PLINK_TESTBED_STATE_H

#include "base/err.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/proc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TB_ROOT "/run/plink-testbed"
#define TB_PREFIX_MAX 32

/* As whom commands run in the hosts; uid 0: as root. */
struct tb_user {
	uid_t uid;
	gid_t gid;
};

/*
 * TB_ROOT/PREFIX: files "daemon" (process), "hosts" (a line per host), "etc-hosts", "ledger", a
 * socket per host and one for changes. The daemon holds a lock on the directory as long as it
 * lives: no lock, no testbed.
 */
struct tb_state {
	int dirfd; /* -1: none */
	char path[sizeof(TB_ROOT) + 1 + TB_PREFIX_MAX];
};

/* A host of a running testbed. */
struct tb_host {
	char name[TB_NAME_MAX + 1];
	size_t rack;
	uint32_t addr;       /* host byte order */
	struct tb_proc init; /* its first process */
};

/* Is this a prefix: letters, digits, '-', '_', at most TB_PREFIX_MAX? */
bool tb_prefix_is_good(const char *prefix);

const char *tb_state_prefix(const struct tb_state *state);

/* For `up`: makes and locks the directory; takes over one whose daemon is dead (its processes are
 * ended first). 0, or -1: PL_EPARTIAL when it is in use. */
int tb_state_claim(struct tb_state *state, const char *prefix, struct pl_err *err);

/* For all other commands: opens the directory. 0, or -1: PL_EPARTIAL when there is none of that
 * prefix. */
int tb_state_open(struct tb_state *state, const char *prefix, struct pl_err *err);

/* Is its daemon alive? */
bool tb_state_is_alive(const struct tb_state *state);

/* Locks an open state whose daemon is dead or dying. A process that is killed keeps its lock until
 * the kernel has removed its cards, which takes a second if there are many. 0; or -1: the directory
 * is gone from its path (@err untouched), or another process keeps the lock (@err set). */
int tb_state_lock(const struct tb_state *state, struct pl_err *err);

/* Closes the descriptor, and with it releases the lock if this descriptor held it. */
void tb_state_close(struct tb_state *state);

/* Removes the directory with its files, and the hosts' control groups. */
void tb_state_remove(const struct tb_state *state);

/* Lets that user find the hosts. 0, or -1 with @err set. */
int tb_state_share(const struct tb_state *state, struct pl_err *err);

/* Writes the file @name as a whole. 0, or -1 with @err set. */
int tb_state_put(const struct tb_state *state, const char *name, const char *text,
		 struct pl_err *err);

int tb_state_put_daemon(const struct tb_state *state, struct tb_proc daemon, struct pl_err *err);
int tb_state_get_daemon(const struct tb_state *state, struct tb_proc *daemon, struct pl_err *err);

int tb_state_put_hosts(const struct tb_state *state, const struct tb_host *host, size_t n,
		       struct pl_err *err);

/* *host is an array of *n, the caller frees it. */
int tb_state_get_hosts(const struct tb_state *state, struct tb_host **host, size_t *n,
		       struct pl_err *err);

/* Writes the path of a host's socket to @buf. Returns @buf. */
#define TB_SOCKET_PATH_MAX 108
const char *tb_state_socket(const struct tb_state *state, size_t host,
			    char buf[TB_SOCKET_PATH_MAX]);

/* Ends all processes that the hosts file names and that are still alive, and waits for them. 0, or
 * -1 with @err set when one remains. */
int tb_state_end_hosts(const struct tb_state *state, struct pl_err *err);

#endif
