/* SPDX-License-Identifier: BSD-3-Clause */
/* goal.c - what a program wants an order for: options of plink-order(1) */
#include "config.h"

#include "lib/parts.h"

#include "base/text/number.h"
#include "base/text/size.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Takes the value in, or says what it would have to be. */
typedef const char *take_fn(struct pl_goal *r, const char *value);

/* Index of @value among the names, NULL behind the last; -1: it is none. */
static int choose(const char *value, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(value, names[i]) == 0)
			return i;
	return -1;
}

static const char *keep(char **to, const char *value)
{
	char *copy = *value ? strdup(value) : NULL;

	if (!copy)
		return *value ? "out of memory" : "it is empty";
	free(*to);
	*to = copy;
	return NULL;
}

/* The three names of what runs: as they are together they must be in the catalogue, but one comes
 * after the other: that is looked up when they are used. */
static const char *take_collective(struct pl_goal *r, const char *value)
{
	return keep(&r->collective, value);
}

static const char *take_algorithm(struct pl_goal *r, const char *value)
{
	return keep(&r->algorithm, value);
}

static const char *take_impl(struct pl_goal *r, const char *value)
{
	return keep(&r->impl, value);
}

static const char *take_pin(struct pl_goal *r, const char *value)
{
	return keep(&r->pin, value);
}

static const char *take_job(struct pl_goal *r, const char *value)
{
	return keep(&r->job, value);
}

static const char *take_size(struct pl_goal *r, const char *value)
{
	if (pl_size_parse(value, strlen(value), &r->request.what.bytes))
		return "not bytes below 2^63, as in 4096, 64k, 8M";
	r->request.what.has_size = true;
	return NULL;
}

static const char *take_segment(struct pl_goal *r, const char *value)
{
	if (pl_size_parse(value, strlen(value), &r->request.what.segment_bytes))
		return "not bytes below 2^63, as in 4096, 64k, 8M";
	return NULL;
}

static const char *take_root(struct pl_goal *r, const char *value)
{
	int64_t n;

	if (pl_int_parse(value, strlen(value), 0, INT_MAX, &n))
		return "not a rank";
	r->request.what.root = (size_t)n;
	return NULL;
}

static const char *take_symmetrize(struct pl_goal *r, const char *value)
{
	if (pl_symmetrize_parse(value, strlen(value), &r->request.symmetrize))
		return "not one of none, max, mean";
	r->request.has_symmetrize = true;
	return NULL;
}

static const char *take_method(struct pl_goal *r, const char *value)
{
	static const char *const names[] = {"search", "exact", "thesis", NULL};
	const int i = choose(value, names);

	if (i < 0)
		return "not one of search, exact, thesis";
	r->request.method = (enum pl_order_method)i;
	return NULL;
}

static const char *take_bound(struct pl_goal *r, const char *value)
{
	static const char *const names[] = {"none", "fast", "full", NULL};
	const int i = choose(value, names);

	if (i < 0)
		return "not one of none, fast, full";
	r->request.bound = (enum pl_bound_effort)i;
	r->request.has_bound = true;
	return NULL;
}

static const char *take_moves(struct pl_goal *r, const char *value)
{
	if (pl_uint_parse(value, strlen(value), INT64_MAX, &r->request.moves))
		return "not a whole number below 2^63";
	r->request.has_moves = true;
	return NULL;
}

static const char *take_time(struct pl_goal *r, const char *value)
{
	double seconds;

	if (pl_double_parse(value, strlen(value), &seconds) || !(seconds >= 0 && seconds <= 1e8))
		return "not seconds from 0 to 1e8";
	r->request.time_ns = 1 + (int64_t)(seconds * 1e9);
	return NULL;
}

static const char *take_threads(struct pl_goal *r, const char *value)
{
	int64_t n;

	if (pl_int_parse(value, strlen(value), 1, 1024, &n))
		return "not a whole number from 1 to 1024";
	r->request.threads = (unsigned)n;
	return NULL;
}

static const char *take_seed(struct pl_goal *r, const char *value)
{
	if (pl_uint_parse(value, strlen(value), INT64_MAX, &r->request.seed))
		return "not a whole number below 2^63";
	return NULL;
}

static const char *take_min_gain(struct pl_goal *r, const char *value)
{
	double percent;

	if (pl_double_parse(value, strlen(value), &percent) || !(percent >= 0 && percent <= 100))
		return "not a percentage from 0 to 100";
	r->request.min_gain = percent;
	return NULL;
}

static const char *take_digest(struct pl_goal *r, const char *value)
{
	static const char *const names[] = {"matrix", "none", NULL};
	const int i = choose(value, names);

	if (i < 0)
		return "not one of matrix, none";
	r->no_digest = i == 1;
	return NULL;
}

static const struct {
	const char *option;
	take_fn *take;
} table[] = {
	{"collective", take_collective},
	{"algorithm", take_algorithm},
	{"impl", take_impl},
	{"size", take_size},
	{"segment", take_segment},
	{"root", take_root},
	{"job", take_job},
	{"symmetrize", take_symmetrize},
	{"method", take_method},
	{"bound", take_bound},
	{"moves", take_moves},
	{"time", take_time},
	{"threads", take_threads},
	{"seed", take_seed},
	{"pin", take_pin},
	{"min-gain", take_min_gain},
	{"digest", take_digest},
};

int pl_goal_set(struct pl_goal *goal, const char *option, const char *value, struct pl_error *error)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *fault;

		if (strcmp(option, table[i].option) != 0)
			continue;
		fault = table[i].take(goal, value);
		return fault ? pl_lib_refuse(error, "%s=%s: %s", option, value, fault) : 0;
	}
	return pl_lib_refuse(error, "there is no option \"%s\"", option);
}

struct pl_goal *pl_goal_create(void)
{
	struct pl_goal *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->request.bound = PL_BOUND_FAST;
	r->request.threads = 1;
	r->request.seed = 1;
	return r;
}

void pl_goal_stop_by(struct pl_goal *goal, const volatile sig_atomic_t *flag)
{
	goal->stop = flag;
}

void pl_goal_destroy(struct pl_goal *goal)
{
	if (!goal)
		return;
	free(goal->collective);
	free(goal->algorithm);
	free(goal->impl);
	free(goal->pin);
	free(goal->job);
	free(goal);
}
