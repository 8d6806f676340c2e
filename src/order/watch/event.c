/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c - what a watch tells: lines of text, or of JSON */
#include "config.h"

#include "src/order/watch/watch.h"

#include "base/clock.h"
#include "base/text/size.h"
#include "src/common/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const char *const name[] = {
	[PL_REORDER_BEGIN] = "begin",       [PL_REORDER_SLOWER] = "slower",
	[PL_REORDER_BACK] = "back",         [PL_REORDER_RESTART] = "restart",
	[PL_REORDER_STAY] = "stay",         [PL_REORDER_FAILED] = "failed",
	[PL_REORDER_MEASURED] = "measured", [PL_REORDER_END] = "end",
};

static void write_restart(const struct pl_reorder_round *r, const struct pl_reorder_options *o)
{
	printf("in the best order calls take %.3g %% less time; a restart of "
	       "%s pays for itself after %s",
	       r->gain, PL_TIME_TEXT((double)o->restart_ns * 1e-9), PL_TIME_TEXT(r->pays_after_s));
	if (!isnan(r->saves_s))
		printf(" and saves %s", PL_TIME_TEXT(r->saves_s));
	if (o->output || o->plan)
		printf("; the order is in %s", o->output ? o->output : o->plan);
}

static void write_text(enum pl_reorder_event kind, const struct pl_reorder_round *r,
		       const struct pl_reorder_options *o, const char *why)
{
	char date[32];

	printf("%s  %-8s  ", pl_clock_date(date), name[kind]);
	switch (kind) {
	case PL_REORDER_BEGIN:
		printf("%zu hosts; the best order saves %.3g %% of the calls' "
		       "time",
		       r->n_hosts, r->gain);
		break;
	case PL_REORDER_SLOWER:
	case PL_REORDER_BACK:
		printf("calls take %.2f times as long as at the start", r->slower);
		break;
	case PL_REORDER_RESTART:
		write_restart(r, o);
		break;
	case PL_REORDER_STAY:
		printf("a restart no longer pays for itself: the best order "
		       "saves %.3g %% of the calls' time",
		       r->gain);
		break;
	case PL_REORDER_FAILED:
		printf("could not measure: %s", why);
		break;
	case PL_REORDER_MEASURED:
		printf("hosts can be measured again");
		break;
	case PL_REORDER_END:
		printf("interrupted");
		break;
	}
	putchar('\n');
}

static int write_json(enum pl_reorder_event kind, const struct pl_reorder_round *r, const char *why,
		      struct pl_err *err)
{
	char date[32];
	json_t *e = json_object();

	pl_obj_set(&e, "event", json_string(name[kind]));
	pl_obj_set(&e, "at", json_string(pl_clock_date(date)));
	if (r) {
		pl_obj_set(&e, "hosts", pl_tool_json_whole(r->n_hosts));
		pl_obj_set(&e, "slower", pl_tool_json_number(r->slower));
		pl_obj_set(&e, "gain_percent", pl_tool_json_number(r->gain));
		pl_obj_set(&e, "pays_after_s", pl_tool_json_number(r->pays_after_s));
		pl_obj_set(&e, "saves_s", pl_tool_json_number(r->saves_s));
	}
	if (why)
		pl_obj_set(&e, "why", json_string(why));
	return pl_tool_json_line(PL_REORDER_TOOL, e, stdout, err);
}

int pl_reorder_tell(enum pl_reorder_event kind, const struct pl_reorder_round *round,
		    const struct pl_reorder_options *o, const char *why, struct pl_err *err)
{
	if (o->format != PL_FORMAT_JSON)
		write_text(kind, round, o, why);
	else if (write_json(kind, round, why, err))
		return -1;
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		return pl_err_errno(err, "standard output");
	return 0;
}
