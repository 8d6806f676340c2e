/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - one audit: a pattern, what was seen, and what comes of it */
#include "config.h"

#include "src/audit/run.h"

#include "costmodels/catalogue.h"
#include "engine/schedule-pattern.h"
#include "src/audit/sources.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)

static int read_schedules(struct audit *a, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, a->o->schedule, TEXT_MAX, err))
		return -1;
	rc = pl_schedules_parse(&a->schedules, &text, err);
	pl_text_fini(&text);
	return rc ? -1 : pl_schedules_check(&a->schedules, err);
}

static int make_scheduled(struct audit *a, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_schedule *s;
	size_t n;

	if (read_schedules(a, err))
		return -1;
	n = pl_hosts_ranks(&a->schedules.job.hosts);
	s = pl_schedules_find(&a->schedules, call->bytes);
	if (a->schedules.is_tuned && a->o->mode != AUDIT_PATTERN)
		return pl_err_set(err, PL_EUSAGE,
				  "%s is tuned: its schedules may have changed while the job ran",
				  a->o->schedule);
	if (n != call->n_pos)
		return pl_err_set(err, PL_EUSAGE, "the schedule is for %zu ranks, not %zu", n,
				  call->n_pos);
	if (!s)
		return pl_err_set(err, PL_EUSAGE,
				  "%s has no schedule for %" PRIu64
				  " bytes: give the --size of the calls",
				  a->o->schedule, call->bytes);
	a->name = s->algorithm;
	a->impl = "engine";
	a->call = *call;
	return pl_schedule_pattern_of(&a->pattern, s, call, err);
}

/* Positions are ranks; those who told of none are counted by what was seen. */
int audit_make_pattern(struct audit *a, struct pl_err *err)
{
	struct pl_call call = a->o->call;
	const bool has_hosts = a->o->hosts != NULL;

	if (call.n_pos && has_hosts && call.n_pos != a->job.n_ranks)
		return pl_err_set(err, PL_EUSAGE, "--ranks is %zu, but the host list has %zu",
				  call.n_pos, a->job.n_ranks);
	call.n_pos = a->job.n_ranks;
	if (!call.slots && has_hosts)
		call.slots = pl_placement_slots(&a->job);
	if (pl_call_check(&call, err))
		return -1;
	if (a->o->schedule)
		return make_scheduled(a, &call, err);
	a->impl = pl_impl_name(a->o->impl);
	a->name = pl_algorithm_decide(a->o->algorithm, &call, &a->call)->name;
	return pl_algorithm_pattern(a->o->algorithm, &call, &a->pattern, err);
}

/* To the byte: a tolerance is none for the place of a message. */
static bool is_exact(const struct audit *a)
{
	for (size_t i = 0; i < a->pairs.n; i++)
		if (a->pairs.v[i].seen_bytes != pl_pair_expected(&a->pairs.v[i]))
			return false;
	return a->verdict.n[PL_PAIR_MATCH] == a->pairs.n && !a->sums.unbegun;
}

static void check_rounds(struct audit *a, const struct pl_expectation *x, struct pl_err *err,
			 int *rc)
{
	if (a->monitored)
		a->rounds_state = AUDIT_ROUNDS_NO_TIMES;
	else if (!pl_placement_is_spread(&a->job))
		a->rounds_state = AUDIT_ROUNDS_SLOTS;
	else if (a->pattern.n_strands > 0)
		a->rounds_state = AUDIT_ROUNDS_CHUNKS;
	else if (a->sums.lost_bytes)
		a->rounds_state = AUDIT_ROUNDS_LOST;
	else if (!is_exact(a))
		a->rounds_state = AUDIT_ROUNDS_BYTES;
	else
		*rc = pl_rounds_check(&a->rounds, &a->pairs, &a->pattern, x, err);
}

int audit_run(struct audit *a, const struct audit_options *o, const volatile sig_atomic_t *stop,
	      struct pl_err *err)
{
	struct audit_sources sources = {.n_traces = 0};
	struct pl_expectation x = {
		.job = &a->job, .eager_bytes = o->eager_bytes, .repeat = o->repeat};
	int rc;

	a->o = o;
	rc = audit_sources_open(&sources, a, stop, err);
	x.wire = a->monitored ? NULL : o->wire;
	if (!rc)
		rc = audit_make_pattern(a, err);
	if (!rc)
		rc = pl_pairs_expect(&a->pairs, &a->pattern, &x, err);
	if (!rc)
		rc = audit_sources_count(&sources, a, err);
	audit_sources_fini(&sources);
	if (!rc)
		rc = pl_pairs_sort(&a->pairs, err);
	if (!rc)
		rc = audit_sum_racks(a, err);
	if (rc)
		return -1;
	pl_verdict_reach(&a->verdict, &a->pairs, &o->tolerance, a->monitored);
	check_rounds(a, &x, err, &rc);
	return rc;
}

bool audit_is_match(const struct audit *a)
{
	return strcmp(audit_result(a), "match") == 0;
}

const char *audit_result(const struct audit *a)
{
	const struct pl_audit_verdict *v = &a->verdict;

	if (v->n[PL_PAIR_SHORT] || v->n[PL_PAIR_OVER] || v->n[PL_PAIR_MISSING] ||
	    v->n[PL_PAIR_EXTRA] || a->rounds.n_early)
		return "differs";
	return v->n[PL_PAIR_UNSEEN] || a->rounds.unchecked ? "partial" : "match";
}

void audit_fini(struct audit *a)
{
	pl_placement_fini(&a->job);
	pl_pattern_fini(&a->pattern);
	pl_pairs_fini(&a->pairs);
	pl_schedules_fini(&a->schedules);
}
