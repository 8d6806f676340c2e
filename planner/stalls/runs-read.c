/* SPDX-License-Identifier: BSD-3-Clause */
/* runs-read.c - the reader of measured steps (plink-stalls(5)) */
#include "config.h"

#include "planner/stalls/runs.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "base/text/size.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)
#define COUNT_MAX 1000000000000

struct reader {
	struct pl_stall_runs *runs;
	size_t first; /* run of this text */
	struct pl_err *err;
};

static struct pl_stall_run *last_run(const struct reader *r)
{
	return &r->runs->v[r->runs->n - 1];
}

static int copy_name(struct reader *r, const struct pl_word *word, char **to, const char *what)
{
	if (word->len == 0 || word->len > PL_STALL_NAME_MAX)
		return pl_err_at(r->err, word->place, "%s must stand here, in 1 to %d bytes", what,
				 PL_STALL_NAME_MAX);
	for (size_t i = 0; i < word->len; i++)
		if (iscntrl((unsigned char)word->s[i]))
			return pl_err_at(r->err, word->place, "%s has a control character", what);
	*to = pl_string_copy(word->s, word->len);
	return *to ? 0 : pl_err_nomem(r->err);
}

static int check_alone(struct reader *r, struct pl_place place)
{
	const struct pl_stall_run *run = last_run(r);

	for (size_t i = r->first; i + 1 < r->runs->n; i++)
		if (strcmp(r->runs->v[i].model, run->model) == 0 &&
		    strcmp(r->runs->v[i].machine, run->machine) == 0)
			return pl_err_at(r->err, place, "%s on %s is on line %ld already",
					 run->model, run->machine, r->runs->v[i].line);
	return 0;
}

static int read_run(struct reader *r, struct pl_line *line)
{
	struct pl_stall_run *run;
	struct pl_word model, machine;
	char *names[2] = {NULL, NULL};
	int rc = -1;

	pl_line_word(line, &model);
	pl_line_word(line, &machine);
	if (copy_name(r, &model, &names[0], "the name of a model") ||
	    copy_name(r, &machine, &names[1], "the type of a machine") || pl_line_end(line, r->err))
		goto out;
	run = pl_stall_runs_add(r->runs, names[0], names[1]);
	if (!run) {
		pl_err_nomem(r->err);
		goto out;
	}
	run->line = line->number;
	rc = check_alone(r, model.place);
out:
	free(names[0]);
	free(names[1]);
	return rc;
}

static int parse_count(struct reader *r, const struct pl_word *word, uint64_t min, uint64_t max,
		       uint64_t *to)
{
	if (pl_uint_parse(word->s, word->len, max, to) || *to < min)
		return pl_err_at(r->err, word->place,
				 "a whole number from %llu to %llu must stand here",
				 (unsigned long long)min, (unsigned long long)max);
	return 0;
}

static int parse_bytes(struct reader *r, const struct pl_word *word, uint64_t *to)
{
	if (pl_size_parse(word->s, word->len, to) || *to == 0)
		return pl_err_at(r->err, word->place,
				 "bytes must stand here, such as 94400000 or 90MiB");
	return 0;
}

/* What a line "t1" to "t5" may say behind the time. */
static int take_step_word(struct reader *r, const struct pl_word *word, int step)
{
	struct pl_stall_run *run = last_run(r);
	struct pl_word value;

	value.place = word->place;
	if (pl_word_value(word, "iterations", &value))
		return parse_count(r, &value, 1, COUNT_MAX, &run->iterations[step]);
	if (pl_word_value(word, "error", &value)) {
		if (pl_double_parse(value.s, value.len, &run->error_s[step]) ||
		    !(run->error_s[step] >= 0 && run->error_s[step] <= PL_STALL_SECONDS_MAX))
			return pl_err_at(r->err, value.place,
					 "a standard error in seconds must stand here");
		return 0;
	}
	if (step == PL_STALL_T5 && pl_word_value(word, "machines", &value))
		return parse_count(r, &value, 2, PL_STALL_MACHINES_MAX, &run->machines);
	if (step == PL_STALL_T5 && pl_word_value(word, "instance", &value)) {
		free(run->apart);
		run->apart = NULL;
		return copy_name(r, &value, &run->apart, "the type of a machine");
	}
	return pl_err_at(r->err, word->place, "this word is not known here");
}

static int read_step(struct reader *r, struct pl_line *line, int step)
{
	struct pl_stall_run *run = last_run(r);
	struct pl_word word;
	double t_s;

	if (!pl_line_word(line, &word) || pl_double_parse(word.s, word.len, &t_s) ||
	    !(t_s >= PL_STALL_SECONDS_MIN && t_s <= PL_STALL_SECONDS_MAX))
		return pl_err_at(r->err, word.place,
				 "seconds of an iteration from %g to %g must stand here",
				 PL_STALL_SECONDS_MIN, PL_STALL_SECONDS_MAX);
	if (!isnan(run->t_s[step]))
		return pl_err_at(r->err, word.place, "given twice");
	run->t_s[step] = t_s;
	if (step == PL_STALL_T5)
		run->machines = 2;
	while (pl_line_word(line, &word))
		if (take_step_word(r, &word, step))
			return -1;
	return 0;
}

static int read_script(struct reader *r, struct pl_line *line)
{
	struct pl_stall_run *run = last_run(r);
	const struct pl_word rest = pl_line_rest(line);

	free(run->script);
	run->script = NULL;
	return copy_name(r, &rest, &run->script, "the name of a script");
}

/* A line that says one number. 1: it is none. */
static int read_number(struct reader *r, const struct pl_word *key, struct pl_line *line)
{
	struct pl_stall_run *run = last_run(r);
	const struct {
		const char *key;
		uint64_t *to;
		uint64_t min, max; /* 0: bytes */
	} known[] = {
		{"gpus", &run->gpus, 1, PL_STALL_GPUS_MAX},
		{"batch", &run->batch, 1, COUNT_MAX},
		{"samples", &run->samples, 1, COUNT_MAX},
		{"layers", &run->layers, 1, COUNT_MAX},
		{"workers", &run->workers, 0, PL_STALL_GPUS_MAX},
		{"gradients", &run->gradients, 0, 0},
		{"data-bytes", &run->data_bytes, 0, 0},
	};
	struct pl_word word;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!pl_word_is(key, known[i].key))
			continue;
		pl_line_word(line, &word);
		if (known[i].max ? parse_count(r, &word, known[i].min, known[i].max, known[i].to)
				 : parse_bytes(r, &word, known[i].to))
			return -1;
		return pl_line_end(line, r->err);
	}
	return 1;
}

static int read_line(struct reader *r, struct pl_line *line)
{
	struct pl_word key;
	int rc;

	if (!pl_line_next(line, &key) || key.s[0] == '#')
		return 0;
	if (pl_word_is(&key, "run"))
		return read_run(r, line);
	if (r->runs->n == r->first)
		return pl_err_at(r->err, key.place, "a line \"run MODEL MACHINE\" must come first");
	if (pl_word_is(&key, "script"))
		return read_script(r, line);
	for (int s = 0; s < PL_STALL_STEPS; s++)
		if (pl_word_is(&key, pl_stall_step_name((enum pl_stall_step)s)))
			return read_step(r, line, s);
	rc = read_number(r, &key, line);
	if (rc > 0)
		return pl_err_at(r->err, key.place, "\"%.*s\" is not known here",
				 (int)(key.len < 40 ? key.len : 40), key.s);
	return rc;
}

/* GPUs that stand in several machines are at least as many. */
static int check_runs(const struct reader *r, const char *file)
{
	for (size_t i = r->first; i < r->runs->n; i++) {
		const struct pl_stall_run *run = &r->runs->v[i];
		const struct pl_place place = {.file = file, .line = run->line, .col = 1};

		if (!isnan(run->t_s[PL_STALL_T5]) && run->machines > run->gpus)
			return pl_err_at(
				r->err, place, "t5 is of %llu machines, the run of %llu GPUs",
				(unsigned long long)run->machines, (unsigned long long)run->gpus);
	}
	return 0;
}

int pl_stall_runs_parse(struct pl_stall_runs *runs, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.runs = runs, .first = runs->n, .err = err};
	struct pl_line line;
	int rc = pl_text_first(text, "# plink-stalls 1", err);

	while (rc == 0 && pl_text_next(text, &line))
		rc = read_line(&r, &line);
	if (rc == 0 && runs->n == r.first)
		rc = pl_err_at(err,
			       (struct pl_place){.file = text->name, .line = text->line, .col = 1},
			       "there is no line \"run MODEL MACHINE\"");
	if (rc == 0)
		rc = check_runs(&r, text->name);
	if (rc)
		pl_stall_runs_cut(runs, r.first);
	return rc;
}

int pl_stall_runs_read(struct pl_stall_runs *runs, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_stall_runs_parse(runs, &text, err), PL_KIND_STALLS, err);
}
