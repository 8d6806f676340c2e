/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - what all command-line tools share: messages, help */
#include "config.h"

#include "src/common/tool.h"

#include "base/text/outfile.h"
#include "base/text/path.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A write above the limit then fails, and the message gives the reason. A handler, unlike SIG_IGN,
 * is not inherited by commands. */
static void ignore(int number)
{
	(void)number;
}

void pl_tool_begin(void)
{
	static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	struct sigaction action;

	if (!sigaction(SIGXFSZ, NULL, &action) && action.sa_handler == SIG_DFL) {
		action = (struct sigaction){.sa_handler = ignore};
		sigaction(SIGXFSZ, &action, NULL);
	}
	/* in ascending order, so that each open() gets the number that is
	 * free */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_way[fd]) < 0)
			return;
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

/* Messages quote what comes from other machines: a terminal must not obey
 * it. */
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

static void put_line(const char *tool, const char *fmt, va_list ap)
{
	fprintf(stderr, "%s: ", tool);
	put_message(fmt, ap);
	fputc('\n', stderr);
}

/* Applies to the whole process, as standard error does. */
static bool quiet;

void pl_tool_be_quiet(void)
{
	quiet = true;
}

bool pl_tool_is_quiet(void)
{
	return quiet;
}

void pl_tool_say(const char *tool, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!quiet)
		put_line(tool, fmt, ap);
	va_end(ap);
}

void pl_tool_warn(const char *tool, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(tool, fmt, ap);
	va_end(ap);
}

void pl_tool_say_call(const char *tool, char *const *argv)
{
	if (quiet)
		return;
	fprintf(stderr, "%s: plink " PACKAGE_VERSION ":", tool);
	for (; *argv; argv++) {
		fputc(' ', stderr);
		put_disarmed(*argv);
	}
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

int pl_tool_spares(const char *tool, const char *output, const char *input)
{
	if (!pl_same_file(output, input))
		return PL_EXIT_DONE;
	return pl_tool_usage(tool, "%s is read: the output must not replace it", input);
}

int pl_tool_end_output(const char *tool)
{
	if (!ferror(stdout) && !fflush(stdout))
		return PL_EXIT_DONE;
	pl_tool_say(tool, "cannot write standard output");
	return PL_EXIT_SYSTEM;
}

int pl_tool_output(const char *tool, const char *output,
		   int (*write)(const void *arg, FILE *out, struct pl_err *err), const void *arg)
{
	struct pl_err err = {0};

	return pl_outfile_write(output, write, arg, &err) ? pl_tool_fail(tool, &err)
							  : pl_tool_end_output(tool);
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
