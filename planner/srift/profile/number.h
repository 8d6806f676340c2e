/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - numbers of a model that one tool measures and others read: stalls, operations, noise,
 * seconds of a checkpoint (plink-profile(5)) */
#ifndef PLINK_PLANNER_SRIFT_PROFILE_NUMBER_H
#define PLINK_PLANNER_SRIFT_PROFILE_NUMBER_H

#include "base/err.h"
#include "planner/json.h"

#include <stddef.h>

enum pl_origin_kind {
	PL_ORIGIN_UNKNOWN,
	PL_ORIGIN_MEASURED,
	PL_ORIGIN_FITTED,
	PL_ORIGIN_SIMULATED,
	PL_ORIGIN_GIVEN,
};

/* Where a number comes from. */
struct pl_origin {
	enum pl_origin_kind kind;
	char *with; /* the tool; NULL: not stated */
	char *when; /* a date; NULL: not stated */
};

/* "measured, plink-stalls run, 2026-11-27T12:00:00Z", for messages. Returns @buf. */
#define PL_ORIGIN_CHARS 600
const char *pl_origin_text(char buf[PL_ORIGIN_CHARS], const struct pl_origin *o);
#define PL_ORIGIN_TEXT(o) pl_origin_text((char[PL_ORIGIN_CHARS]){0}, o)

/* The members origin, with and when of an object, where it has them. 0, or -1 with @err set; end
 * with fini in any case. */
int pl_origin_read(struct pl_origin *o, const struct pl_json_at *object, struct pl_err *err);
void pl_origin_fini(struct pl_origin *o);

/* Sets these members. 0, or -1: out of memory, or no UTF-8. */
int pl_origin_write(const struct pl_origin *o, json_t *object);

/* A row; strings are owned where the number is that of a list. */
struct pl_profile_number {
	char *name;     /* "flops": one of those that the format has */
	char *instance; /* a type of machine; NULL: of the model */
	double batch;   /* samples of an iteration on the machine; 0: any */
	double value;
	struct pl_origin origin;
};

/* Start with {0}, end with fini. */
struct pl_profile_numbers {
	struct pl_profile_number *v;
	size_t n;
};
void pl_profile_numbers_fini(struct pl_profile_numbers *numbers);

/* Of that name, of the model (NULL) or of a type of machine; NULL: there is none. Borrowed. */
const struct pl_profile_number *pl_profile_number_find(const struct pl_profile_numbers *numbers,
						       const char *name, const char *instance);

/* Takes the array of a document, or nothing where it is missing. @numbers must be empty; end with
 * fini in any case. 0, or -1 with @err set: PL_EINPUT with the place, PL_ESYSTEM. */
int pl_profile_numbers_take(struct pl_profile_numbers *numbers, const struct pl_json_at *array,
			    struct pl_err *err);

/* What a tool has found out. Strings are borrowed. */
struct pl_profile_noted {
	const char *name;     /* one of those that the format has */
	const char *instance; /* as above */
	double batch, value;
	enum pl_origin_kind origin;
	const char *with;
};

/* Sets a number, in place of one of the same name and instance. 0, or -1 with @numbers as it was
 * and @err set: PL_EINPUT if the format does not have such a value, PL_EUSAGE for an instance that
 * is no name, or out of memory. */
int pl_profile_numbers_set(struct pl_profile_numbers *numbers, const struct pl_profile_noted *noted,
			   const char *when, struct pl_err *err);

/* Moves the numbers of @more that @numbers does not have to its end. 0, or -1: out of memory, both
 * as they were. */
int pl_profile_numbers_merge(struct pl_profile_numbers *numbers, struct pl_profile_numbers *more);

/* The array; NULL: out of memory, or a string that is no UTF-8. */
json_t *pl_profile_numbers_json(const struct pl_profile_numbers *numbers);

/* A number of JSON, whole where @x is. */
json_t *pl_profile_json_number(double x);

/* The numbers of a profile, which need not have layers and times. @numbers must be empty. 0, or -1
 * with @numbers empty and @err set. */
int pl_profile_numbers_read(struct pl_profile_numbers *numbers, const char *path,
			    struct pl_err *err);

/* Sets noted[@n] in the profile @path, with the present date; all else stays, and the file becomes
 * one of version 2. 0, or -1 with @err set and the file as it was. */
int pl_profile_note(const char *path, const struct pl_profile_noted *noted, size_t n,
		    struct pl_err *err);

/* Can that be done? Before long work. 0, or -1 with @err set. */
int pl_profile_note_try(const char *path, struct pl_err *err);

#endif
