/* SPDX-License-Identifier: BSD-3-Clause */
/* probing.c - what tools share that reach hosts */
#include "config.h"

#include "src/common/probing.h"

#include "base/hosts/hosts-slurm.h"
#include "probes/launch/launch.h"
#include "src/common/progress.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int pl_probing_hosts(struct pl_hosts *hosts, const char *path, enum pl_hosts_form form,
		     struct pl_err *err)
{
	return pl_hosts_are_slurms(path) ? pl_hosts_read_slurm(hosts, err)
					 : pl_hosts_read(hosts, path, form, err);
}

int pl_take_launch(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	return pl_take_text(o, option, pl_launch_template(value), err);
}

void pl_probing_show(void *progress, const struct pl_probe_progress *now)
{
	char more[80];

	snprintf(more, sizeof(more), "%zu of %zu hosts, %" PRIu64 " probes", now->n_alive,
		 now->n_hosts, now->n_probes);
	pl_progress_show(progress, (struct pl_progress_now){.done = now->n_done,
							    .total = now->n_all,
							    .phase = now->phase,
							    .unit = now->unit,
							    .left_s = NAN,
							    .more = more});
}

void pl_probing_log(void *tool, const char *host, const char *line)
{
	pl_tool_warn(tool, "%s: %s", host, line);
}

void pl_probing_say_again(const char *tool, const struct pl_probe_report *r)
{
	if (r->pairs_again > 0)
		pl_tool_say(tool,
			    "%zu pairs looked disturbed and were measured "
			    "again; of %zu ways the second value is better",
			    r->pairs_again, r->ways_replaced);
}
