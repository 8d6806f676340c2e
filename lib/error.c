/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - what libplink's functions fail with */
#include "config.h"

#include "lib/parts.h"

#include <stdarg.h>
#include <stdio.h>

static enum pl_error_code code_of(enum pl_code code)
{
	switch (code) {
	case PL_OK:
		return PL_ERROR_NONE;
	case PL_EUSAGE:
		return PL_ERROR_USAGE;
	case PL_EINPUT:
		return PL_ERROR_INPUT;
	case PL_EPARTIAL:
		return PL_ERROR_PARTIAL;
	default:
		return PL_ERROR_SYSTEM;
	}
}

int pl_lib_fail(struct pl_error *error, const struct pl_err *err)
{
	char line[32] = "", col[32] = "";

	if (!error)
		return -1;
	error->code = code_of(err->code);
	if (err->line > 0)
		snprintf(line, sizeof(line), "%ld:", err->line);
	if (err->line > 0 && err->col > 0)
		snprintf(col, sizeof(col), "%ld:", err->col);
	snprintf(error->text, sizeof(error->text), "%s%s%s%s%s%s", err->file, *err->file ? ":" : "",
		 line, col, *err->file ? " " : "", err->text);
	return -1;
}

int pl_lib_back(struct pl_err *err, const struct pl_error *error)
{
	static const enum pl_code codes[] = {
		[PL_ERROR_NONE] = PL_OK,        [PL_ERROR_PARTIAL] = PL_EPARTIAL,
		[PL_ERROR_USAGE] = PL_EUSAGE,   [PL_ERROR_INPUT] = PL_EINPUT,
		[PL_ERROR_SYSTEM] = PL_ESYSTEM,
	};

	return pl_err_set(err, codes[error->code], "%s", error->text);
}

int pl_lib_refuse(struct pl_error *error, const char *fmt, ...)
{
	va_list args;

	if (!error)
		return -1;
	error->code = PL_ERROR_USAGE;
	va_start(args, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, args);
	va_end(args);
	return -1;
}

int pl_lib_nomem(struct pl_error *error)
{
	struct pl_err err;

	pl_err_nomem(&err);
	return pl_lib_fail(error, &err);
}

const char *pl_version(void)
{
	return PACKAGE_VERSION;
}
