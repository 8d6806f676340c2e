/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.c - events of a watch, for people, for programs and for the journal */
#include "config.h"

#include "src/srift/watch/drive.h"

#include "base/text/size.h"
#include "src/common/json.h"
#include "src/srift/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_fleet(const struct pl_srift_fleet *fleet, FILE *out)
{
	for (size_t i = 0; i < fleet->n; i++)
		fprintf(out, "%s%zux%s@%" PRIu64 "%s", i ? "," : "; ", fleet->part[i].count,
			fleet->part[i].type, fleet->part[i].batch,
			fleet->part[i].spot ? "" : " on demand");
	fprintf(out, "; %s an iteration", PL_TIME_TEXT(fleet->iteration_s));
}

/* Names of hosts and types are checked, reasons of hooks are not. */
static void write_why(const char *why, FILE *out)
{
	fputs(": ", out);
	for (; *why; why++)
		fputc((unsigned char)*why < ' ' || *why == 0x7f ? '?' : *why, out);
}

static void write_excluded(const struct pl_srift_watch *w, FILE *out)
{
	for (size_t i = 0; i < w->n_excluded; i++) {
		const struct pl_depleted *d = &w->excluded[i];

		fprintf(out, "%s%s %s (%s at %.1f s)", i ? ", " : "; ran out: ", d->type,
			d->spot ? "spot" : "on demand", d->lost ? "one was lost" : "too few came",
			d->at_s);
	}
}

static void write_text(const struct srift_drive *d, const struct pl_srift_watch *w,
		       const struct pl_watch_event *e, FILE *out)
{
	fprintf(out, "%10.1f s  %-11s", e->at_s, e->name);
	if (e->host)
		fprintf(out, " %s", e->host);
	if (e->type)
		fprintf(out, " %s%s%s", e->host ? "(" : "", e->type, e->host ? ")" : "");
	if (e->count)
		fprintf(out, " %zu machine%s", e->count, e->count == 1 ? "" : "s");
	if (e->why)
		write_why(e->why, out);
	if (strcmp(e->name, "none") == 0)
		write_excluded(w, out);
	if (strcmp(e->name, "plan") == 0) {
		write_fleet(&w->fleet, out);
		fputs("; a launch takes ", out);
		srift_write_launch(&w->job.times, out);
	}
	fprintf(out, "; iteration %" PRIu64 ", %s", w->iteration,
		SRIFT_MONEY(pl_watch_dollars(w, e->at_s)));
	if (isfinite(e->left_s))
		fprintf(out, "; %s are left", PL_TIME_TEXT(e->left_s));
	if (isfinite(e->saves_s))
		fprintf(out, "; a restart in another order saves %s", PL_TIME_TEXT(e->saves_s));
	if (isfinite(e->finish_s))
		fprintf(out, "; to finish at %.1f s", e->finish_s);
	if (isfinite(e->mean_s))
		fprintf(out, ", with losses at %.1f s in the mean", e->mean_s);
	if (isfinite(e->likely_s))
		fprintf(out, ", by %.1f s with %.4g %%", e->likely_s,
			100 * d->o->question.confidence);
	fputc('\n', out);
}

void srift_tell(void *drive, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	struct srift_drive *d = drive;
	struct pl_err err = {0};

	/* the journal first: what is said has happened */
	d->place.progress = d->follow.place;
	if (d->journal.fd >= 0 && pl_journal_write(&d->journal, w, e, &d->place, &err))
		srift_drive_fail(d, &err);
	if (d->o->json) {
		if (pl_tool_json_line(SRIFT_TOOL, pl_watch_event_json(w, e), stdout, &err))
			srift_drive_fail(d, &err);
	} else {
		write_text(d, w, e, stdout);
	}
	fflush(stdout); /* a reader that has gone does not end the watch */
}
