/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers of a model, each with its origin */
#include "config.h"

#include "planner/srift/profile/number.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 65536
#define SECONDS_MAX 1e9
#define BATCH_MAX 1e9
#define NAME_MAX_BYTES 255
#define WHOLE_MAX 1e15 /* of which JSON keeps each digit */

static const char *const origin_name[] = {
	[PL_ORIGIN_UNKNOWN] = "unknown", [PL_ORIGIN_MEASURED] = "measured",
	[PL_ORIGIN_FITTED] = "fitted",   [PL_ORIGIN_SIMULATED] = "simulated",
	[PL_ORIGIN_GIVEN] = "given",
};
#define N_ORIGINS (sizeof(origin_name) / sizeof(*origin_name))

/* What the format has. Stalls may be negative, as they are measured. */
static const struct known {
	const char *name;
	double min, max;
	bool of_machine, has_batch;
} known[] = {
	{"parameters", 1, 1e18, false, false},
	{"flops", 1, 1e24, false, false},
	{"noise_scale", 1e-9, 1e18, false, false},
	{"checkpoint_s", 0, SECONDS_MAX, false, false},
	{"step_s", 1e-9, SECONDS_MAX, true, false},
	{"interconnect_s", -SECONDS_MAX, SECONDS_MAX, true, true},
	{"network_s", -SECONDS_MAX, SECONDS_MAX, true, true},
	{"prep_s", -SECONDS_MAX, SECONDS_MAX, true, true},
	{"fetch_s", -SECONDS_MAX, SECONDS_MAX, true, true},
};
#define N_KNOWN (sizeof(known) / sizeof(*known))

const char *pl_origin_text(char buf[PL_ORIGIN_CHARS], const struct pl_origin *o)
{
	snprintf(buf, PL_ORIGIN_CHARS, "%s%s%s%s%s",
		 o->kind ? origin_name[o->kind] : "origin unknown", o->with ? ", " : "",
		 o->with ? o->with : "", o->when ? ", " : "", o->when ? o->when : "");
	return buf;
}

void pl_origin_fini(struct pl_origin *o)
{
	free(o->with);
	free(o->when);
}

/* A string that may be missing. */
static int copy_text(const struct pl_json_at *object, const char *key, char **to,
		     struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);
	const char *s;

	if (!at.value)
		return 0;
	if (pl_json_string(&at, &s, err))
		return -1;
	*to = pl_string_copy(s, strlen(s));
	return *to ? 0 : pl_err_nomem(err);
}

int pl_origin_read(struct pl_origin *o, const struct pl_json_at *object, struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, "origin");
	const char *s;
	size_t i = PL_ORIGIN_MEASURED;

	if (copy_text(object, "with", &o->with, err) || copy_text(object, "when", &o->when, err))
		return -1;
	if (!at.value)
		return 0;
	if (pl_json_string(&at, &s, err))
		return -1;
	while (i < N_ORIGINS && strcmp(origin_name[i], s) != 0)
		i++;
	if (i == N_ORIGINS)
		return pl_json_fault(&at, err,
				     "measured, fitted, simulated or given is wanted here");
	o->kind = (enum pl_origin_kind)i;
	return 0;
}

static int set_text(json_t *object, const char *key, const char *text)
{
	return text ? json_object_set_new(object, key, json_string(text)) : 0;
}

int pl_origin_write(const struct pl_origin *o, json_t *object)
{
	if (!o->kind)
		return 0;
	return set_text(object, "origin", origin_name[o->kind]) ||
			       set_text(object, "with", o->with) ||
			       set_text(object, "when", o->when)
		       ? -1
		       : 0;
}

static void fini_number(struct pl_profile_number *number)
{
	free(number->name);
	free(number->instance);
	pl_origin_fini(&number->origin);
}

void pl_profile_numbers_fini(struct pl_profile_numbers *numbers)
{
	for (size_t i = 0; i < numbers->n; i++)
		fini_number(&numbers->v[i]);
	free(numbers->v);
	*numbers = (struct pl_profile_numbers){0};
}

static bool are_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct pl_profile_number *find(const struct pl_profile_numbers *numbers, const char *name,
				      const char *instance)
{
	for (size_t i = 0; i < numbers->n; i++)
		if (strcmp(numbers->v[i].name, name) == 0 &&
		    are_same(numbers->v[i].instance, instance))
			return &numbers->v[i];
	return NULL;
}

const struct pl_profile_number *pl_profile_number_find(const struct pl_profile_numbers *numbers,
						       const char *name, const char *instance)
{
	return find(numbers, name, instance);
}

static const struct known *known_of(const char *name)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		if (strcmp(known[i].name, name) == 0)
			return &known[i];
	return NULL;
}

static int find_known(const struct pl_json_at *at, const struct known **k, struct pl_err *err)
{
	const char *s;

	if (pl_json_string(at, &s, err))
		return -1;
	*k = known_of(s);
	if (*k)
		return 0;
	return pl_json_fault(
		at, err,
		"\"%.64s\" is no number of a profile: there are parameters, flops, noise_scale, "
		"checkpoint_s, step_s, interconnect_s, network_s, prep_s and fetch_s",
		s);
}

static int take_number(struct pl_profile_number *number, const struct pl_json_at *at,
		       struct pl_err *err)
{
	static const char *const keys[] = {"instance", "batch", "name", "value",
					   "origin",   "with",  "when", NULL};
	const struct pl_json_at name = pl_json_member(at, "name");
	const struct pl_json_at instance = pl_json_member(at, "instance");
	const struct pl_json_at batch = pl_json_member(at, "batch");
	const struct known *k;

	if (pl_json_object(at, NULL, err) || find_known(&name, &k, err) ||
	    pl_json_object(at, k->of_machine ? keys : keys + 2, err) ||
	    copy_text(at, "name", &number->name, err) ||
	    copy_text(at, "instance", &number->instance, err) ||
	    pl_json_number_in(at, "value", k->min, k->max, &number->value, err))
		return -1;
	if (k->of_machine && !instance.value)
		return pl_json_fault(&instance, err, "it is missing");
	if ((k->has_batch || batch.value) &&
	    pl_json_number(&batch, 1, BATCH_MAX, &number->batch, err))
		return -1;
	return pl_origin_read(&number->origin, at, err);
}

int pl_profile_numbers_take(struct pl_profile_numbers *numbers, const struct pl_json_at *array,
			    struct pl_err *err)
{
	size_t n;

	if (!array->value)
		return 0;
	if (pl_json_array(array, 0, NUMBERS_MAX, &n, err))
		return -1;
	numbers->v = pl_array_create(n, sizeof(*numbers->v));
	if (!numbers->v)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at at = pl_json_element(array, i);
		struct pl_profile_number *number = &numbers->v[i];

		numbers->n = i + 1;
		if (take_number(number, &at, err))
			return -1;
		if (pl_profile_number_find(numbers, number->name, number->instance) != number)
			return pl_json_fault(&at, err, "%s comes again", number->name);
	}
	return 0;
}

int pl_profile_numbers_merge(struct pl_profile_numbers *numbers, struct pl_profile_numbers *more)
{
	const size_t most = numbers->n + more->n;
	struct pl_profile_number *both = realloc(numbers->v, (most ? most : 1) * sizeof(*both));

	if (!both)
		return -1;
	numbers->v = both;
	for (size_t i = 0; i < more->n; i++) {
		struct pl_profile_number *number = &more->v[i];

		if (pl_profile_number_find(numbers, number->name, number->instance))
			continue;
		both[numbers->n++] = *number;
		*number = (struct pl_profile_number){0};
	}
	return 0;
}

/* A copy, or NULL of NULL. */
static int copy_of(char **to, const char *s)
{
	*to = s ? pl_string_copy(s, strlen(s)) : NULL;
	return s && !*to ? -1 : 0;
}

/* Would a reader take it? */
static int check_name(const char *s, struct pl_err *err)
{
	json_t *utf8 = json_string(s);
	bool good = utf8 && *s && strlen(s) <= NAME_MAX_BYTES;

	for (const char *c = s; *c; c++)
		good = good && (unsigned char)*c >= ' ' && *c != 0x7f;
	json_decref(utf8);
	return good ? 0
		    : pl_err_set(err, PL_EUSAGE, "\"%.64s\" is no name of a type of machine", s);
}

/* Room for one more. */
static struct pl_profile_number *add(struct pl_profile_numbers *numbers)
{
	struct pl_profile_number *more = realloc(numbers->v, (numbers->n + 1) * sizeof(*more));

	if (!more)
		return NULL;
	numbers->v = more;
	more[numbers->n] = (struct pl_profile_number){.name = NULL};
	return &more[numbers->n++];
}

int pl_profile_numbers_set(struct pl_profile_numbers *numbers, const struct pl_profile_noted *noted,
			   const char *when, struct pl_err *err)
{
	const struct known *k = known_of(noted->name);
	struct pl_profile_number now = {
		.batch = noted->batch, .value = noted->value, .origin = {.kind = noted->origin}};
	struct pl_profile_number *at = find(numbers, noted->name, noted->instance);

	if (noted->instance && check_name(noted->instance, err))
		return -1;
	if (k->has_batch && !(noted->batch >= 1))
		return pl_err_set(
			err, PL_EINPUT,
			"%s cannot be kept in a profile: the samples of an iteration are not known",
			noted->name);
	if (!(noted->value >= k->min && noted->value <= k->max))
		return pl_err_set(err, PL_EINPUT,
				  "%s is %g, not from %g to %g: it cannot be kept in a profile",
				  noted->name, noted->value, k->min, k->max);
	if (copy_of(&now.name, noted->name) || copy_of(&now.instance, noted->instance) ||
	    copy_of(&now.origin.with, noted->with) || copy_of(&now.origin.when, when) ||
	    !(at || (at = add(numbers)))) {
		fini_number(&now);
		return pl_err_nomem(err);
	}
	fini_number(at);
	*at = now;
	return 0;
}

json_t *pl_profile_json_number(double x)
{
	return x == floor(x) && fabs(x) < WHOLE_MAX ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *number_json(const struct pl_profile_number *number)
{
	json_t *one = json_object();

	if (set_text(one, "name", number->name) || set_text(one, "instance", number->instance) ||
	    (number->batch > 0 &&
	     json_object_set_new(one, "batch", pl_profile_json_number(number->batch))) ||
	    json_object_set_new(one, "value", pl_profile_json_number(number->value)) ||
	    pl_origin_write(&number->origin, one)) {
		json_decref(one);
		return NULL;
	}
	return one;
}

json_t *pl_profile_numbers_json(const struct pl_profile_numbers *numbers)
{
	json_t *all = json_array();

	for (size_t i = 0; i < numbers->n; i++)
		if (json_array_append_new(all, number_json(&numbers->v[i]))) {
			json_decref(all);
			return NULL;
		}
	return all;
}
