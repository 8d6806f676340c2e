/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.c - what an order gains, in a line */
#include "config.h"

#include "report/report.h"

#include "base/text/size.h"

#include <math.h>
#include <string.h>

/* Three digits are enough for people. */
static double round_off(double x)
{
	const double unit = x > 0 && isfinite(x) ? pow(10, floor(log10(x)) - 2) : 1;

	return round(x / unit) * unit;
}

const char *pl_report_seconds(char buf[PL_REPORT_NUMBER], double seconds)
{
	return pl_report_number(buf, round_off(seconds), PL_S);
}

const char *pl_report_bytes(char buf[PL_REPORT_NUMBER], double bytes)
{
	pl_report_number(buf, round_off(bytes), PL_BYTES_PER_S);
	buf[strcspn(buf, "/")] = '\0';
	return buf;
}

/* "allreduce of 1 MiB" */
static void name_call(char *buf, size_t room, const struct pl_report *r,
		      const struct pl_report_time *t)
{
	static const char *const units[] = {" bytes", " KiB", " MiB", " GiB"};
	char size[PL_SIZE_CHARS] = "";
	size_t len;
	const char *unit;

	if (t->has_size)
		pl_size_format(size, t->bytes);
	len = strspn(size, "0123456789");
	unit = !t->has_size       ? ""
	       : size[len] == 'k' ? units[1]
	       : size[len] == 'M' ? units[2]
	       : size[len] == 'G' ? units[3]
				  : units[0];
	snprintf(buf, room, "%s%s%.*s%s%s%s", t->collective, t->has_size ? " of " : "", (int)len,
		 size, unit, r->times_of_found ? "" : " by ", r->times_of_found ? "" : t->name);
}

/* "2.3 times as fast", "1.13 times as fast" */
static void compare(char *buf, size_t room, double given, double found)
{
	const double ratio = given / found;

	if (fabs(ratio - 1) < 0.005)
		snprintf(buf, room, "as fast as in the given order");
	else if (ratio < 1)
		snprintf(buf, room, "slower than in the given order");
	else
		snprintf(buf, room, "%.*f times as fast", ratio < 1.95 ? 2 : 1, ratio);
}

static void write_gain(char *buf, const char *what, const char *how, const char *found,
		       const char *given, const char *more)
{
	if (strcmp(found, given) == 0)
		snprintf(buf, PL_REPORT_LINE, "%s: %s, %s%s", what, how, found, more);
	else
		snprintf(buf, PL_REPORT_LINE, "%s: %s, %s instead of %s%s", what, how, found, given,
			 more);
}

static void of_time(char *buf, const struct pl_report *r, const struct pl_report_time *t)
{
	char given[PL_REPORT_NUMBER], found[PL_REPORT_NUMBER];
	char what[PL_REPORT_TITLE + 64], how[64];

	name_call(what, sizeof(what), r, t);
	compare(how, sizeof(how), t->given_s, t->found_s);
	write_gain(buf, what, how, pl_report_seconds(found, t->found_s),
		   pl_report_seconds(given, t->given_s), " (predicted)");
}

static void of_cost(char *buf, const struct pl_report *r, const struct pl_report_order *o)
{
	const double less = 100 * (1 - o->cost / o->given);
	char given[PL_REPORT_NUMBER], found[PL_REPORT_NUMBER], how[64];

	snprintf(how, sizeof(how),
		 fabs(less) < 0.05 ? "hops cost the same" : "hops cost %.1f %% %s", fabs(less),
		 less < 0 ? "more" : "less");
	write_gain(buf, o->title, how, pl_report_value(found, r, round_off(o->cost)),
		   pl_report_value(given, r, round_off(o->given)), "");
}

const char *pl_report_title(char buf[PL_REPORT_LINE], const struct pl_report *r)
{
	const struct pl_report_order *o = r->n_orders > 0 ? r->order : NULL;

	for (size_t i = 0; i < r->n_times; i++)
		if (r->time[i].in_title && r->time[i].given_s > 0 && r->time[i].found_s > 0) {
			of_time(buf, r, &r->time[i]);
			return buf;
		}
	if (o && o->given > 0 && o->cost > 0)
		of_cost(buf, r, o);
	else if (o)
		snprintf(buf, PL_REPORT_LINE, "Order of %zu hosts for %s", o->n, o->title);
	else if (r->from.traffic)
		snprintf(buf, PL_REPORT_LINE, "%s", r->from.traffic);
	else
		snprintf(buf, PL_REPORT_LINE, "The network between %zu hosts", r->n);
	return buf;
}
