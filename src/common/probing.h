/* SPDX-License-Identifier: BSD-3-Clause */
/* probing.h - shared by the tools that reach hosts: their list, the launcher,
 * and what is shown meanwhile */
#ifndef PLINK_SRC_COMMON_PROBING_H
#define PLINK_SRC_COMMON_PROBING_H

#include "base/hosts/hosts.h"
#include "probes/run/probe.h"
#include "src/common/options.h"

/* Reads the host list at @path, or "slurm": the nodes of the job. 0, or -1 with
 * @err set. */
int pl_probing_hosts(struct pl_hosts *hosts, const char *path, enum pl_hosts_form form,
		     struct pl_err *err);

/* For a table of options: stores the template of a launcher that may be given
 * by its name. */
int pl_take_launch(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Stores "LO-HI" in a struct pl_ports. */
int pl_take_ports(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* The progress function of struct pl_probe_options; its argument is a struct
 * pl_progress. */
void pl_probing_show(void *progress, const struct pl_probe_progress *now);

/* The log function; its argument is the tool's name, as a string. */
void pl_probing_log(void *tool, const char *host, const char *line);

/* Says which pairs were measured a second time, if any were. */
void pl_probing_say_again(const char *tool, const struct pl_probe_report *r);

#endif
