/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - which file a path names, there or still to be made */
#ifndef PLINK_BASE_TEXT_PATH_H
#define PLINK_BASE_TEXT_PATH_H

#include "base/err.h"

#include <stdbool.h>

/* The folder that @path is in, for the caller to free; NULL: out of memory. */
char *pl_path_folder(const char *path);

/* Does the path stand for a file that is open, as /dev/stdout, /dev/fd/63 and /proc/self/fd/1 do?
 * It leads to no name. */
bool pl_path_is_open(const char *path);

/* The name, for the caller to free, of the file that is reached from @path by symbolic links, there
 * or not; the last one may be a name that pl_path_is_open(). NULL with @err set: links in a circle,
 * another user's link in a folder that all can write to, out of memory. */
char *pl_path_resolve(const char *path, struct pl_err *err);

/* Do both paths name one regular file, there or still to be made? NULL and "-" name none. An output
 * must not replace what it is made from. */
bool pl_same_file(const char *a, const char *b);

#endif
