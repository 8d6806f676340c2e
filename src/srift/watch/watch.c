/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - plink-srift watch */
#include "config.h"

#include "src/srift/verbs.h"

#include "base/stop.h"
#include "src/common/tool.h"
#include "src/srift/watch/drive.h"

#include <signal.h>

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
	srift_drive_fini(&d);
	srift_watch_options_fini(&o);
	return status == PL_EXIT_DONE ? pl_tool_end_output(SRIFT_TOOL) : status;
}
