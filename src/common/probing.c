/* SPDX-License-Identifier: BSD-3-Clause */
/* probing.c - what tools share that reach hosts */
#include "config.h"

#include "src/common/probing.h"

#include "base/hosts/hosts-slurm.h"
#include "probes/launch/launch.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void show(void *probing, const struct pl_probe_progress *now)
{
	struct pl_probing *p = probing;
	char more[PL_HOST_NAME_MAX + 80];

	if (now->waiting_for)
		snprintf(more, sizeof(more), "waiting for %s", now->waiting_for);
	else
		snprintf(more, sizeof(more), "%zu of %zu hosts, %" PRIu64 " probes", now->n_alive,
			 now->n_hosts, now->n_probes);
	pl_progress_show(
		&p->progress,
		(struct pl_progress_now){.done = now->n_done,
					 .total = now->n_all,
					 .phase = now->phase,
					 .unit = now->unit,
					 .left_s = now->waiting_for ? PL_PROGRESS_UNSTEADY : NAN,
					 .more = more});
}

void pl_probing_log(void *probing, const char *host, const char *line)
{
	struct pl_probing *p = probing;

	pl_progress_end(&p->progress);
	pl_tool_warn(p->tool, "%s: %s", host, line);
}

static void say_fault(void *probing, const struct pl_launch_fault *fault, const char *const *host,
		      size_t n)
{
	struct pl_probing *p = probing;
	char *means = pl_launch_fault_text(fault->means, host, n);
	char *remedy = pl_launch_fault_text(fault->remedy, host, n);

	pl_progress_end(&p->progress);
	p->push |= fault->push;
	if (means && remedy)
		pl_tool_warn(p->tool, "%s: %s", means, remedy);
	free(means);
	free(remedy);
}

void pl_probing_begin(struct pl_probing *p, const char *tool, bool logs, struct pl_probe_options *o)
{
	*p = (struct pl_probing){.tool = tool};
	pl_progress_begin(&p->progress, tool);
	o->progress = p->progress.on ? show : NULL;
	o->log = logs ? pl_probing_log : NULL;
	o->fault = say_fault;
	o->progress_arg = o->log_arg = o->fault_arg = p;
}

/* The value of "KEY=VALUE" among the words of @header, and its length; NULL: it is not there. */
static const char *value_of(const char *header, const char *key, int *len)
{
	const char *at = strstr(header, key);

	if (!at)
		return NULL;
	at += strlen(key);
	*len = (int)strcspn(at, " ");
	return at;
}

static void say_network(const char *tool, const char *header)
{
	int ssh_len = 0, also_len = 0;
	const int net_len = (int)strcspn(header, " ");
	const char *iface = header + net_len + strspn(header + net_len, " ");
	const char *ssh = value_of(header, " ssh=", &ssh_len);
	const char *also = value_of(header, " also=", &also_len);

	pl_tool_say(tool, "measured: network %.*s (%.*s)%s%.*s%s%.*s%s", net_len, header,
		    (int)strcspn(iface, " "), iface, ssh ? "; ssh goes by " : "", ssh_len,
		    ssh ? ssh : "", also ? "; the hosts share another one, " : "", also_len,
		    also ? also : "", also ? " (see --iface)" : "");
}

void pl_probing_say_ways(const char *tool, const struct pl_matrix *m)
{
	const char *logins = pl_matrix_header(m, "logins");
	const char *network = pl_matrix_header(m, "network");

	if (logins)
		pl_tool_say(tool,
			    "an ssh server dropped logins (MaxStartups): they were repeated, at "
			    "last %s at a time",
			    logins);
	if (network)
		say_network(tool, network);
}

void pl_probing_say_again(const char *tool, const struct pl_probe_report *r)
{
	if (r->pairs_again > 0)
		pl_tool_say(tool,
			    "%zu pairs looked disturbed and were measured again; of %zu ways the "
			    "second value is better",
			    r->pairs_again, r->ways_replaced);
}
