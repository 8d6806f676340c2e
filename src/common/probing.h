/* SPDX-License-Identifier: BSD-3-Clause */
/* probing.h - shared by the tools that reach hosts: their list, the launcher, and what is shown
 * meanwhile */
#ifndef PLINK_SRC_COMMON_PROBING_H
#define PLINK_SRC_COMMON_PROBING_H

#include "base/hosts/hosts.h"
#include "probes/run/probe.h"
#include "src/common/options.h"
#include "src/common/progress.h"

/* Reads the host list at @path, or "slurm": the nodes of the job. 0, or -1 with @err set. */
int pl_probing_hosts(struct pl_hosts *hosts, const char *path, enum pl_hosts_form form,
		     struct pl_err *err);

/* For a table of options: stores the template of a launcher that may be given by its name. */
int pl_take_launch(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Stores "LO-HI" in a struct pl_ports. */
int pl_take_ports(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* What is told while hosts are measured. */
struct pl_probing {
	const char *tool;
	struct pl_progress progress;
	bool push; /* hosts were lost that --push would start */
};

/* Sets the functions of @o that show progress, say which hosts cannot be started and, if @logs,
 * what their launchers print. Call pl_progress_end when the run is over. */
void pl_probing_begin(struct pl_probing *p, const char *tool, bool logs,
		      struct pl_probe_options *o);

/* The log function alone; its argument is a struct pl_probing. */
void pl_probing_log(void *probing, const char *host, const char *line);

/* Says how the hosts were reached and measured, if a job on them must take that into account:
 * headers "logins" and "network" (plink-matrix(5)). */
void pl_probing_say_ways(const char *tool, const struct pl_matrix *m);

/* Says which pairs were measured a second time, if any were. */
void pl_probing_say_again(const char *tool, const struct pl_probe_report *r);

#endif
