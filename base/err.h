/* SPDX-License-Identifier: BSD-3-Clause */
/* err.h - errors: code, text, and their place in the input */
#ifndef PLINK_BASE_ERR_H
#define PLINK_BASE_ERR_H

enum pl_code {
	PL_OK = 0,
	PL_EUSAGE,   /* the caller asked for something that does not exist */
	PL_EINPUT,   /* a file or a string is not what it should be */
	PL_ESYSTEM,  /* memory, network, processes, the file system */
	PL_EPARTIAL, /* done in part, or the answer is no */
};

/* Exit statuses of every tool. */
enum pl_exit {
	PL_EXIT_DONE = 0,
	PL_EXIT_PARTIAL = 1, /* done in part, or the answer is no */
	PL_EXIT_USAGE = 2,
	PL_EXIT_INPUT = 3,
	PL_EXIT_SYSTEM = 4,
};

/*
 * Filled by the function that fails; owned by the caller; holds no pointers. Control characters in
 * the text, which may quote an input, become '?'. @file is empty and @line and @col are 0 if the
 * error is not in an input. Lines and columns (in bytes) count from 1.
 */
struct pl_err {
	enum pl_code code;
	long line, col;
	char file[256];
	char text[512];
};

/* Fills @err (which may be NULL) and returns -1, so that a function can end in `return
 * pl_err_set(err, PL_EINPUT, "...")`. Long texts are cut. */
int pl_err_set(struct pl_err *err, enum pl_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A place in an input. */
struct pl_place {
	const char *file;
	long line, col;
};

/* Like pl_err_set, with PL_EINPUT and the place of the fault. */
int pl_err_at(struct pl_err *err, struct pl_place place, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* PL_ESYSTEM with the meaning of errno appended: "cannot open x: No such
 * ..." */
int pl_err_errno(struct pl_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* PL_ESYSTEM, "out of memory". */
int pl_err_nomem(struct pl_err *err);

#endif
