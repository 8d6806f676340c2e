/* SPDX-License-Identifier: BSD-3-Clause */
/* kind-words.h - what a line "kind" of a job says behind the name of its calls
 */
#ifndef PLINK_JOB_KIND_WORDS_H
#define PLINK_JOB_KIND_WORDS_H

#include "base/err.h"
#include "base/text/text.h"
#include "job/job.h"

/* Values of "key=value", and the bytes, which have no key; s is NULL where one is not there. */
struct pl_kind_words {
	struct pl_word bytes, calls, exposed, microbatches, vpp, library, algorithm, along, forward,
		backward;
};

/* Takes a word. 0, or -1 with @err set: PL_EINPUT if it is not known, or comes twice. */
int pl_kind_words_take(struct pl_kind_words *w, const struct pl_word *word, struct pl_err *err);

/* Sets the numbers of the kind, with their defaults. 0, or -1 with @err set: PL_EINPUT with the
 * place of one that is none. */
int pl_kind_words_numbers(const struct pl_kind_words *w, struct pl_job_kind *kind,
			  struct pl_err *err);

#endif
