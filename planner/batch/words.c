/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - words of lines, each with its place */
#include "config.h"

#include "planner/batch/words.h"

#include "base/text/number.h"

#include <math.h>

int pl_batch_whole(struct pl_line *line, int64_t min, int64_t max, uint64_t *to, struct pl_err *err)
{
	struct pl_word word;
	int64_t n;

	if (!pl_line_word(line, &word) || pl_int_parse(word.s, word.len, min, max, &n))
		return pl_err_at(err, word.place,
				 "a whole number from %lld to %lld must stand here", (long long)min,
				 (long long)max);
	*to = (uint64_t)n;
	return 0;
}

static int read_key(const struct pl_word *word, const struct pl_batch_key *key,
		    const struct pl_word *value, struct pl_err *err)
{
	if (!isnan(*key->to))
		return pl_err_at(err, word->place, "%s is given twice", key->name);
	if (pl_double_parse(value->s, value->len, key->to) ||
	    !(*key->to >= key->min && *key->to <= key->max))
		return pl_err_at(err, value->place,
				 "%s must be a number from %g to %g, not \"%.*s\"", key->name,
				 key->min, key->max, (int)value->len, value->s);
	return 0;
}

int pl_batch_keys(struct pl_line *line, const struct pl_batch_key *keys, struct pl_err *err)
{
	struct pl_word word, value;

	while (pl_line_next(line, &word)) {
		const struct pl_batch_key *key = keys;

		while (key->name && !pl_word_value(&word, key->name, &value))
			key++;
		if (!key->name)
			return pl_err_at(err, word.place, "this word is not known here");
		if (read_key(&word, key, &value, err))
			return -1;
	}
	return 0;
}
