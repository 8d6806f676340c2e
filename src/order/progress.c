/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - shows the progress of a search on the terminal */
#include "config.h"

#include "src/order/options.h"

#include "src/common/progress.h"

#include <stdio.h>

void pl_reorder_progress_show(void *arg, const struct pl_order_progress *now)
{
	static struct pl_progress line; /* there is one standard error */
	static bool begun;
	struct pl_progress_now shown = {.phase = "searching", .unit = "moves"};
	char more[80];
	int len;

	(void)arg;
	if (!begun)
		pl_progress_begin(&line, PL_REORDER_TOOL);
	begun = now != NULL;
	if (!now) {
		pl_progress_end(&line);
		return;
	}
	len = snprintf(more, sizeof(more), "cost %.6g", now->cost);
	if (now->bound > 0)
		snprintf(more + len, sizeof(more) - (size_t)len, ", gap %.2f %%",
			 100 * (now->cost / now->bound - 1));
	shown.done = now->moves;
	shown.total = now->total;
	shown.left_s = now->left_s;
	shown.more = more;
	pl_progress_show(&line, shown);
}
