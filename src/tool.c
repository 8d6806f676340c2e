/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - what all command-line tools share: exit statuses, messages */
#include "config.h"

#include "src/tool.h"

#include "src/number.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Three pipes for each of a few thousand agents; not more, since launchers are known
 * to close every descriptor that there might be. */
#define FILES_WANTED 16384

static int exit_status(enum pl_code code)
{
	switch (code) {
	case PL_OK:
		return PL_EXIT_DONE;
	case PL_EUSAGE:
		return PL_EXIT_USAGE;
	case PL_EINPUT:
		return PL_EXIT_INPUT;
	case PL_EPARTIAL:
		return PL_EXIT_PARTIAL;
	case PL_ESYSTEM:
		break;
	}
	return PL_EXIT_SYSTEM;
}

void pl_tool_begin(void)
{
	static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	struct rlimit files;
	rlim_t want;

	/* from 0 up, so that each open() takes the number that is free */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", wrong_way[fd]) < 0)
			return;
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		want = files.rlim_max < FILES_WANTED ? files.rlim_max
						     : FILES_WANTED;
		if (files.rlim_cur < want) {
			files.rlim_cur = want;
			setrlimit(RLIMIT_NOFILE, &files);
		}
	}
}

void pl_tool_on_stop(void (*handler)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = handler};
	struct sigaction before;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, &before);
		if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &before, NULL);
	}
}

int pl_tool_fail(const char *tool, const struct pl_err *err)
{
	fprintf(stderr, "%s: ", tool);
	if (err->file[0])
		fprintf(stderr, "%s:", err->file);
	if (err->line)
		fprintf(stderr, "%ld:", err->line);
	if (err->col)
		fprintf(stderr, "%ld:", err->col);
	fprintf(stderr, "%s%s\n", err->file[0] ? " " : "", err->text);
	return exit_status(err->code);
}

/* Messages quote what comes from other machines: a terminal must not obey it. */
static void put_disarmed(const char *s)
{
	for (; *s; s++)
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s, stderr);
}

static void put_message(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	put_disarmed(text);
	free(text);
}

void pl_tool_say(const char *tool, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", tool);
	va_start(ap, fmt);
	put_message(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int pl_tool_usage(const char *tool, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", tool);
	va_start(ap, fmt);
	put_message(fmt, ap);
	va_end(ap);
	fprintf(stderr, "; see %s --help\n", tool);
	return PL_EXIT_USAGE;
}

int pl_tool_end_output(const char *tool)
{
	if (!ferror(stdout) && !fflush(stdout))
		return PL_EXIT_DONE;
	pl_tool_say(tool, "cannot write standard output");
	return PL_EXIT_SYSTEM;
}

int pl_tool_help(const char *tool, const char *help)
{
	fputs(help, stdout);
	return pl_tool_end_output(tool);
}

int pl_tool_version(const char *tool)
{
	printf("%s (plink) %s\n", tool, PACKAGE_VERSION);
	return pl_tool_end_output(tool);
}

int64_t pl_tool_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

const char *pl_tool_now(char buf[32])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t fixed;
	time_t now = time(NULL);
	struct tm tm;

	/* up to the end of the year 9999 */
	if (epoch &&
	    !pl_int_parse(epoch, strlen(epoch), 0, 253402300799, &fixed))
		now = (time_t)fixed;
	gmtime_r(&now, &tm);
	strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}
