/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h - what a preload library tells the user */
#ifndef PLINK_SHIM_SAY_H
#define PLINK_SHIM_SAY_H

#include "base/err.h"

#include <stdbool.h>

/* "libplink-mpi: text" and the end of the line to stderr, in one write (many
 * processes share it). Long texts are cut, control characters become '?'; errno
 * stays as it was. */
void pl_shim_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "libplink-mpi: file:line:col: text; @remedy" (what is known of the place). */
void pl_shim_say_err(const struct pl_err *err, const char *remedy);

/* Is the environment variable set to something but "" and "0"? */
bool pl_shim_flag(const char *name);

#endif
