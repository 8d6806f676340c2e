/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - checks the options of a caller and completes them */
#ifndef PLINK_PROBES_RUN_OPTIONS_H
#define PLINK_PROBES_RUN_OPTIONS_H

#include "probes/run/probe.h"

#define PL_IFACE_OPTION_MAX 128 /* characters: longer than any valid one */

/*
 * Checks hosts and options. @once, which must be empty, gets each host name once. *o becomes *given
 * with the gap that the packet rate requires. 0, or -1 with @err set. The caller ends @once with
 * pl_hosts_fini() in either case.
 */
int pl_options_settle(const struct pl_hosts *hosts, const struct pl_probe_options *given,
		      struct pl_hosts *once, struct pl_probe_options *o, struct pl_err *err);

#endif
