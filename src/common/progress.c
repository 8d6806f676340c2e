/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - how far long work is: one line of a terminal, written over and over */
#include "config.h"

#include "src/common/progress.h"

#include "base/clock.h"
#include "base/terminal.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_NS 100000000
#define SETTLED_S 0.5 /* earlier than that, a rate is noise */
#define LINE_ROOM 512

/* "16 s", "3 min 20 s", "2 h 5 min". */
static void put_left(FILE *out, double s)
{
	const double whole = ceil(s);

	if (whole < 100)
		fprintf(out, ", %.0f s left", whole);
	else if (whole < 6000)
		fprintf(out, ", %.0f min %.0f s left", floor(whole / 60), fmod(whole, 60));
	else
		fprintf(out, ", %.0f h %.0f min left", floor(whole / 3600),
			floor(fmod(whole, 3600) / 60));
}

static void put_rate(FILE *out, double rate)
{
	static const char *const names[] = {"", "k", "M", "G"};
	int k = 0;

	while (k < 3 && rate >= 999.5) {
		rate /= 1000;
		k++;
	}
	fprintf(out, ", %.3g%s/s", rate, names[k]);
}

const char *pl_progress_text(char *buf, size_t room, const char *tool,
			     const struct pl_progress_now *now)
{
	const bool settled = now->elapsed_s >= SETTLED_S && now->done > 0;
	const double rate = settled ? (double)now->done / now->elapsed_s : 0;
	double left = now->left_s;
	FILE *out = fmemopen(buf, room, "w");

	buf[0] = '\0';
	if (!out)
		return buf;
	if (isnan(left) && settled && now->total > 0)
		left = now->total > now->done ? (double)(now->total - now->done) / rate : 0;
	fprintf(out, "%s: %s: %" PRIu64, tool, now->phase, now->done);
	if (now->total > 0)
		fprintf(out, " of %" PRIu64, now->total);
	fprintf(out, " %s", now->unit);
	if (settled && !isinf(left))
		put_rate(out, rate);
	if (left >= 0)
		put_left(out, left);
	if (now->more)
		fprintf(out, ", %s", now->more);
	fclose(out);
	buf[room - 1] = '\0';
	return buf;
}

void pl_progress_begin(struct pl_progress *p, const char *tool)
{
	*p = (struct pl_progress){
		.tool = tool,
		.on = isatty(STDERR_FILENO) == 1 && !pl_tool_is_quiet(),
		.start_ns = pl_clock_ns(),
	};
}

void pl_progress_show(struct pl_progress *p, struct pl_progress_now now)
{
	const int64_t clock_ns = pl_clock_ns();
	const bool last = now.total > 0 && now.done >= now.total;
	char line[LINE_ROOM];
	size_t room;

	if (p->phase && strcmp(p->phase, now.phase) != 0)
		p->start_ns = clock_ns;
	p->phase = now.phase;
	if (!p->on || (p->open && !last && clock_ns - p->shown_ns < SHOWN_NS))
		return;
	room = pl_terminal_line(STDERR_FILENO) + 1;
	now.elapsed_s = (double)(clock_ns - p->start_ns) * 1e-9;
	pl_progress_text(line, room < LINE_ROOM ? room : LINE_ROOM, p->tool, &now);
	fprintf(stderr, "\r%s\033[K", line);
	p->shown_ns = clock_ns;
	p->open = true;
}

void pl_progress_end(struct pl_progress *p)
{
	if (p->open)
		fputs("\r\033[K", stderr);
	p->open = false;
}
