/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h - what a preload library tells the user */
#ifndef PLINK_SHIM_SAY_H
#define PLINK_SHIM_SAY_H

#include "base/err.h"

#include <stdbool.h>

/* Is the descriptor 1 or 2 what it was when the library was loaded? A program may have closed it,
 * and got the number again for a file or a connection of its own: nothing may be written there. */
bool pl_shim_owns(int fd);

/* Prints "libplink-mpi: text" and a newline to stderr, in one write(), because many processes share
 * stderr; nothing where stderr is another file by now. Cuts long texts; control characters become
 * '?'; errno stays as it was. */
void pl_shim_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "libplink-mpi: file:line:col: text; @remedy", with as much of the place as is known. */
void pl_shim_say_err(const struct pl_err *err, const char *remedy);

/* Is the environment variable set to something but "" and "0"? */
bool pl_shim_flag(const char *name);

#endif
