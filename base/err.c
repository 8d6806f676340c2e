/* SPDX-License-Identifier: BSD-3-Clause */
/* err.c - what went wrong, and where in the input it did */
#include "config.h"

#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Input is quoted in messages: a terminal must not obey what stands in it. */
static void disarm(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

static void fill(struct pl_err *err, enum pl_code code, struct pl_place place, const char *fmt,
		 va_list ap)
{
	memset(err, 0, sizeof(*err));
	err->code = code;
	err->line = place.line;
	err->col = place.col;
	if (place.file)
		snprintf(err->file, sizeof(err->file), "%s", place.file);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	disarm(err->file);
	disarm(err->text);
}

int pl_err_set(struct pl_err *err, enum pl_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, code, (struct pl_place){0}, fmt, ap);
	va_end(ap);
	return -1;
}

int pl_err_at(struct pl_err *err, struct pl_place place, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, PL_EINPUT, place, fmt, ap);
	va_end(ap);
	return -1;
}

int pl_err_errno(struct pl_err *err, const char *fmt, ...)
{
	const int saved = errno;
	size_t len;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, PL_ESYSTEM, (struct pl_place){0}, fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror(saved));
	errno = saved;
	return -1;
}

int pl_err_nomem(struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM, "out of memory");
}
