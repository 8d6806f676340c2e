/* SPDX-License-Identifier: BSD-3-Clause */
/* note.c - numbers read from a profile, and written into one, by tools that need no more of it */
#include "config.h"

#include "planner/srift/profile/number.h"

#include "base/clock.h"
#include "base/text/kind.h"
#include "base/text/outfile.h"

#define TEXT_MAX ((size_t)256 << 20)
#define DIGITS 15 /* that a double keeps of any number */

/* A profile in memory. */
struct open {
	struct pl_text text;
	struct pl_json doc;
};

static void close_profile(struct open *o)
{
	pl_json_fini(&o->doc);
	pl_text_fini(&o->text);
}

/* The document of a profile, and its numbers. */
static int open_profile(struct open *o, struct pl_profile_numbers *numbers, const char *path,
			struct pl_err *err)
{
	struct pl_json_at root, version, array;
	int64_t number;
	int rc;

	if (pl_text_load(&o->text, path, TEXT_MAX, err))
		return -1;
	if (pl_json_parse(&o->doc, &o->text, err)) {
		pl_kind_blame(&o->text, PL_KIND_PROFILE, err);
		pl_text_fini(&o->text);
		return -1;
	}
	root = pl_json_root(&o->doc);
	version = pl_json_member(&root, "plink-profile");
	array = pl_json_member(&root, "numbers");
	rc = pl_json_object(&root, NULL, err) || pl_json_whole(&version, 1, 2, &number, err) ||
	     pl_profile_numbers_take(numbers, &array, err);
	if (rc == 0)
		return 0;
	pl_kind_blame(&o->text, PL_KIND_PROFILE, err);
	pl_profile_numbers_fini(numbers);
	close_profile(o);
	return -1;
}

int pl_profile_numbers_read(struct pl_profile_numbers *numbers, const char *path,
			    struct pl_err *err)
{
	struct open o;

	if (open_profile(&o, numbers, path, err))
		return -1;
	close_profile(&o);
	return 0;
}

static int write_root(const void *root, FILE *out, struct pl_err *err)
{
	if (json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS)) ||
	    fputc('\n', out) == EOF)
		return pl_err_errno(err, "cannot write the profile");
	return 0;
}

int pl_profile_note(const char *path, const struct pl_profile_noted *noted, size_t n,
		    struct pl_err *err)
{
	struct pl_profile_numbers numbers = {0};
	struct open o;
	char date[32];
	int rc = 0;

	pl_clock_date(date);
	if (open_profile(&o, &numbers, path, err))
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = pl_profile_numbers_set(&numbers, &noted[i], date, err);
	if (rc == 0 &&
	    (json_object_set_new(o.doc.root, "plink-profile", json_integer(2)) ||
	     json_object_set_new(o.doc.root, "numbers", pl_profile_numbers_json(&numbers))))
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = pl_outfile_write(path, write_root, o.doc.root, err);
	pl_profile_numbers_fini(&numbers);
	close_profile(&o);
	return rc;
}

int pl_profile_note_try(const char *path, struct pl_err *err)
{
	struct pl_profile_numbers numbers = {0};

	if (pl_profile_numbers_read(&numbers, path, err))
		return -1;
	pl_profile_numbers_fini(&numbers);
	return pl_outfile_try(path, err);
}
