/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-examples.c - the examples of the file formats' man pages are read */
#include "config.h"

#include "base/plan/plan.h"
#include "tests/tap.h"

#include <stdlib.h>

#define EXAMPLE_MAX 4096

/* Copies a line of roff as it is printed: "\-" is a hyphen. */
static size_t unescape(char *to, const char *s, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++)
		if (s[i] != '\\')
			to[used++] = s[i];
	to[used++] = '\n';
	return used;
}

/* The next text between .nf and .fi, or false when there is none. */
static bool next_example(struct pl_text *page, char example[EXAMPLE_MAX])
{
	struct pl_line line;
	struct pl_word word;
	size_t used = 0;
	bool inside = false;

	while (pl_text_next(page, &line)) {
		const char *s = line.s;
		const size_t len = line.len;
		const bool has_word = pl_line_next(&line, &word);

		if (has_word && pl_word_is(&word, ".nf")) {
			inside = true;
		} else if (inside && has_word && pl_word_is(&word, ".fi")) {
			example[used] = '\0';
			return true;
		} else if (inside && used + len + 2 < EXAMPLE_MAX) {
			used += unescape(example + used, s, len);
		}
	}
	return false;
}

/* Opens a page of the source and skips to its examples. */
static bool open_page(struct pl_text *page, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];
	struct pl_line line;

	snprintf(path, sizeof(path), "%s/man/%s", srcdir ? srcdir : ".", name);
	if (!ok(pl_text_load(page, path, 1 << 20, NULL) == 0, "%s", name))
		return false;
	while (pl_text_next(page, &line))
		if (line.len == 12 && memcmp(line.s, ".SH EXAMPLES", 12) == 0)
			return ok(true, "has examples");
	return ok(false, "has examples");
}

static void test_hosts(void)
{
	static const size_t want[] = {5, 7, 2};
	char example[EXAMPLE_MAX];
	struct pl_text page, list;
	struct pl_hosts hosts;

	if (!open_page(&page, "plink-hosts.5.in"))
		return;
	for (size_t i = 0; i < 3; i++) {
		struct pl_err err = {0};

		hosts = (struct pl_hosts){0};
		ok(next_example(&page, example), "example %zu", i);
		if (pl_text_copy(&list, "x", example, strlen(example), NULL))
			abort();
		ok(pl_hosts_parse(&hosts, &list, PL_HOSTS_LIST, &err) == 0 && hosts.n == want[i],
		   "is a list of %zu hosts (%s)", want[i], err.text);
		pl_hosts_fini(&hosts);
		pl_text_fini(&list);
	}
	pl_text_fini(&page);
}

static void test_plan(void)
{
	char example[EXAMPLE_MAX];
	struct pl_text page, text;
	struct pl_plan plan = {0};
	struct pl_err err = {0};

	if (!open_page(&page, "plink-plan.5.in"))
		return;
	ok(next_example(&page, example), "an example");
	if (pl_text_copy(&text, "x", example, strlen(example), NULL))
		abort();
	ok(pl_plan_parse(&plan, &text, &err) == 0 && plan.hosts.n == 3 && plan.n_orders == 2,
	   "is a plan (%s)", err.text);
	pl_plan_fini(&plan);
	pl_text_fini(&text);
	pl_text_fini(&page);
}

int main(void)
{
	test_hosts();
	test_plan();
	return done_testing();
}
