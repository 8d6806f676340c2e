/* SPDX-License-Identifier: BSD-3-Clause */
/* kind.h - what kind of file a text is, by how it begins: for messages about files that were given
 * where another kind is wanted */
#ifndef PLINK_BASE_TEXT_KIND_H
#define PLINK_BASE_TEXT_KIND_H

#include "base/text/text.h"

/* As they are named in messages. */
#define PL_KIND_CATALOGUE "a catalogue of prices"
#define PL_KIND_GRID "a grid of measurements"
#define PL_KIND_HOSTS "a host list"
#define PL_KIND_JOB "the communicators of a job"
#define PL_KIND_JSON "the JSON of a tool (--json)"
#define PL_KIND_LIFETIMES "lifetimes of machines"
#define PL_KIND_MATRIX "a matrix"
#define PL_KIND_NORMS "a log of norms"
#define PL_KIND_PLAN "a plan"
#define PL_KIND_POINTS "measured points"
#define PL_KIND_PROFILE "a profile"
#define PL_KIND_SCHEDULE "a schedule"
#define PL_KIND_STALLS "measured steps of training"
#define PL_KIND_STATS "statistics of a job"
#define PL_KIND_TOPOLOGY "a topology"

/* "a gzip file" and the like, files of other programs that are mostly no text; NULL: not known. */
const char *pl_kind_foreign(const struct pl_text *t);

/* For a reader that has failed at @t (PL_EINPUT): if the text is known to be of another kind than
 * @wanted, @err says this instead. */
void pl_kind_blame(const struct pl_text *t, const char *wanted, struct pl_err *err);

/* The end of a reader of a whole file: blames if it has failed (@rc is not 0), and releases the
 * text. Returns @rc. */
int pl_kind_close(struct pl_text *t, int rc, const char *wanted, struct pl_err *err);

#endif
