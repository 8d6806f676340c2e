/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h - the Test Anything Protocol for unit tests: ok(), is_int(), ... */
#ifndef PLINK_TESTS_TAP_H
#define PLINK_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* One test program is one file: its counters are the file's own. */
static int tap_run, tap_failed;

/* Reports one check; false results are counted and shown. Returns @good. */
__attribute__((format(printf, 2, 3), unused)) static bool ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (!good)
		tap_failed++;
	return good;
}

__attribute__((unused)) static bool is_int(int64_t got, int64_t want, const char *what)
{
	if (got != want)
		printf("# got %lld, want %lld\n", (long long)got, (long long)want);
	return ok(got == want, "%s", what);
}

__attribute__((unused)) static bool is_str(const char *got, const char *want, const char *what)
{
	const bool same = got && want ? !strcmp(got, want) : got == want;

	if (!same)
		printf("# got \"%s\", want \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
	return ok(same, "%s", what);
}

/* Does @text contain @part? */
__attribute__((unused)) static bool has_str(const char *text, const char *part, const char *what)
{
	const bool found = text && strstr(text, part);

	if (!found)
		printf("# \"%s\" lacks \"%s\"\n", text ? text : "(null)", part);
	return ok(found, "%s", what);
}

/* Prints the plan; main() ends in `return done_testing();`. */
static int done_testing(void)
{
	printf("1..%d\n", tap_run);
	return tap_failed ? 1 : 0;
}

#endif
