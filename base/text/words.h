/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h - a command line that is built word by word */
#ifndef PLINK_BASE_TEXT_WORDS_H
#define PLINK_BASE_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* v[n], and NULL after the last; it owns the strings. Start with {0}, end with fini. When memory
 * runs out, @failed is set and all later additions do nothing. */
struct pl_words {
	char **v;
	size_t n, room;
	bool failed; /* out of memory */
};

void pl_words_add(struct pl_words *words, const char *word);
void pl_words_add_all(struct pl_words *words, char *const *from, size_t n);

/* "name=value" as one word. */
void pl_words_add_pair(struct pl_words *words, const char *name, const char *value);

void pl_words_fini(struct pl_words *words);

#endif
