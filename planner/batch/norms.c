/* SPDX-License-Identifier: BSD-3-Clause */
/* norms.c - logs of the norms of gradients */
#include "config.h"

#include "planner/batch/norms.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "planner/batch/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 30)

void pl_norms_fini(struct pl_norms *norms)
{
	free(norms->step);
	*norms = (struct pl_norms){0};
}

/* A square, which cannot be negative. */
static int read_square(struct pl_line *line, double *to, struct pl_err *err)
{
	struct pl_word word;

	if (pl_line_word(line, &word) && (pl_word_is(&word, "nan") || pl_word_is(&word, "inf"))) {
		pl_err_at(err, word.place,
			  "the gradients of this iteration are not finite (%.*s): the job diverged",
			  (int)word.len, word.s);
		if (err)
			err->code = PL_EPARTIAL;
		return -1;
	}
	if (pl_double_parse(word.s, word.len, to) || !(*to >= 0))
		return pl_err_at(err, word.place, "the square of a norm must stand here");
	return 0;
}

static int read_step(struct pl_norms *norms, struct pl_line *line, struct pl_err *err)
{
	struct pl_norms_step s = {.seconds = NAN, .loss = NAN};
	const struct pl_batch_key keys[] = {
		{"seconds", &s.seconds, 1e-12, 1e9},
		{"loss", &s.loss, -1e300, 1e300},
		{NULL, NULL, 0, 0},
	};

	if (norms->workers == 0)
		return pl_err_at(err, pl_line_place(line), "workers must come before");
	if (pl_batch_whole(line, 0, INT64_MAX, &s.iteration, err) ||
	    read_square(line, &s.local_sq, err) || read_square(line, &s.mean_sq, err) ||
	    pl_batch_keys(line, keys, err))
		return -1;
	if (pl_array_grow((void **)&norms->step, &norms->room, norms->n, sizeof(*norms->step)))
		return pl_err_nomem(err);
	norms->step[norms->n++] = s;
	return 0;
}

static int read_line(struct pl_norms *norms, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;
	uint64_t n;

	if (!pl_line_next(line, &word) || word.s[0] == '#')
		return 0;
	if (pl_word_is(&word, "step"))
		return read_step(norms, line, err);
	if (pl_word_is(&word, "workers") && norms->workers == 0) {
		if (pl_batch_whole(line, 1, PL_BATCH_WORKERS_MAX, &n, err))
			return -1;
		norms->workers = (size_t)n;
	} else if (pl_word_is(&word, "batch") && norms->batch == 0 && norms->n == 0) {
		if (pl_batch_whole(line, 1, PL_BATCH_SAMPLES_MAX, &norms->batch, err))
			return -1;
	} else {
		return pl_err_at(err, word.place,
				 "workers and batch, once each, or step must stand here, and no "
				 "batch after a step");
	}
	return pl_line_end(line, err);
}

static bool is_cut(const struct pl_text *text)
{
	return text->pos >= text->len && text->data[text->len - 1] != '\n';
}

int pl_norms_parse(struct pl_norms *norms, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;
	int rc = pl_text_first(text, "# plink-norms 1", err);

	while (rc == 0 && pl_text_next(text, &line) && !is_cut(text))
		rc = read_line(norms, &line, err);
	if (rc == 0 && norms->n == 0)
		rc = pl_err_at(err, (struct pl_place){.file = text->name}, "there is no iteration");
	if (rc)
		pl_norms_fini(norms);
	return rc;
}

int pl_norms_read(struct pl_norms *norms, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_norms_parse(norms, &text, err), PL_KIND_NORMS, err);
}
