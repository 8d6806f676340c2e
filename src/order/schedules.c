/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.c - which schedules are written, and for which sizes */
#include "config.h"

#include "src/order/schedules.h"

#include "base/mem.h"
#include "src/order/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where nothing is predicted, smaller all-reduces stay with the library, unless a size was
 * given. */
#define SIZE_MIN ((uint64_t)256 << 10)
/* Where something is: sizes from the first to the last, each twice the one before. */
#define TRIED_FIRST ((uint64_t)2 << 10)
#define TRIED_LAST ((uint64_t)16 << 20)
/* Of the call whose messages are taken where nothing is predicted. */
#define PATTERN_BYTES ((uint64_t)1 << 20)
/* From here on bytes decide: a candidate whose slowest link lets so much less through than
 * another's is not predicted. */
#define LARGE_BYTES ((uint64_t)256 << 10)
#define HOPELESS 0.6
/* What is taken for the next larger size stays, and what can be tuned is taken with --tune, if they
 * are not slower by more. */
#define NOTICED 1.03

void pl_reorder_schedules_fini(struct pl_reorder_schedules *s)
{
	pl_schedules_fini(&s->file);
	pl_reorder_candidates_fini(&s->candidates);
	free(s->of);
	free(s->trial);
	memset(s, 0, sizeof(*s));
}

/* The hosts as the order has them. */
static int add_hosts(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a,
		     struct pl_err *err)
{
	for (size_t k = 0; k < a->in->hosts.n; k++)
		if (pl_hosts_add(&s->file.job.hosts, &a->in->hosts.v[a->r->host_at[k]]))
			return pl_err_nomem(err);
	return 0;
}

static uint64_t smallest(const struct pl_order_request *q, uint64_t usual)
{
	uint64_t bytes = usual;

	for (size_t i = 0; !q->usual_sizes && i < q->n_sizes; i++)
		if (i == 0 || q->size_bytes[i] < bytes)
			bytes = q->size_bytes[i];
	return bytes;
}

/* Adds the schedule of a candidate for sizes from @first to @last, with the slices of a call of
 * @bytes. */
static int add_schedule(struct pl_reorder_schedules *s, size_t candidate, uint64_t first,
			uint64_t last, uint64_t bytes, struct pl_err *err)
{
	size_t *of = realloc(s->of, (s->file.n + 1) * sizeof(*of));
	struct pl_schedule schedule = {0};
	struct pl_window_way way;

	if (!of)
		return pl_err_nomem(err);
	s->of = of;
	if (pl_reorder_candidate_make(&s->candidates, candidate, bytes, &schedule, &way, err))
		return -1;
	schedule.size_min = first;
	schedule.size_max = last;
	of[s->file.n] = candidate;
	if (pl_schedules_add_take(&s->file, &schedule) == 0)
		return 0;
	pl_schedule_fini(&schedule);
	return pl_err_nomem(err);
}

/* Are all sizes to be run by what was named, whatever is faster? */
static bool is_told(const struct pl_reorder_answer *a)
{
	return a->o->request.names.algorithm ||
	       (a->o->own_schedule && strcmp(a->o->own_schedule, "best") != 0);
}

/* The candidates at one size. */
struct round {
	struct pl_schedule *schedule; /* [n]; no slices: it is not possible */
	struct pl_window_way *way;    /* [n] */
	double *seconds;              /* [n], in the trials' array; INFINITY: not known */
	size_t n;
	/* the most bytes a second that any lets through, without hubs, which are held against the
	 * best of the others */
	double fastest;
};

static int round_init(struct round *r, const struct pl_reorder_candidates *c, uint64_t bytes,
		      struct pl_err *err)
{
	r->schedule = pl_array_create(c->n, sizeof(*r->schedule));
	r->way = pl_array_create(c->n, sizeof(*r->way));
	if (!r->schedule || !r->way)
		return pl_err_nomem(err);
	for (r->n = 0; r->n < c->n; r->n++) {
		struct pl_window_way *way = &r->way[r->n];

		r->seconds[r->n] = INFINITY;
		if (pl_reorder_candidate_make(c, r->n, bytes, &r->schedule[r->n], way, err)) {
			if (err->code != PL_EUSAGE)
				return -1;
			*err = (struct pl_err){.code = PL_OK};
		}
		if (!c->v[r->n].hubs)
			r->fastest = fmax(r->fastest, way->bytes_per_s);
	}
	return 0;
}

static void round_fini(struct round *r)
{
	for (size_t i = 0; i < r->n; i++)
		pl_schedule_fini(&r->schedule[i]);
	free(r->schedule);
	free(r->way);
}

static bool same_slices(const struct pl_slices *a, const struct pl_slices *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->slice[i].weight != b->slice[i].weight ||
		    !pl_slice_same_way(&a->slice[i], &b->slice[i]))
			return false;
	return true;
}

/* Is it not worth a prediction: impossible, the same as one before, or too slow, be it for its many
 * small slices? */
static bool is_hopeless(const struct round *r, size_t i, uint64_t bytes)
{
	const struct pl_slices *slices = &r->schedule[i].slices;

	if (r->n > 1 && slices->n > 1 && bytes / slices->n < PL_SLICE_BYTES)
		return true;
	if (slices->n == 0 ||
	    (bytes >= LARGE_BYTES && r->way[i].bytes_per_s < HOPELESS * r->fastest))
		return true;
	for (size_t k = 0; k < i; k++)
		if (same_slices(&r->schedule[k].slices, slices))
			return true;
	return false;
}

/* Predicts all candidates at a size; those that cannot be stay INFINITY. */
static int try_candidates(struct pl_reorder_clock *t, const struct pl_reorder_candidates *c,
			  uint64_t bytes, double *seconds, struct pl_err *err)
{
	struct round r = {.seconds = seconds};
	int rc = round_init(&r, c, bytes, err);

	for (size_t i = 0; rc == 0 && i < r.n; i++) {
		if (is_hopeless(&r, i, bytes))
			continue;
		rc = (c->v[i].hubs ? pl_reorder_clock_hubs : pl_reorder_clock_schedule)(
			t, &r.schedule[i], bytes, &r.seconds[i], err);
		if (rc && err->code == PL_EUSAGE) {
			*err = (struct pl_err){.code = PL_OK};
			rc = 0;
		}
	}
	round_fini(&r);
	return rc;
}

/* With --tune, what does not change has to be faster by more. */
static double judged_s(const struct pl_reorder_candidates *c, size_t i, const double *seconds)
{
	const bool stays = c->a->o->tune && c->v[i].of;

	return stays ? NOTICED * seconds[i] : seconds[i];
}

/* The candidate with the least time. */
static size_t find_best(const struct pl_reorder_candidates *c, const double *seconds)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n; i++)
		if (judged_s(c, i, seconds) < judged_s(c, best, seconds))
			best = i;
	return best;
}

/* The same, or that of the next larger size. */
static size_t choose(const struct pl_reorder_candidates *c, const double *seconds, size_t larger)
{
	const size_t best = find_best(c, seconds);

	return larger < c->n && seconds[larger] <= NOTICED * seconds[best] ? larger : best;
}

/* Is a schedule faster than the library by enough? */
static bool is_ahead(const struct pl_reorder_trial *t)
{
	const double ahead =
		t->bytes < PL_REORDER_SMALL ? PL_REORDER_AHEAD_SMALL : PL_REORDER_AHEAD;

	return t->seconds * (1 + ahead / 100) < t->own.found_s;
}

static void judge(struct pl_reorder_schedules *s, const double *seconds, bool told)
{
	const size_t n = s->candidates.n;
	size_t larger = n;

	for (size_t i = s->n_trials; i-- > 0;) {
		struct pl_reorder_trial *trial = &s->trial[i];

		trial->best = choose(&s->candidates, seconds + i * n, larger);
		trial->without_s = INFINITY;
		for (size_t k = 0; k < n; k++)
			if (!s->candidates.v[k].hubs)
				trial->without_s = fmin(trial->without_s, seconds[i * n + k]);
		trial->seconds = seconds[i * n + trial->best];
		trial->taken = told || is_ahead(trial);
		larger = trial->best;
	}
}

/* Tries sizes up to the last one for which the library and a candidate can be predicted. */
static int try_sizes(struct pl_reorder_schedules *s, struct pl_reorder_clock *t, bool told,
		     struct pl_err *err)
{
	const uint64_t first = smallest(&t->a->o->request, told ? SIZE_MIN : TRIED_FIRST);
	const size_t n = s->candidates.n;
	double *seconds;
	size_t n_sizes = 1;
	int rc = 0;

	while (first << n_sizes <= TRIED_LAST)
		n_sizes++;
	s->trial = pl_array_create(n_sizes, sizeof(*s->trial));
	seconds = pl_array_create(n_sizes * n, sizeof(*seconds));
	if (!s->trial || !seconds)
		rc = pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < n_sizes; i++) {
		struct pl_reorder_trial *trial = &s->trial[i];
		double *of = seconds + i * n;

		trial->bytes = first << i;
		rc = pl_reorder_clock_own(t, trial->bytes, &trial->own, err);
		if (rc == 0)
			rc = try_candidates(t, &s->candidates, trial->bytes, of, err);
		if (rc)
			break;
		if (isinf(of[find_best(&s->candidates, of)]))
			break;
		s->n_trials++;
	}
	if (rc && err->code == PL_EUSAGE) {
		snprintf(s->why_not, sizeof(s->why_not), "%.*s", (int)sizeof(s->why_not) - 1,
			 err->text);
		*err = (struct pl_err){.code = PL_OK};
		rc = 0;
	}
	if (rc == 0)
		judge(s, seconds, told);
	free(seconds);
	return rc;
}

/* The last two schedules become one if they are of one candidate and of neighbouring sizes: with
 * the same slices, or those that a library's algorithm has at the larger size. */
static void join_last(struct pl_reorder_schedules *s)
{
	const size_t n = s->file.n, of = s->of[n - 1];
	struct pl_schedule *last = &s->file.schedule[n - 1];
	struct pl_schedule *before = last - (n > 1);

	if (n < 2 || s->of[n - 2] != of || before->size_max + 1 != last->size_min ||
	    (!s->candidates.v[of].of && !same_slices(&before->slices, &last->slices)))
		return;
	last->size_min = before->size_min;
	pl_schedule_fini(before);
	*before = *last;
	s->file.n--;
}

/* Schedules for the sizes at which one is taken. */
static int add_taken(struct pl_reorder_schedules *s, struct pl_err *err)
{
	for (size_t i = 0; i < s->n_trials; i++) {
		const struct pl_reorder_trial *trial = &s->trial[i];

		if (!trial->taken)
			continue;
		if (add_schedule(s, trial->best, trial->bytes,
				 i + 1 < s->n_trials ? s->trial[i + 1].bytes - 1 : UINT64_MAX,
				 trial->bytes, err))
			return -1;
		join_last(s);
	}
	if (s->file.n > 0)
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "no schedule is predicted to be faster than the library's own "
			  "all-reduces by more than %g %% (%g %% below 128k): none is written",
			  PL_REORDER_AHEAD, PL_REORDER_AHEAD_SMALL);
}

/* Can times be predicted and trusted? Else s->why_not says why not. */
static bool is_predictable(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a)
{
	const char *why = NULL;

	if (!a->promise)
		why = "--impl=thesis, --impl=nccl and --choose predict nothing";
	else if (!a->promise->in_seconds)
		why = a->promise->why_not;
	else if (!a->promise->has_rates)
		why = "no bandwidth is known";
	else if (!a->promise->knows_rates)
		why = "not all rates are known";
	if (why)
		snprintf(s->why_not, sizeof(s->why_not), "%s", why);
	return !why;
}

static int predict(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a,
		   const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_reorder_clock t = {0};
	int rc;

	if (!is_predictable(s, a))
		return 0;
	rc = pl_reorder_clock_init(&t, a, stop, err);
	if (rc == 0)
		rc = try_sizes(s, &t, is_told(a), err);
	pl_reorder_clock_fini(&t);
	return rc;
}

static int add_schedules(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a,
			 struct pl_err *err)
{
	const struct pl_order_request *q = &a->o->request;

	if (s->n_trials > 0)
		return add_taken(s, err);
	if (a->o->own_schedule && !is_told(a))
		return pl_err_set(err, PL_EPARTIAL, "--algorithm=%s needs predictions: %s",
				  a->o->own_schedule, s->why_not);
	if (!is_told(a) && s->candidates.v[0].depth != PL_DEPTH_RACKS)
		return pl_err_set(err, PL_EPARTIAL,
				  "no schedule can be chosen: %s, and no racks are known "
				  "(--algorithm names one)",
				  s->why_not);
	return add_schedule(s, 0, smallest(q, SIZE_MIN), UINT64_MAX,
			    s->candidates.v[0].of ? smallest(q, PATTERN_BYTES) : PATTERN_BYTES,
			    err);
}

static bool uses_hubs(const struct pl_reorder_schedules *s)
{
	for (size_t i = 0; i < s->file.n; i++)
		if (s->candidates.v[s->of[i]].hubs)
			return true;
	return false;
}

static int add_hubs(struct pl_reorder_schedules *s, const struct pl_hosts *hubs, struct pl_err *err)
{
	struct pl_schedules *file = &s->file;

	file->aggregator = pl_array_create(hubs->n, sizeof(*file->aggregator));
	if (!file->aggregator)
		return pl_err_nomem(err);
	for (size_t k = 0; k < hubs->n; k++) {
		const char *name = hubs->v[k].name;

		file->aggregator[k] = pl_string_copy(name, strlen(name));
		if (!file->aggregator[k])
			return pl_err_nomem(err);
		file->n_aggregators++;
	}
	return 0;
}

int pl_reorder_schedules_find(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a,
			      const struct pl_stop *stop, struct pl_err *err)
{
	if (add_hosts(s, a, err) || pl_reorder_candidates_init(&s->candidates, a, err) ||
	    predict(s, a, stop, err) || add_schedules(s, a, err))
		return -1;
	if (uses_hubs(s) && add_hubs(s, &a->from->hubs.hosts, err))
		return -1;
	return pl_schedules_add_up(&s->file, err);
}
