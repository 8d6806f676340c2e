/* SPDX-License-Identifier: BSD-3-Clause */
/* judge-clock.c - clocks that are off, or were set during the check */
#include "config.h"

#include "src/doctor/judge.h"

#include <math.h>

#define S_NS 1e9
/* Plans have an age and credentials expire. NTP keeps clocks 1000 times closer than this. */
#define OFF_NS INT64_C(1000000000)
#define STEP_NS INT64_C(100000000) /* more than drift between two readings */

static const char set_it[] = "have it set by a time service, see chronyc tracking or timedatectl";
static const char wait_for_it[] = "wait until its time service has settled, see chronyc waitsync";

static double middle_s(struct pl_doctor_span span)
{
	return ((double)span.lo_ns + (double)span.hi_ns) / 2 / S_NS;
}

/* The clock is off, wherever it was within the span. */
static bool is_off(struct pl_doctor_span span)
{
	return span.lo_ns > OFF_NS || span.hi_ns < -OFF_NS;
}

static bool has_stepped(const struct pl_doctor_facts *f)
{
	return f->n_skews == 2 && (f->skew[1].lo_ns > f->skew[0].hi_ns + STEP_NS ||
				   f->skew[1].hi_ns < f->skew[0].lo_ns - STEP_NS);
}

/* Are all hosts, two at least, off by the same amount, as far as the spans tell? Then the clock of
 * this machine is off. */
static bool all_are_off(const struct pl_doctor_seen *s, struct pl_doctor_span *common)
{
	size_t n = 0;

	*common = (struct pl_doctor_span){INT64_MIN, INT64_MAX};
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_doctor_facts *f = &s->v[i];
		const struct pl_doctor_span span = pl_doctor_skew(f);

		if (f->n_skews == 0)
			continue;
		if (!is_off(span) || has_stepped(f))
			return false;
		n++;
		if (span.lo_ns > common->lo_ns)
			common->lo_ns = span.lo_ns;
		if (span.hi_ns < common->hi_ns)
			common->hi_ns = span.hi_ns;
	}
	return n > 1 && common->lo_ns <= common->hi_ns + OFF_NS;
}

static int judge_one(struct pl_doctor_verdict *verdict, const struct pl_doctor_facts *f, size_t i,
		     bool ours)
{
	const double off_s = f->n_skews ? middle_s(pl_doctor_skew(f)) : 0;

	if (has_stepped(f))
		return pl_doctor_find(verdict, i, PL_DOCTOR_TIME, wait_for_it,
				      "its clock was set by %+.3f s while it was asked",
				      middle_s(f->skew[1]) - off_s);
	if (f->n_skews == 0 || ours || !is_off(pl_doctor_skew(f)))
		return 0;
	return pl_doctor_find(verdict, i, PL_DOCTOR_TIME, set_it,
			      "its clock is %.3f s %s this machine's", fabs(off_s),
			      off_s > 0 ? "ahead of" : "behind");
}

/* The largest error that the clock may have. */
static int64_t reach_of(struct pl_doctor_span span)
{
	return -span.lo_ns > span.hi_ns ? -span.lo_ns : span.hi_ns;
}

int pl_doctor_judge_clocks(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s)
{
	struct pl_doctor_span common;
	const bool ours = all_are_off(s, &common);

	if (ours &&
	    pl_doctor_find(verdict, PL_DOCTOR_HERE, PL_DOCTOR_TIME, set_it,
			   "its clock is %.3f s %s those of all hosts", fabs(middle_s(common)),
			   middle_s(common) > 0 ? "behind" : "ahead of"))
		return -1;
	if (!ours && (s->stepped_ns > STEP_NS || s->stepped_ns < -STEP_NS) &&
	    pl_doctor_find(verdict, PL_DOCTOR_HERE, PL_DOCTOR_TIME, wait_for_it,
			   "its clock was set by %+.3f s while hosts were asked",
			   (double)s->stepped_ns / S_NS))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_doctor_facts *f = &s->v[i];
		const struct pl_doctor_span span = pl_doctor_skew(f);

		if (!f->whole)
			continue;
		verdict->judged[PL_DOCTOR_TIME]++;
		if (f->n_skews && !is_off(span) && reach_of(span) > verdict->skew_ns)
			verdict->skew_ns = reach_of(span);
		if (judge_one(verdict, f, i, ours))
			return -1;
	}
	return 0;
}
