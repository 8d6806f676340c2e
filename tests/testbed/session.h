/* SPDX-License-Identifier: BSD-3-Clause */
/* session.h - one command inside a host, on behalf of an `exec` outside */
#ifndef PLINK_TESTBED_SESSION_H
#define PLINK_TESTBED_SESSION_H

#include "tests/testbed/state.h"

/* Reads a request from @conn (wire.h), runs its command as @user, or as root
 * where root asks for that, passes signals on, and answers with the wait
 * status. If the other side goes away first, kills the
 * command's process group. Runs in a process of its own; returns that process's
 * exit status. */
int tb_session_run(int conn, struct tb_user user);

#endif
