/* SPDX-License-Identifier: BSD-3-Clause */
/* session.h - one command inside a host, on behalf of an `exec` outside */
#ifndef PLINK_TESTBED_SESSION_H
#define PLINK_TESTBED_SESSION_H

/* Reads a request from @conn (wire.h), runs it, passes signals on, answers with
 * its wait status. When the other side goes away first, the command's process
 * group is killed. Runs in a process of its own; gives its exit status. */
int tb_session_run(int conn);

#endif
