/* SPDX-License-Identifier: BSD-3-Clause */
/* told.h - reads texts that tell where hosts stand, whole, cut off and without memory */
#ifndef PLINK_TESTS_TOPOLOGY_TOLD_H
#define PLINK_TESTS_TOPOLOGY_TOLD_H

#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/places.h"

#include <stdio.h>
#include <string.h>

static int parse_len(struct pl_places *p, const char *s, size_t len, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*p = (struct pl_places){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "told", s, len, err))
		return -1;
	rc = pl_places_parse(p, &text, err);
	pl_text_fini(&text);
	return rc;
}

static void read_it(struct pl_places *p, const char *s, const char *form)
{
	struct pl_err err;

	if (parse_len(p, s, strlen(s), &err))
		printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
	is_str(p->form, form, "the form is found");
}

static size_t at(const struct pl_places *p, const char *name)
{
	const ptrdiff_t i = pl_places_find(p, name, strlen(name));

	return i < 0 ? 0 : (size_t)i;
}

static void is_at(const struct pl_places *p, const char *name, const char *want)
{
	char buf[128];

	is_str(pl_places_path(p, at(p, name), buf, sizeof(buf)), want, name);
}

static void is_far(const struct pl_places *p, const char *a, const char *b, int64_t apart)
{
	char what[64];

	snprintf(what, sizeof(what), "%s and %s are so far apart", a, b);
	is_int((int64_t)pl_places_apart(p, at(p, a), at(p, b)), apart, what);
}

static void is_refused(const char *text, long line, long col, const char *part)
{
	struct pl_places p;
	struct pl_err err;
	const int rc = parse_len(&p, text, strlen(text), &err);
	const bool good = rc == -1 && err.code == PL_EINPUT && err.line == line && err.col == col &&
			  strstr(err.text, part) && !p.host;

	if (!good)
		printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
	ok(good, "refused: %s", part);
	pl_places_fini(&p);
}

/* Cut off anywhere, a file is refused with a place or is a smaller one. */
static void test_cut(const char *text, const char *what)
{
	size_t wrong = 0, refused = 0;

	for (size_t len = 0; len < strlen(text); len++) {
		struct pl_places p;
		struct pl_err err;

		if (parse_len(&p, text, len, &err)) {
			wrong += err.code != PL_EINPUT || p.host != NULL;
			refused++;
		}
		pl_places_fini(&p);
	}
	is_int((int64_t)wrong, 0, what);
	ok(refused > 0, "and %zu of them are refused", refused);
}

static void test_no_memory(const char *text, const char *what)
{
	size_t k = 0, live, wrong = 0;
	bool refused;

	do {
		struct pl_places p;
		struct pl_err err;
		int rc;

		failalloc_begin(k);
		rc = parse_len(&p, text, strlen(text), &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || p.host);
		pl_places_fini(&p);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
		k++;
	} while (refused);
	is_int((int64_t)wrong, 0, what);
}

#endif
