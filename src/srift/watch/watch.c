/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - plink-srift watch */
#include "config.h"

#include "src/srift/verbs.h"

#include "base/stop.h"
#include "src/common/tool.h"
#include "src/srift/units.h"
#include "src/srift/watch/drive.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t stop;

static void on_stop(int signal_number)
{
	(void)signal_number;
	if (stop < 2)
		stop++;
}

/* What became of the job. */
static int status_of(const struct srift_drive *d)
{
	if (d->watch.phase != PL_WATCH_ENDED || d->watch.unmet)
		return PL_EXIT_PARTIAL;
	if (d->watch.n_unstopped == 0)
		return PL_EXIT_DONE;
	srift_warn("%zu machine%s could not be stopped", d->watch.n_unstopped,
		   d->watch.n_unstopped == 1 ? "" : "s");
	return PL_EXIT_PARTIAL;
}

/* Machines that are still paid for, and hooks that may launch others. */
static void tell_running(const struct srift_drive *d)
{
	const struct pl_nodes *nodes = &d->watch.nodes;
	char *names = NULL;
	size_t len, n = 0;
	FILE *to = open_memstream(&names, &len);

	for (size_t i = 0; to && i < nodes->n; i++)
		if (isnan(nodes->node[i].ended_s))
			fprintf(to, "%s%s", n++ ? ", " : "", nodes->node[i].name);
	if (to && fclose(to) == 0 && n > 0)
		srift_warn("%zu machine%s left running, at %s an hour: %s", n,
			   n == 1 ? " is" : "s are", SRIFT_MONEY(pl_nodes_per_hour(nodes)), names);
	if (d->n_running)
		srift_warn("%zu hook%s under way, and may launch machines", d->n_running,
			   d->n_running == 1 ? " is" : "s are");
	free(names);
}

int srift_watch(int argc, char **argv)
{
	struct srift_watch_options o;
	struct srift_drive d;
	struct pl_err err = {0};
	int status = srift_watch_options_parse(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.done) {
		srift_watch_options_fini(&o);
		return status;
	}
	signal(SIGPIPE, SIG_IGN);
	pl_stop_on_signals(on_stop);
	if (srift_drive_init(&d, &o, &err) || srift_drive_run(&d, &stop, &err))
		status = pl_tool_fail(SRIFT_TOOL, &err);
	else
		status = status_of(&d);
	tell_running(&d);
	srift_drive_fini(&d);
	srift_watch_options_fini(&o);
	return status == PL_EXIT_DONE ? pl_tool_end_output(SRIFT_TOOL) : status;
}
