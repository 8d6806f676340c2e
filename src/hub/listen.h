/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.h - a hub of several jobs, a process each */
#ifndef PLINK_SRC_HUB_LISTEN_H
#define PLINK_SRC_HUB_LISTEN_H

#include "base/err.h"
#include "src/hub/serve.h"

/* Waits at o->listen for jobs of the file o->jobs, until a signal asks to end. The hub of each is a
 * process of its own; those that still run then end, too. 0, or -1 with @err set. */
int hub_listen(const struct hub_options *o, struct pl_err *err);

#endif
