/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the files that an answer is written to */
#ifndef PLINK_SRC_ORDER_FILES_H
#define PLINK_SRC_ORDER_FILES_H

#include "base/err.h"
#include "src/order/picture.h"

/* Tries the outputs before hosts are measured and orders searched. 0, or -1 with @err set. */
int pl_reorder_files_try(const struct pl_reorder_options *o, struct pl_err *err);

/*
 * Writes the order (to standard output unless --output names a file; not there with --watch), the
 * plan, the rules and the report, those that were asked for. All are on the disk before any of them
 * appears. 0, or -1 with @err set and no file changed.
 */
int pl_reorder_files_write(const struct pl_reorder_picture *picture, struct pl_err *err);

/* The output's name if it is a file of its own, or NULL. */
const char *pl_reorder_output_name(const struct pl_reorder_options *o);

#endif
