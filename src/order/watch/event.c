/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c - what a watch tells: lines of text, or of JSON */
#include "config.h"

#include "src/order/watch/watch.h"

#include "base/clock.h"
#include "src/common/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define TIME_CHARS 32

static const char *const name[] = {
	[PL_WATCH_BEGIN] = "begin",       [PL_WATCH_SLOWER] = "slower",
	[PL_WATCH_BACK] = "back",         [PL_WATCH_RESTART] = "restart",
	[PL_WATCH_STAY] = "stay",         [PL_WATCH_FAILED] = "failed",
	[PL_WATCH_MEASURED] = "measured", [PL_WATCH_END] = "end",
};

/* "40 s", "12 min", "2.5 h". Returns @buf. */
static const char *time_text(char buf[TIME_CHARS], double s)
{
	if (s < 99.5)
		snprintf(buf, TIME_CHARS, "%.3g s", s);
	else if (s < 99.5 * 60)
		snprintf(buf, TIME_CHARS, "%.3g min", s / 60);
	else
		snprintf(buf, TIME_CHARS, "%.3g h", s / 3600);
	return buf;
}

static void write_restart(const struct pl_watch_round *r,
			  const struct pl_reorder_options *o)
{
	char cost[TIME_CHARS], after[TIME_CHARS], saved[TIME_CHARS];

	printf("in the best order calls take %.3g %% less time; a restart of "
	       "%s pays for itself after %s",
	       r->gain, time_text(cost, (double)o->restart_ns * 1e-9),
	       time_text(after, r->pays_after_s));
	if (!isnan(r->saves_s))
		printf(" and saves %s", time_text(saved, r->saves_s));
	if (o->output)
		printf("; the order is in %s", o->output);
	else if (o->plan)
		printf("; the order is in %s", o->plan);
}

static void write_text(enum pl_watch_kind kind, const struct pl_watch_round *r,
		       const struct pl_reorder_options *o, const char *why)
{
	char date[32];

	printf("%s  %-8s  ", pl_clock_date(date), name[kind]);
	switch (kind) {
	case PL_WATCH_BEGIN:
		printf("%zu hosts; the best order saves %.3g %% of the calls' "
		       "time",
		       r->n_hosts, r->gain);
		break;
	case PL_WATCH_SLOWER:
	case PL_WATCH_BACK:
		printf("calls take %.2f times as long as at the start",
		       r->slower);
		break;
	case PL_WATCH_RESTART:
		write_restart(r, o);
		break;
	case PL_WATCH_STAY:
		printf("a restart no longer pays for itself: the best order "
		       "saves %.3g %% of the calls' time",
		       r->gain);
		break;
	case PL_WATCH_FAILED:
		printf("could not measure: %s", why);
		break;
	case PL_WATCH_MEASURED:
		printf("hosts can be measured again");
		break;
	case PL_WATCH_END:
		printf("interrupted");
		break;
	}
	putchar('\n');
}

static int write_json(enum pl_watch_kind kind, const struct pl_watch_round *r,
		      const char *why)
{
	char date[32];
	json_t *e = json_object();
	int rc;

	pl_obj_set(&e, "event", json_string(name[kind]));
	pl_obj_set(&e, "at", json_string(pl_clock_date(date)));
	if (r) {
		pl_obj_set(&e, "hosts", pl_tool_json_whole(r->n_hosts));
		pl_obj_set(&e, "slower", pl_tool_json_number(r->slower));
		pl_obj_set(&e, "gain_percent", pl_tool_json_number(r->gain));
		pl_obj_set(&e, "pays_after_s",
			   pl_tool_json_number(r->pays_after_s));
		pl_obj_set(&e, "saves_s", pl_tool_json_number(r->saves_s));
	}
	if (why)
		pl_obj_set(&e, "why", json_string(why));
	e = pl_tool_json_head(PL_REORDER_TOOL, e);
	if (!e)
		return -1;
	rc = json_dumpf(e, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
	json_decref(e);
	putchar('\n');
	return rc;
}

int pl_watch_tell(enum pl_watch_kind kind, const struct pl_watch_round *round,
		  const struct pl_reorder_options *o, const char *why,
		  struct pl_err *err)
{
	if (o->format != PL_FORMAT_JSON)
		write_text(kind, round, o, why);
	else if (write_json(kind, round, why) && !ferror(stdout))
		return pl_err_nomem(err);
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		return pl_err_errno(err, "standard output");
	return 0;
}
