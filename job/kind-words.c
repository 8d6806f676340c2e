/* SPDX-License-Identifier: BSD-3-Clause */
/* kind-words.c - what a line "kind" of a job says behind the name of its calls
 */
#include "config.h"

#include "job/kind-words.h"

#include "base/text/number.h"
#include "base/text/size.h"

#include <inttypes.h>
#include <string.h>

#define CALLS_MAX 1e12
#define TIME_MAX_NS 3600e9

int pl_kind_words_take(struct pl_kind_words *w, const struct pl_word *word, struct pl_err *err)
{
	const struct {
		const char *key;
		struct pl_word *to;
	} known[] = {
		{"calls", &w->calls},     {"exposed", &w->exposed},
		{"library", &w->library}, {"algorithm", &w->algorithm},
		{"along", &w->along},     {"microbatches", &w->microbatches},
		{"forward", &w->forward}, {"backward", &w->backward},
		{"vpp", &w->vpp},
	};
	struct pl_word value, *to = NULL;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (pl_word_value(word, known[i].key, &value))
			to = known[i].to;
	if (!to && !memchr(word->s, '=', word->len)) {
		to = &w->bytes;
		value = *word;
	}
	if (!to)
		return pl_err_at(err, word->place, "this word is not known here");
	if (to->s)
		return pl_err_at(err, word->place, "given twice");
	*to = value;
	return 0;
}

/* forward=TIME, with its unit; 0 where it is not there. */
static int take_time(const struct pl_word *word, double *ns, struct pl_err *err)
{
	char text[PL_DOUBLE_CHARS] = "";

	if (!word->s)
		return 0;
	if (word->len < sizeof(text))
		memcpy(text, word->s, word->len);
	if (pl_time_parse(text, 1e9, ns) == 0 && *ns <= TIME_MAX_NS)
		return 0;
	return pl_err_at(err, word->place, "a time must stand here, such as 20ms, up to an hour");
}

/* key=N; *n stays where it is not there. */
static int take_count(const struct pl_word *word, const char *key, uint64_t max, uint64_t *n,
		      struct pl_err *err)
{
	if (!word->s || (pl_uint_parse(word->s, word->len, max, n) == 0 && *n > 0))
		return 0;
	return pl_err_at(err, word->place, "%s=N: a number from 1 to %" PRIu64, key, max);
}

int pl_kind_words_numbers(const struct pl_kind_words *w, struct pl_job_kind *kind,
			  struct pl_err *err)
{
	kind->calls = kind->exposed = 1;
	kind->microbatches = kind->vpp = 1;
	if (w->bytes.s && pl_size_parse(w->bytes.s, w->bytes.len, &kind->bytes))
		return pl_err_at(err, w->bytes.place,
				 "a size in bytes must stand here, such as 65536 or 64k");
	if (w->calls.s && (pl_double_parse(w->calls.s, w->calls.len, &kind->calls) ||
			   !(kind->calls > 0 && kind->calls <= CALLS_MAX)))
		return pl_err_at(err, w->calls.place, "calls=N: a number above 0, up to %g",
				 CALLS_MAX);
	if (w->exposed.s && (pl_double_parse(w->exposed.s, w->exposed.len, &kind->exposed) ||
			     !(kind->exposed >= 0 && kind->exposed <= 1)))
		return pl_err_at(err, w->exposed.place, "exposed=X: a share from 0 to 1");
	if (take_count(&w->microbatches, "microbatches", PL_JOB_MICROBATCHES_MAX,
		       &kind->microbatches, err) ||
	    take_count(&w->vpp, "vpp", PL_JOB_VPP_MAX, &kind->vpp, err))
		return -1;
	return take_time(&w->forward, &kind->forward_ns, err) ||
			       take_time(&w->backward, &kind->backward_ns, err)
		       ? -1
		       : 0;
}
