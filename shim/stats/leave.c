/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.c - a preload library leaves statistics, and tells the user */
#include "config.h"

#include "shim/stats/leave.h"

#include "shim/say.h"
#include "shim/stats/table.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static void warn_of_other(const char *path, const struct pl_stats_sums *sums)
{
	static bool said;

	if (sums->n > 0 && sums->v[sums->n - 1].key == PL_STATS_OTHER &&
	    !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		pl_shim_say("PLINK_STATS: more than %d kinds of calls in a "
			    "process; the last row of %s, \"other\", counts "
			    "all further calls",
			    PL_STATS_ROWS_MAX, path);
}

int pl_stats_leave(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums)
{
	struct pl_err err = {0};

	warn_of_other(path, sums);
	if (strcmp(path, "-") == 0 && !pl_shim_owns(STDOUT_FILENO))
		pl_err_set(&err, PL_ESYSTEM,
			   "standard output is another file by now");
	else if (pl_stats_write(path, job, sums, &err) == 0)
		return 0;
	pl_shim_say_err(&err, "no statistics (PLINK_STATS)");
	return -1;
}
